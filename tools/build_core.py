"""Compiles the native core, C in src/kingdom_builder/native/core, into the package.

The compiler is the machine's own ($CC, else cc, gcc or clang). Where there is none, pip fetches the package ziglang, a
whole compiler, into a temporary folder: as a dependency of the build it would be an error of the installation wherever
it cannot be had, and nothing about the core may be one. CPython's own headers cannot be fetched; where they are missing
(Debian has them in python3-dev), no core is built.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
NATIVE = ROOT / "src" / "kingdom_builder" / "native"
SOURCES = NATIVE / "core"
LIBRARY = NATIVE / ("_core.pyd" if os.name == "nt" else "_core.abi3.so")
STAMP = NATIVE / "_core.sources"
SANITIZED = ROOT / "build" / "sanitized" / LIBRARY.name

PYTHON_TAG = "cp311-abi3"  # one file for CPython 3.11 and all later ones
ZIG_WHEEL = "ziglang~=0.17"
ZIG_SECONDS = 60  # it takes ten on a quick line; nobody should wait longer for what can be left out
COMPILE_SECONDS = 300

# The results must be those of Python on every machine: no rules of arithmetic of its own, no instructions of this CPU.
FLAGS = (
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-DPy_LIMITED_API=0x030B0000",
)
FAST = ("-O3", "-g0", "-DNDEBUG")
CHECKED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")

IMPORT = """
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
loader = ExtensionFileLoader("kingdom_builder.native._core", sys.argv[1])
loader.exec_module(module_from_spec(spec_from_loader(loader.name, loader)))
"""

Say = Callable[[str], object]


class CoreError(Exception):
    """The core could not be built. The message is part of a sentence."""


def is_switched_off() -> bool:
    """Whether nobody wants the core to be built."""
    return os.environ.get("KB_NATIVE") == "0"


def is_built() -> bool:
    """Whether the core is there and was built from the sources as they are."""
    return LIBRARY.exists() and _text(STAMP) == state()


def has_failed() -> bool:
    """Whether the last attempt failed, and neither sources nor compiler have changed since then."""
    return _text(STAMP) == _failed_state()


def build_if_possible(say: Say) -> bool:
    """Build the core, if its sources changed since it was built; return whether it is there, after a line if not."""
    if is_switched_off():
        return False
    if not is_built() and not has_failed():
        try:
            build(say, zig_seconds=ZIG_SECONDS)
        except (CoreError, OSError) as error:
            say(f"The native core was not built ({error}). Everything works without it, only slower.")
            with suppress(OSError):
                _write(STAMP, _failed_state().encode())
    return is_built()


def build(say: Say, zig_seconds: float | None = None) -> str:
    """Build the core, if its sources changed since it was built; return what the compiler said. Raises CoreError."""
    if is_built():
        return ""
    now = state()
    # What was built from other sources is not used in their place. It is removed, not overwritten: a program that has
    # it loaded goes on with it.
    LIBRARY.unlink(missing_ok=True)
    with _compiler(say, zig_seconds) as compiler:
        say(f"Building the native core with {Path(compiler[0]).stem} ...")
        said = compile_core(compiler, FAST, LIBRARY)
    _write(STAMP, now.encode())
    return said


def build_sanitized() -> Path:
    """Build a core that reports wrong uses of memory and undefined behaviour; return its path. Raises CoreError."""
    with _compiler(lambda _: None, None) as compiler:
        compile_core(compiler, CHECKED, SANITIZED, is_tried=False)
    return SANITIZED


def sources() -> list[Path]:
    """The files that the core is made from, in a fixed order."""
    return sorted([*SOURCES.glob("*.c"), *SOURCES.glob("*.h")])


def state() -> str:
    """What the core would be built from now: the sources, the options, and the kind of machine.

    The version of Python is not among it: one file serves them all.
    """
    whole = hashlib.sha256(repr((FLAGS, FAST, sysconfig.get_platform(), sys.implementation.name)).encode())
    for path in sources():
        content = path.read_bytes()
        whole.update(f"{path.name} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def _failed_state() -> str:
    return f"{state()} failed with {find_compiler()} {why_impossible()}"


def why_impossible() -> str:
    """Why no compiler could build a core for this Python, as the rest of a sentence; nothing if one could."""
    if sys.implementation.name != "cpython":
        return f"it is for CPython only, and this is {sys.implementation.name}"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it is not for a free-threaded Python"
    if not any((Path(folder) / "Python.h").exists() for folder in _include_folders()):
        return f"Python's headers are missing: {_include_folders()[0]}/Python.h (Debian has them in python3-dev)"
    return ""


def _include_folders() -> list[str]:
    return list(dict.fromkeys([sysconfig.get_path("include"), sysconfig.get_path("platinclude")]))


def find_compiler() -> tuple[str, ...] | None:
    """The machine's own compiler as the beginning of a command line: $CC if that is set, else the first one found."""
    if wanted := _words(os.environ.get("CC", "")):
        return tuple(wanted)
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return (found,)
    return _zig_of(importlib.util.find_spec("ziglang"))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quotation mark that is never closed: the compiler will not be found, which is one line
        return command.split()


def _zig_of(package: ModuleSpec | None) -> tuple[str, ...] | None:
    return _zig_in(Path(package.origin).parent) if package and package.origin else None


def _zig_in(home: Path) -> tuple[str, ...] | None:
    zig = home / ("zig.exe" if os.name == "nt" else "zig")
    return (str(zig), "cc", "-mcpu=baseline") if zig.exists() else None  # alone it compiles for this very CPU


@contextmanager
def _compiler(say: Say, zig_seconds: float | None) -> Iterator[tuple[str, ...]]:
    if reason := why_impossible():
        raise CoreError(reason)
    if found := find_compiler():
        yield found
        return
    say("Fetching a C compiler for the native core (the package ziglang, 100 MB), as this machine has none ...")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield _fetch_zig(Path(folder), zig_seconds)


def _fetch_zig(folder: Path, seconds: float | None) -> tuple[str, ...]:
    # -I, since pip hides itself from what it starts to build a package.
    pip = [sys.executable, "-I", "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
    download = ["download", "--no-deps", "--only-binary=:all:", "--dest", str(folder), ZIG_WHEEL]
    try:
        _run([*pip, *download], seconds)
    except subprocess.TimeoutExpired:
        raise CoreError(f"fetching a C compiler took more than {seconds:.0f} s") from None
    for wheel in folder.glob("*.whl"):
        with ZipFile(wheel) as whole:
            whole.extractall(folder, [name for name in whole.namelist() if _is_needed(name)])
    if zig := _zig_in(folder / "ziglang"):
        Path(zig[0]).chmod(0o755)
        return zig
    raise CoreError("there is no C compiler, and pip could not fetch the package ziglang")


def _is_needed(name: str) -> bool:
    """Whether a file of ziglang is for C, and for this system. Two of three are not, and take long to unpack.

    >>> [_is_needed(f"ziglang/lib/{name}") for name in ("std/os/wasi.zig", "libcxx/include/any", "libc/wasi/sources")]
    [True, False, False]
    """
    if name.startswith(("ziglang/lib/libcxx", "ziglang/lib/libtsan/")):
        return False
    others = ("bsd", "wasi", *(("-windows-", "mingw") if os.name != "nt" else ()))
    return not (name.startswith("ziglang/lib/libc/") and any(other in name for other in others))


def compile_core(compiler: Sequence[str], options: Sequence[str], target: Path, is_tried: bool = True) -> str:
    """Compile the sources, put the library in place at once, return what the compiler said. Raises CoreError."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Path(folder) / target.name
        files = [str(path) for path in sources() if path.suffix == ".c"]
        include = [f"-I{path}" for path in _include_folders()]
        said = _check([*compiler, *FLAGS, *options, *include, *files, *_link_options(), "-o", str(made)], folder)
        if is_tried:
            _check([sys.executable, "-I", "-c", IMPORT, str(made)], folder)
        _write(target, made.read_bytes())
    return said


def _link_options() -> tuple[str, ...]:
    if os.name == "nt":
        return ("-shared", f"-L{Path(sys.base_prefix) / 'libs'}", "-lpython3")
    if sys.platform == "darwin":
        return ("-fPIC", "-bundle", "-undefined", "dynamic_lookup")
    return ("-fPIC", "-shared")


def _check(command: Sequence[str], folder: str) -> str:
    program = Path(command[0]).stem
    try:
        done = _run(command, COMPILE_SECONDS, {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder})
    except OSError as error:
        raise CoreError(f"{program} does not start: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise CoreError(f"{program} took more than {COMPILE_SECONDS} s") from None
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        told = next((line for line in lines if "error:" in line), lines[-1] if lines else f"exit {done.returncode}")
        raise CoreError(f"{program} says: {told}")
    return done.stdout.strip()


def _run(
    command: Sequence[str], seconds: float | None, environment: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
    )


def _write(path: Path, content: bytes) -> None:
    """Write a file at once: whoever reads it finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(content)
    os.replace(new, path)


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.is_file() else ""
