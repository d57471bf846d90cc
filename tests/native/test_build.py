"""Building the native core: which compiler, with what, when again; and that no failure stops an installation."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import build_core
import pytest
from native_core import need_compiler, need_core

ROOT = Path(__file__).parents[2]
GOOD = """
#include <Python.h>
static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT, .m_name = "_core"};
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
"""

Put = Callable[[str, str], Path]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts programs where they are found: nothing else is, and no compiler is set."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("KB_NATIVE", raising=False)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    def put(name: str, code: str) -> Path:
        program = folder / name
        program.write_text(f"#!/bin/sh\n{code}\n")
        program.chmod(0o755)
        return program

    return put


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with sources that can be compiled, in place of ours."""
    folder = tmp_path / "native"
    (folder / "core").mkdir(parents=True)
    (folder / "core" / "module.c").write_text(GOOD)
    monkeypatch.setattr(build_core, "SOURCES", folder / "core")
    monkeypatch.setattr(build_core, "LIBRARY", folder / build_core.LIBRARY.name)
    monkeypatch.setattr(build_core, "STAMP", folder / build_core.STAMP.name)
    monkeypatch.delenv("KB_NATIVE", raising=False)
    return folder


def build() -> tuple[bool, list[str]]:
    """Whether the core is there after a set-up, and what the set-up said."""
    said: list[str] = []
    return build_core.build_if_possible(said.append), said


# ---- which compiler --------------------------------------------------------------------------------------------------


def test_the_compiler_is_the_first_that_the_machine_has(put: Put) -> None:
    assert build_core.find_compiler() is None
    for name in ("clang", "gcc", "cc"):
        program = put(name, "")
        assert build_core.find_compiler() == (str(program),)


def test_the_compiler_that_somebody_has_set_counts_more(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put("cc", "")
    monkeypatch.setenv("CC", "ccache gcc-14")
    assert build_core.find_compiler() == ("ccache", "gcc-14")


def test_ziglang_is_used_where_it_is_installed_and_nothing_else_is(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = ModuleSpec("ziglang", None, origin=str(tmp_path / "bin" / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: package)
    zig = put("zig.exe" if os.name == "nt" else "zig", "")
    assert build_core.find_compiler() == (str(zig), "cc", "-mcpu=baseline")
    gcc = put("gcc", "")
    assert build_core.find_compiler() == (str(gcc),)


def test_the_options_fit_every_machine_and_keep_the_rules_of_arithmetic() -> None:
    options = {*build_core.FLAGS, *build_core.FAST}
    assert not [option for option in options if option.startswith(("-march", "-mtune", "-ffast-math", "-Ofast"))]
    assert {"-std=c11", "-ffp-contract=off", "-DPy_LIMITED_API=0x030B0000"} <= options


# ---- what is wrong is one line, and no error -------------------------------------------------------------------------


def test_a_broken_compiler_is_one_line_and_is_not_asked_again(put: Put, package: Path) -> None:
    put("cc", "echo 'cc: no room left' ; exit 1")
    assert build() == (
        False,
        [
            "Building the native core with cc ...",
            "The native core was not built (cc says: cc: no room left). Everything works without it, only slower.",
        ],
    )
    assert build() == (False, [])
    put("gcc", "exit 1")
    assert build() == (False, []), "the compiler is still the same"
    (package / "core" / "module.c").write_text(GOOD + "\n")
    assert build()[1], "the sources have changed"


def test_a_compiler_that_does_not_start_is_one_line(put: Put, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert build()[1][1:] == [
        "The native core was not built (cc does not start: No such file or directory)."
        " Everything works without it, only slower."
    ]


def test_a_compiler_with_a_quotation_mark_too_many_is_one_line(
    put: Put, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", '/nowhere/cc "-O2')
    assert build()[1][1:] == [
        "The native core was not built (cc does not start: No such file or directory)."
        " Everything works without it, only slower."
    ]


def test_a_damaged_note_of_the_last_build_is_no_note(put: Put, package: Path) -> None:
    put("cc", "exit 1")
    assert build()[1]
    build_core.STAMP.write_bytes(b"\xff" * 10)
    assert build()[1], "it is tried again"


def test_without_compiler_and_network_there_is_a_line(put: Put, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def fail(command: list[str], *_: object) -> "subprocess.CompletedProcess[str]":
        asked.append(command)
        return subprocess.CompletedProcess(command, 1, "")

    monkeypatch.setattr(build_core, "_run", fail)
    is_there, (fetching, failed) = build()
    assert not is_there
    assert fetching.startswith("Fetching a C compiler")
    assert "no C compiler, and pip could not fetch the package ziglang" in failed
    assert asked[0][-1] == build_core.ZIG_WHEEL
    assert build() == (False, [])
    assert len(asked) == 1


def test_nobody_waits_long_for_a_compiler(put: Put, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(command: list[str], seconds: float) -> None:
        raise subprocess.TimeoutExpired(command, seconds)

    monkeypatch.setattr(build_core, "_run", wait)
    assert f"took more than {build_core.ZIG_SECONDS} s" in build()[1][1]


def test_without_the_headers_of_python_no_compiler_is_fetched(
    put: Put, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_core, "_include_folders", lambda: ["/nowhere"])
    assert build() == (
        False,
        [
            "The native core was not built (Python's headers are missing: /nowhere/Python.h (Debian has them in"
            " python3-dev)). Everything works without it, only slower."
        ],
    )


def test_a_folder_that_cannot_be_written_is_one_line(put: Put, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("cc", "exit 0")

    def refuse(path: Path, content: bytes) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(build_core, "_write", refuse)
    is_there, said = build()
    assert not is_there
    assert len(said) == 2


def test_whoever_switches_it_off_gets_none(put: Put, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("cc", "exit 1")
    monkeypatch.setenv("KB_NATIVE", "0")
    assert build() == (False, [])
    assert not build_core.STAMP.exists()


def test_the_command_says_why_there_is_none() -> None:
    need_compiler()
    command = [sys.executable, str(ROOT / "hatch_build.py"), "sanitized"]
    done = subprocess.run(command, env={**os.environ, "CC": "false"}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "The native core was not built: false says: exit 1.\n")


# ---- what is built, and when again -----------------------------------------------------------------------------------


def test_it_is_built_once_and_again_when_a_source_changes(package: Path) -> None:
    need_compiler()
    assert not build_core.is_built()
    is_there, said = build()
    assert is_there
    assert len(said) == 1
    assert build() == (True, [])
    (package / "core" / "hexes.h").write_text("/* new */\n")
    assert not build_core.is_built()
    is_there, said = build()
    assert is_there
    assert len(said) == 1


def test_other_options_are_a_reason_to_build_it_again(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_core.state()
    monkeypatch.setattr(build_core, "FAST", ("-O2",))
    assert build_core.state() != before


def test_a_core_of_older_sources_is_not_kept_when_the_new_ones_fail(package: Path) -> None:
    need_compiler()
    assert build()[0]
    (package / "core" / "module.c").write_text("int f(void) { return nothing; }\n")
    is_there, said = build()
    assert not is_there
    assert "nothing" in said[1]
    assert not build_core.LIBRARY.exists()
    (package / "core" / "module.c").write_text(GOOD)
    assert build()[0]


def test_what_cannot_be_loaded_is_not_put_in_place(package: Path) -> None:
    need_compiler()
    (package / "core" / "module.c").write_text("int missing(void);\nint f(void) { return missing(); }\n")
    is_there, said = build()
    assert not is_there
    assert "ImportError" in said[1]
    assert sorted(path.name for path in package.iterdir()) == ["_core.sources", "core"]


def test_our_sources_give_no_warnings(tmp_path: Path) -> None:
    need_compiler()
    compiler = build_core.find_compiler()
    assert compiler
    include = [f"-I{folder}" for folder in build_core._include_folders()]
    for path in build_core.sources():
        if path.suffix == ".c":
            command = [*compiler, *build_core.FLAGS, "-Werror", "-fsyntax-only", *include, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


# ---- packages --------------------------------------------------------------------------------------------------------


def wheel(folder: Path, **environment: str) -> Path:
    """The package that hatchling makes, from the client as it is built."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


def test_a_wheel_with_the_core_is_for_this_kind_of_machine(tmp_path: Path) -> None:
    need_core()
    made = wheel(tmp_path)
    assert "-cp311-abi3-" in made.name
    names = zipfile.ZipFile(made).namelist()
    assert f"kingdom_builder/native/{build_core.LIBRARY.name}" in names
    assert not [name for name in names if "native/core" in name or name.endswith("_core.sources")]


def test_a_wheel_without_the_core_is_for_every_machine(tmp_path: Path) -> None:
    made = wheel(tmp_path, KB_NATIVE="0")
    assert made.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(made).namelist() if name.endswith((".so", ".pyd", ".c"))]
