"""The folder that the games are kept in."""

import os
from pathlib import Path


def data_folder() -> Path:
    """Where programs of this user keep their data."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kingdom-builder"
