"""Writes the reference of the library from its docstrings, by pdoc. Run by `make api`."""

import sys
from pathlib import Path
from pkgutil import iter_modules

import pdoc
import pdoc.render

import kingdom_builder

FOLDER = Path(__file__).parent.parent / "build" / "api"
PROGRAMS = ("__main__", "cli", "server", "terminal")
"""What is run, not imported."""


def modules() -> list[str]:
    """The package, whose page has the names to begin with, and the modules of the library."""
    names = [module.name for module in iter_modules(kingdom_builder.__path__)]
    return ["kingdom_builder", *(f"kingdom_builder.{name}" for name in names if name not in PROGRAMS)]


def write(folder: Path) -> None:
    pdoc.render.configure(docformat="markdown", show_source=False)
    pdoc.pdoc(*modules(), output_directory=folder)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    write(folder)
    print(f"The reference is at {folder.resolve() / 'index.html'}")
