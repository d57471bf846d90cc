"""Which core is in use, and what is said where it is not the native one."""

import os
import subprocess
import sys
from pathlib import Path

import build_core
import pytest
from native_core import need_compiler, need_core

from kingdom_builder import native

OTHER = """
#include <Python.h>
static int fill(PyObject *module) { return PyModule_AddIntConstant(module, "VERSION", 999); }
static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};
static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT, .m_name = "_core", .m_slots = slots};
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
"""


def version(**environment: str) -> str:
    """What `kb --version` prints with these variables."""
    without = {name: value for name, value in os.environ.items() if not name.startswith("KB_NATIVE")}
    command = [sys.executable, "-m", "kingdom_builder", "--version"]
    done = subprocess.run(command, env={**without, **environment}, capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.partition(", ")[2].strip()


def test_where_there_is_a_compiler_the_native_core_is_in_use() -> None:
    need_core()
    assert native.why_off() == ""
    assert native.core
    assert native.core.VERSION == native.VERSION


def test_the_core_in_use_is_built_from_the_sources_as_they_are() -> None:
    need_core()
    assert os.environ.get("KB_NATIVE_FILE") or build_core.is_built(), "the sources have changed: make native"


def test_the_version_says_that_the_native_core_is_in_use() -> None:
    need_core()
    file = os.environ.get("KB_NATIVE_FILE")
    assert version(**({"KB_NATIVE_FILE": file} if file else {})) == "native core"


def test_the_version_says_that_the_native_core_is_switched_off() -> None:
    assert version(KB_NATIVE="0") == "Python core (switched off by KB_NATIVE=0)"


def test_a_core_that_was_not_built_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("KB_NATIVE", "KB_NATIVE_FILE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(native, "_NAME", "kingdom_builder.native._nothing")
    with pytest.raises(native.NotUsable, match=r"^the native core is not built$"):
        native.load()


def test_a_file_that_is_no_core_is_done_without(tmp_path: Path) -> None:
    file = tmp_path / "_core.abi3.so"
    assert version(KB_NATIVE_FILE=str(file)).startswith("Python core (the native core could not be loaded: ")
    file.write_text("This is not a library.")
    assert version(KB_NATIVE_FILE=str(file)).startswith("Python core (the native core could not be loaded: ")


def test_a_core_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler()
    monkeypatch.setattr(build_core, "SOURCES", tmp_path)
    (tmp_path / "module.c").write_text(OTHER)
    compiler = build_core.find_compiler()
    assert compiler
    build_core.compile_core(compiler, build_core.FAST, tmp_path / "other.so")
    assert version(KB_NATIVE_FILE=str(tmp_path / "other.so")) == (
        f"Python core (the native core is of version 999, and {native.VERSION} is needed: build it again)"
    )
