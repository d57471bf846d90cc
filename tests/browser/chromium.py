"""A Chromium for the browser tests: the machine's own, or Debian's, or one that npm has.

python tests/browser/chromium.py    finds or installs it, and tells where it is
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
NPM_PACKAGE = "@sparticuz/chromium@153.0.0"
CACHE = Path(sys.prefix) / "chromium"
_BUILD = (sys.executable, str(Path(__file__).resolve().parents[2] / "hatch_build.py"))

# A Chromium without a window still has an address bar, which loads two pages of its own for each context: a third of
# the work of a short test. Only the last list of features counts, so this one has what Playwright turns off as well.
UNWANTED = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)

# Without a sandbox, as root has none; without whatever a browser does for itself, above all over the network.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(UNWANTED)}",
    # A name for this machine that is not a secure origin, like its name in the local network.
    "--host-resolver-rules=MAP kb.test 127.0.0.1",
)

# The npm package brings the libraries that a bare machine lacks, and a font for a machine without any.
LAUNCHER = """\
#!/bin/sh
here=$(dirname "$0")
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
export LD_LIBRARY_PATH="$here/al2023/lib"
exec "$here/chromium" "$@"
"""
FONTS = """\
<fontconfig>
	<dir prefix="relative">fonts</dir>
	<cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
"""
HINT = "put a chromium on PATH or name it in $CHROMIUM."


class NoChromium(Exception):
    """Why there is no Chromium, in a sentence."""


def find_chromium() -> Path:
    """The Chromium to test with, installed if need be: $CHROMIUM, the one on PATH, Debian's or npm's."""
    named = os.environ.get("CHROMIUM")
    if named:
        if shutil.which(named):
            return Path(named)
        raise NoChromium(f"CHROMIUM={named} names no program.")
    return _installed() or _install()


@contextmanager
def open_chromium() -> Iterator["Browser"]:
    """A running Chromium without a window."""
    from playwright._impl._driver import compute_driver_executable
    from playwright.sync_api import sync_playwright

    # Playwright's own node needs a library that a bare machine lacks.
    if not _output(compute_driver_executable()[0], "--version"):
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = _output(*_BUILD, "node", "--print", "process.execPath").strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        yield browser
        browser.close()


def _installed() -> Path | None:
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    if on_path:
        return Path(on_path)
    launcher = CACHE / "launch"
    return launcher if launcher.exists() else None


def _install() -> Path:
    with _one_at_a_time():
        # Another process may have done it while this one waited.
        found = _installed()
        if found:
            return found
        if os.geteuid() == 0 and shutil.which("apt-get"):
            _install_debian()
        found = _installed()
        if found:
            return found
        _install_npm()
        return CACHE / "launch"


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with (Path(sys.prefix) / ".chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install_debian() -> None:
    print("Installing Debian's chromium for the browser tests ...", file=sys.stderr, flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"],
    ):
        # If it fails, npm's is tried, and its failure is reported.
        subprocess.run(command, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def _install_npm() -> None:
    print(f"Installing {NPM_PACKAGE} for the browser tests ...", file=sys.stderr, flush=True)
    shutil.rmtree(CACHE, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=sys.prefix) as scratch:
        packages, unpacked = Path(scratch) / "packages", Path(scratch) / "unpacked"
        packages.mkdir()
        unpacked.mkdir()
        _run("npm", "install", "--prefix", str(packages), "--no-save", NPM_PACKAGE)
        unpack = packages / "unpack.mjs"
        unpack.write_text('import chromium from "@sparticuz/chromium";\nawait chromium.executablePath();\n')
        # It unpacks to the folder for temporary files, and its libraries only where it sees this variable.
        _run("node", str(unpack), environment={"TMPDIR": str(unpacked), "AWS_LAMBDA_JS_RUNTIME": "nodejs22.x"})
        (unpacked / "fonts.conf").write_text(FONTS)
        launcher = unpacked / "launch"
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        if not _output(str(launcher), "--no-sandbox", "--version"):
            raise NoChromium(f"The Chromium of {NPM_PACKAGE} does not run on this machine: {HINT}")
        unpacked.rename(CACHE)


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    """Run npm or node as hatch_build.py finds them."""
    done = subprocess.run(
        [*_BUILD, *command],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        print(done.stdout.strip()[-4000:], file=sys.stderr)
        raise NoChromium(f"There is no Chromium for the browser tests, and none could be installed: {HINT}")


def _output(*command: str) -> str:
    """What a command prints if it works, otherwise nothing."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout


if __name__ == "__main__":
    try:
        print(f"Chromium for the browser tests: {find_chromium()}")
    except NoChromium as error:
        sys.exit(str(error))
