"""The command serve."""

import os
import shlex
import shutil
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom_builder.cli.arguments import add_sections, number, read_sections
from kingdom_builder.cli.database import add_database, read_database
from kingdom_builder.cli.environment import read_environment
from kingdom_builder.cli.folder import add_data, read_data

if TYPE_CHECKING:
    from kingdom_builder.server.addresses import Listening
    from kingdom_builder.server.delivery.mail import MailSettings

STARTED_BY = "KB_STARTED_BY"
"""The variable in which the Makefile says what its user has typed."""

FOR_ALL = ("--host", "0.0.0.0")

SERVER_LIMITS = {
    "--max-tables": "tables in the database (default 10000)",
    "--max-connections": "open pages (default 2000)",
    "--max-connections-per-table": "open pages of one table (default 50)",
    "--max-connections-per-visitor": "open pages of one address (default 200)",
    "--max-requests-per-visitor": "other connections of one address (default 100)",
    "--messages-per-second": "of one page, on average (default 20)",
    "--work-per-second": "requests and messages of one address, weighted, about a millisecond each (default 250)",
    "--lines-per-second": "lines of chat of one address (default 2)",
    "--tables-per-minute": "new tables of one address (default 60)",
    "--tables-per-day": "new tables of one address (default 500)",
    "--persons-per-day": "new guests of one address (default 300)",
    "--reports-per-day": "reports of one person (default 20)",
    "--seeks-per-minute": "searches for a game that one address begins (default 30)",
    "--max-seeks-per-visitor": "searches of one address that go on at the same time (default 100)",
    "--bots-offered-after": "seconds after which somebody who looks for a game is offered bots (default 30)",
    "--max-message": "bytes of a WebSocket message (default 4096)",
    "--max-body": "bytes of an HTTP request (default 1000000)",
    "--keep-days": "days without use, counted while a server runs, after which tables are removed (default 180)",
    "--keep-reports-days": "days after which reports and what operators did about them are removed (default 180)",
    "--keep-guests-days": "days without a visit after which guests without a running game are removed (default 400)",
    "--bot-workers": "processes in which bots think (default 1); 0 leaves that to kb work",
    "--drain-seconds": "seconds in which a server that gets SIGTERM sends its pages elsewhere (default 0, or 2 with"
    " --database)",
}
"""The limits that can be set, each with what it limits."""

MAY_BE_NONE = ("--bot-workers", "--drain-seconds")

ORIGINS = {
    "--push-allow": "a further push service such as https://push.example.org; may be given several times",
    "--webhook-allow": "a receiver of webhooks in your own network such as http://10.0.0.5:9000; as often as you like",
}
"""Origins that can be allowed besides those that are."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = f"{parser.description or ''} Every option is also a variable: --max-tables is KB_MAX_TABLES."
    parser.epilog = "Example: kb serve --open"
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="0.0.0.0 lets friends in your network join"
    )
    parser.add_argument("--port", type=number(0, 65535), metavar="N", help="default 8000; 0 for any free one")
    add_data(parser)
    add_database(parser, "which several servers can share, instead of a folder")
    add_sections(parser)
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="NETWORK",
        help="an address or network whose X-Forwarded-For and X-Forwarded-Proto are trusted; several may be given",
    )
    parser.add_argument(
        "--address", default="", metavar="URL", help="where people reach this server, for links in mails"
    )
    parser.add_argument(
        "--smtp", metavar="URL", help="the mail server, such as smtp://user@mail.example.org; without it no mails"
    )
    parser.add_argument("--smtp-from", default="", metavar="ADDRESS", help="the sender of mails")
    parser.add_argument(
        "--smtp-password-file",
        type=Path,
        metavar="FILE",
        help="has the password in its first line; or KB_SMTP_PASSWORD",
    )
    parser.add_argument(
        "--push-contact",
        metavar="CONTACT",
        help="mailto:you@your.domain, for the push services of browsers: lets people ask for notices of their turns",
    )
    for flag, origins in ORIGINS.items():
        parser.add_argument(flag, action="append", default=[], metavar="ORIGIN", help=origins)
    parser.add_argument(
        "--network",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a network (docs/learn.md) that people may play against under this name; several may be given",
    )
    parser.add_argument("--metrics", action="store_true", help="figures for Prometheus at /metrics")
    for flag, limit in SERVER_LIMITS.items():
        parser.add_argument(flag, type=number(0 if flag in MAY_BE_NONE else 1, None), metavar="N", help=limit)
    read_environment(parser, os.environ)


def run(arguments: Namespace) -> int:
    _offer_networks(arguments.network)
    # Imported here, so that `kb serve --help` does not wait for FastAPI.
    from kingdom_builder.server.addresses import Listening
    from kingdom_builder.server.database import FolderInUse
    from kingdom_builder.server.journal import StoreError
    from kingdom_builder.server.serve import PortInUse, serve
    from kingdom_builder.server.settings import OWN_SECTIONS, Settings

    names = [flag.removeprefix("--").replace("-", "_") for flag in SERVER_LIMITS]
    given = {name: getattr(arguments, name) for name in names}
    limits = {name: value for name, value in given.items() if value is not None}
    folder = read_data(arguments.data)
    kept = folder / OWN_SECTIONS
    sections = read_sections(arguments.sections or (str(kept) if kept.is_file() else None))
    settings = replace(
        Settings(
            data=None if arguments.database else folder,
            database=read_database(arguments.database),
            trusted_proxies=tuple(arguments.trusted_proxy),
            sections=sections,
            address=_public_address(arguments.address),
            mail=_mail_settings(arguments),
            push_contact=arguments.push_contact,
            push_allow=tuple(arguments.push_allow),
            webhook_allow=tuple(arguments.webhook_allow),
            metrics=_metrics(arguments.metrics),
        ),
        **limits,
    )
    try:
        serve(
            settings,
            arguments.host,
            arguments.port,
            lambda line: print(line, flush=True),
            command=command_for_all(sys.argv, os.environ.get(STARTED_BY, "")),
            open_browser=arguments.open,
            draw_code=sys.stdout.isatty(),
        )
    except (FolderInUse, PortInUse) as error:
        running = Listening(*error.place) if error.place else None
        if running is None or not running.is_answered():
            raise ValueError(str(error)) from None
        _lead_to(running, arguments)
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0


def _offer_networks(networks: Sequence[str]) -> None:
    """Let people choose these networks. Raises ValueError if one cannot be played with."""
    from kingdom_builder.players.registry import OFFERED, offer_networks

    for text in networks:
        if "," in text or " " in text:
            raise ValueError(f"the network {text!r}: expected NAME=FILE, and neither spaces nor commas in it")
    os.environ[OFFERED] = ",".join(networks)  # the processes in which bots think get it from here
    offer_networks()


def _metrics(wanted: bool) -> bool:
    """Whether to show figures. Raises ValueError if that cannot be done."""
    from importlib.util import find_spec

    if wanted and find_spec("prometheus_client") is None:
        raise ValueError('figures need one more package: pip install "kingdom-builder[metrics]"')
    return wanted


def _public_address(text: str) -> str:
    """Where people reach the server, without a path. Raises ValueError."""
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query):
        raise ValueError(f"the address {text!r}: expected one such as https://games.example.org")
    return f"{parts.scheme}://{parts.netloc}" if text else ""


def _mail_settings(arguments: Namespace) -> "MailSettings | None":
    """The mail server that was named, if any. Raises ValueError."""
    from kingdom_builder.server.delivery import mail

    if not arguments.smtp:
        return None
    if not mail.is_available():
        raise ValueError('mails need more packages: pip install "kingdom-builder[people]"')
    try:
        password = mail.read_password(arguments.smtp_password_file, os.environ)
    except OSError as error:
        raise ValueError(f"the password of the mail server cannot be read: {error.strerror}") from None
    return mail.read_mail_settings(arguments.smtp, arguments.smtp_from, password)


def _lead_to(running: "Listening", arguments: Namespace) -> None:
    """Show the server that already runs to somebody who starts another one. Raises ValueError without `--open`."""
    from kingdom_builder.server.addresses import is_loopback

    address, shared = running.address(), running.shared_address()
    sentence = f"Kingdom Builder already runs at {address}"
    if shared is not None and shared != address:
        sentence += f", for your network at {shared}"
    elif is_loopback(running.host) and not is_loopback(arguments.host):
        sentence += ", for this computer only: stop it there with Ctrl+C, then start it again for your network"
    if not arguments.open:
        raise ValueError(sentence)
    print(sentence, flush=True)
    webbrowser.open(address)


def command_for_all(argv: Sequence[str], started_by: str) -> str:
    """The command that starts this server for the whole network, as its user can type it: `kb` may not be on the path.

    `started_by` is the command of the Makefile that ran this one, if any.
    """
    program, *words = argv
    given = _without_host(words)
    if started_by:
        options = shlex.join([*(word for word in given[1:] if word != "--open"), *FOR_ALL])
        return f"{started_by} ARGS={shlex.quote(options.replace('$', '$$'))}"
    if program.endswith(".py"):  # python -m kingdom_builder
        return shlex.join([sys.executable, "-m", "kingdom_builder", *given, *FOR_ALL])
    found = shutil.which(Path(program).name)
    typed = Path(program).name if found and Path(found).resolve() == Path(program).resolve() else program
    return shlex.join([typed, *given, *FOR_ALL])


def _without_host(words: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if word != "--host" and before != "--host" and not word.startswith("--host="):
            kept.append(word)
    return kept
