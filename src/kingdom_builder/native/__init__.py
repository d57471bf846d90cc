"""The native core: the same game as compiled code, where that could be built and is wanted.

Python is the specification; the core only makes it faster. `KB_NATIVE=0` switches it off, `kb --version` says which
core is in use, and `KB_NATIVE_FILE` names another file to load than the one that was built into the package.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

VERSION = 3
"""That of the C module that these modules fit."""

_NAME = f"{__name__}._core"


class NotUsable(Exception):
    """The core cannot be used. The message is part of a sentence."""


def is_on() -> bool:
    """Whether the native core is in use."""
    return core is not None


def why_off() -> str:
    """The reason why the native core is not in use, as part of a sentence; empty if it is in use."""
    return _why_off


def load() -> ModuleType:
    """The C module. Raises NotUsable."""
    if os.environ.get("KB_NATIVE") == "0":
        raise NotUsable("switched off by KB_NATIVE=0")
    try:
        file = os.environ.get("KB_NATIVE_FILE")
        module = _load_file(file) if file else import_module(_NAME)
    except ModuleNotFoundError as error:
        raise NotUsable("the native core is not built" if error.name == _NAME else _not_loaded(error)) from None
    except (ImportError, OSError) as error:
        raise NotUsable(_not_loaded(error)) from None
    found = getattr(module, "VERSION", None)
    if found != VERSION:
        raise NotUsable(f"the native core is of version {found}, and {VERSION} is needed: build it again")
    return module


def _load_file(file: str) -> ModuleType:
    spec = spec_from_file_location(_NAME, file, loader=ExtensionFileLoader(_NAME, file))
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[_NAME] = module
    return module


def _not_loaded(error: Exception) -> str:
    return f"the native core could not be loaded: {error}"


core: ModuleType | None = None
"""The C module, or None."""

_why_off = ""
try:
    core = load()
except NotUsable as reason:
    _why_off = str(reason)
