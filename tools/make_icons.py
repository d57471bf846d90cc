"""Draws the icons of the web app in web/public from web/src/icon.svg, by the Chromium of the browser tests.

cd tests && ../.venv/bin/python ../tools/make_icons.py
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser.chromium import open_chromium  # noqa: E402

PAPER = "#e3d7bb"


@dataclass(frozen=True)
class Look:
    """An icon as a file."""

    size: int
    part: float = 1.0
    """How much of the square the drawing takes: systems cut off the corners of a maskable icon."""
    ground: str = "transparent"
    is_shadow: bool = False
    """Android shows only the outline of a badge, in white."""


LOOKS = {
    "icon-192": Look(192),
    "icon-512": Look(512),
    "icon-maskable-512": Look(512, 0.7, PAPER),
    "apple-touch-icon": Look(180, 0.84, PAPER),
    "badge-96": Look(96, is_shadow=True),
}


def main() -> None:
    drawing = (ROOT / "web" / "src" / "icon.svg").read_text()
    with open_chromium() as browser:
        for name, look in LOOKS.items():
            page = browser.new_page(viewport={"width": look.size, "height": look.size})
            page.set_content(_page(drawing, look))
            page.screenshot(path=ROOT / "web" / "public" / f"{name}.png", omit_background=True)
            page.close()


def _page(drawing: str, look: Look) -> str:
    side = round(look.size * look.part)
    if look.is_shadow:
        outlines = " ".join(re.findall(r' d="([^"]+)"', drawing))
        head = drawing.partition("<path")[0]
        drawing = f'{head}<path fill="#fff" fill-rule="evenodd" d="{outlines}"/></svg>'
    return (
        f'<body style="margin: 0; display: grid; place-items: center; height: 100vh; background: {look.ground}">'
        f"{drawing.replace('<svg', f'<svg width={side} height={side}', 1)}</body>"
    )


if __name__ == "__main__":
    main()
