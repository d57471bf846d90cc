"""The reference that is made from the docstrings."""

import re
from pathlib import Path

import make_api
import pytest

import kingdom_builder


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the reference. A warning of pdoc is an error, as all warnings are."""
    folder = tmp_path_factory.mktemp("api")
    make_api.write(folder)
    return folder


def test_every_name_to_begin_with_is_in_the_reference(reference: Path) -> None:
    page = (reference / "kingdom_builder.html").read_text("utf-8")
    sections = re.split(r'<section id="([\w.]+)">', page)
    documented = {
        name for name, text in zip(sections[1::2], sections[2::2], strict=True) if 'class="docstring"' in text
    }
    assert set(kingdom_builder.__all__) <= documented


def test_every_module_of_the_library_has_a_page(reference: Path) -> None:
    for name in make_api.modules():
        assert (reference / f"{name.replace('.', '/')}.html").exists(), name


@pytest.mark.parametrize("name", kingdom_builder.__all__)
def test_every_name_to_begin_with_has_a_docstring(name: str) -> None:
    thing: object = getattr(kingdom_builder, name)
    doc = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__  # not that of a base class
    assert doc
    assert not doc.startswith(f"{name}("), "made by dataclass"
