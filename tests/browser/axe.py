"""What axe finds on a page in both themes: colours follow the browser's wish at once, so one visit shows both."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from browser.users import BrowserUser, Scheme

THEMES: tuple[Scheme, ...] = ("dark", "light")
"""The light one last, since pages begin with it."""

# The results without what is right, which would have to be sent too.
RUN = '() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)'

# Colours on their way to another theme are of neither.
FADED = """() => Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished),
)"""

_SCRIPT = Axe().axe_script


def violations(user: BrowserUser, themes: Sequence[Scheme] = THEMES) -> list[str]:
    """What is wrong with what a page shows now, a sentence for each element and theme."""
    if not user.page.evaluate("() => 'axe' in window"):
        user.page.evaluate(_SCRIPT)
    wrong = []
    for theme in themes:
        user.page.emulate_media(color_scheme=theme)
        user.settle()
        user.page.evaluate(FADED)
        found: list[dict[str, Any]] = user.page.evaluate(RUN)
        wrong += [
            f"{theme}: {rule['id']}: {rule['help']}: {node['target']} {node['html'][:200]} {node['failureSummary']}"
            for rule in found
            for node in rule["nodes"]
        ]
    return wrong
