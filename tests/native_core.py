"""Whether the tests of the native core can run: they fail where a core could be built and is not there."""

import build_core
import pytest

from kingdom_builder import native


def need_core() -> None:
    """Skip where there can be no core, or nobody wants it; fail where there should be one and is none."""
    if build_core.is_switched_off():
        pytest.skip("KB_NATIVE=0 switches the native core off", allow_module_level=True)
    if not native.is_on():
        need_compiler()
        pytest.fail(f"There is a C compiler, but {native.why_off()}: `make native` says more", pytrace=False)


def need_compiler() -> None:
    """Skip where nothing can be compiled."""
    if reason := build_core.why_impossible():
        pytest.skip(f"No native core can be built: {reason}", allow_module_level=True)
    if not build_core.find_compiler():
        pytest.skip("No native core can be built: there is no C compiler", allow_module_level=True)
