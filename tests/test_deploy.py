"""The files of deploy/ are well-formed, and name options, variables and paths that exist.

No container runs here. Programs that can judge a file do so where they are installed, and are skipped elsewhere.
"""

import argparse
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import make_scale
import pytest
import yaml

from kingdom_builder.cli import serve
from kingdom_builder.cli.environment import variable_of

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
OWN = {"KB_DATABASE_PASSWORD"}
"""Variables of the files themselves."""

COMPOSE_FILES = sorted(DEPLOY.glob("compose*.yaml"))
SERVICE_KEYS = {
    "build",
    "cap_drop",
    "command",
    "depends_on",
    "environment",
    "healthcheck",
    "image",
    "networks",
    "ports",
    "read_only",
    "restart",
    "security_opt",
    "stop_grace_period",
    "tmpfs",
    "ulimits",
    "volumes",
}
HEALTH_KEYS = {"disable", "interval", "retries", "start_period", "test", "timeout"}
HAPROXY_SECTIONS = {"backend", "defaults", "frontend", "global", "resolvers"}
HAPROXY_WORDS = {
    "balance",
    "bind",
    "default-server",
    "default_backend",
    "hash-type",
    "http-request",
    "maxconn",
    "mode",
    "option",
    "parse-resolv-conf",
    "retries",
    "server",
    "timeout",
}
CADDY_WORDS = {"encode", "reverse_proxy", "health_uri", "health_interval"}
IMAGE_WORDS = {
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "RUN",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
}
"""What our files use of each format: a word that is not here is a mistake, or new and looked up before it is added."""

UNIT = "kingdom-builder.service"
JUDGES = {
    "caddy": ["validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")],
    "check-jsonschema": ["--builtin-schema", "vendor.compose-spec", *map(str, COMPOSE_FILES)],
    "hadolint": [str(DEPLOY / "Containerfile")],
    "haproxy": ["-c", "-f", str(DEPLOY / "haproxy.cfg")],
}
"""Programs that judge a file, with their arguments."""


@pytest.mark.parametrize(("program", "arguments"), JUDGES.items())
def test_programs_that_know_the_format_find_no_fault(program: str, arguments: Sequence[str]) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: the lists of words in this file are all that checks its format")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: nothing else checks the unit")
    unit = (DEPLOY / UNIT).read_text()
    assert re.findall("^ExecStart=(.*)$", unit, re.MULTILINE) == ["/opt/kingdom-builder/bin/kb serve"]
    # systemd wants a program that exists, and nothing is installed in /opt where the tests run.
    (tmp_path / UNIT).write_text(unit.replace("/opt/kingdom-builder/bin/kb", "/bin/true"))
    verify = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT)]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if UNIT in line]) == (0, [])


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.name)
def test_compose_files_have_keys_that_exist_and_name_what_they_declare(file: Path) -> None:
    project = yaml.safe_load(file.read_text())
    assert {key for key in project if not key.startswith("x-")} <= {"services", "networks", "volumes"}
    services = project["services"]
    for name, service in services.items():
        assert service.keys() <= SERVICE_KEYS, name
        assert {"image", "build"} & service.keys(), name
        assert set(service.get("networks", [])) <= set(project.get("networks", {})), name
        assert service.get("healthcheck", {}).keys() <= HEALTH_KEYS, name
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}, (name, needed)
            assert services[needed]["healthcheck"]["test"], (name, needed)
        for source in (volume.split(":")[0] for volume in service.get("volumes", [])):
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in project["volumes"], source
        if "build" in service:
            context = DEPLOY / service["build"]["context"]
            assert (context / service["build"]["dockerfile"]).is_file(), name
        assert all(isinstance(value, str) for value in service.get("environment", {}).values()), name


def test_the_containerfile_is_well_formed() -> None:
    stages: list[str] = []
    last: dict[str, str] = {}
    for word, rest in instructions((DEPLOY / "Containerfile").read_text().splitlines()):
        assert word in IMAGE_WORDS, word
        if word == "FROM":
            stages.append(rest)
            last = {}
        assert stages, "FROM comes first"
        last[word] = rest
        if word in ("CMD", "ENTRYPOINT"):
            assert all(isinstance(each, str) for each in json.loads(rest)), rest
        if word == "HEALTHCHECK":
            assert re.fullmatch(r"(--(interval|timeout|start-period)=\d+s )+CMD \[.*\]", rest)
            python, option, code = json.loads(rest.partition("CMD ")[2])
            assert (python, option) == ("python", "-c")
            compile(code, "HEALTHCHECK", "exec")
        if word == "COPY" and (found := re.match(r"--from=(\S+)", rest)):
            assert any(stage.endswith(f" AS {found[1]}") for stage in stages[:-1]), rest
    assert last["USER"] not in ("root", "0")
    assert json.loads(last["ENTRYPOINT"]) == ["kb"]


def instructions(lines: Iterable[str]) -> list[tuple[str, str]]:
    """The lines of a Containerfile; ours continues none on the next line."""
    words = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in words]


def test_the_image_is_built_without_what_git_ignores() -> None:
    """Both docker and podman read `.dockerignore`; a pattern without a place applies in the first folder only."""
    kept_out = (ROOT / ".dockerignore").read_text().split()
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()]
    patterns = [line[1:] if line.startswith("/") else f"**/{line}" for line in ignored]
    assert [pattern for pattern in [".git", *patterns] if pattern not in kept_out] == []


def test_the_proxy_of_several_servers_has_words_that_exist_and_names_the_servers() -> None:
    sections: dict[str, list[str]] = {}
    servers: list[str] = []
    for line in (DEPLOY / "haproxy.cfg").read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if not line.startswith(" "):
            assert words[0] in HAPROXY_SECTIONS, line
            sections.setdefault(words[0], []).extend(words[1:])
        else:
            assert words[0] in HAPROXY_WORDS, line
        if words[0] == "default_backend":
            assert words[1:] == ["servers"], line
        if words[0] == "server":
            servers.append(words[2])
    assert sections["backend"] == ["servers"]
    services = yaml.safe_load((DEPLOY / "compose.cluster.yaml").read_text())["services"]
    assert servers == [f"{name}:8000" for name in services if name.startswith("node")]


def test_the_proxy_of_one_server_has_words_that_exist() -> None:
    depth = 0
    lines = (line.strip() for line in (DEPLOY / "Caddyfile").read_text().splitlines())
    for line in lines:
        if line and not line.startswith("#"):
            depth -= line == "}"
            word = line.split()[0]
            assert depth == 0 or word in CADDY_WORDS or line == "}", line
            depth += line.endswith("{")
    assert depth == 0


def test_variables_are_those_of_options() -> None:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    known = {variable_of(flag) for action in parser._actions for flag in action.option_strings} | OWN
    for file in DEPLOY.iterdir():
        named = set(re.findall(r"\bKB_[A-Z_]+\b", file.read_text()))
        assert named <= known, file.name


def test_every_file_is_in_the_page_on_operations() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    assert [file.name for file in sorted(DEPLOY.iterdir()) if f"deploy/{file.name}" not in page] == []


def test_routes_that_are_checked_exist() -> None:
    app = (ROOT / "src" / "kingdom_builder" / "server" / "app.py").read_text()
    for file in DEPLOY.iterdir():
        for route in re.findall(r"/api/\w+", file.read_text()):
            assert f'"{route}"' in app, (file.name, route)


def test_the_proxy_leaves_pages_to_the_server_that_ends_and_finds_new_addresses() -> None:
    lines = [line.split("#")[0].split() for line in (DEPLOY / "haproxy.cfg").read_text().splitlines()]
    (checked,) = [words for words in lines if words[:1] == ["default-server"]]
    assert "on-marked-down" not in checked, "it would cut pages before the server has sent them away"
    assert ["resolvers", checked[checked.index("resolvers") + 1]] in lines
    assert "none" in checked[checked.index("init-addr") + 1].split(","), "a server may not be there yet"


def test_the_page_on_scale_is_made_from_its_figures() -> None:
    assert make_scale.PAGE.read_text() == make_scale.page(json.loads(make_scale.FIGURES.read_text()))
