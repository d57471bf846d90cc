"""The start of a server: `tools/compare_start.py` measures it, here is what made it slow once, or would."""

import subprocess
import sys

from kingdom_builder.server.errors import REFUSALS

ONLY_FOR_SOME = {"aiosmtplib", "asyncpg", "cryptography", "http_ece", "openskill", "prometheus_client", "webauthn"}

START = """
import sys
from kingdom_builder.server.serve import make_app
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables
make_app(Tables(Settings()))
print(*sys.modules)
"""


def test_packages_that_only_some_servers_need_are_not_loaded() -> None:
    loaded = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True).stdout.split()
    assert "fastapi" in loaded
    assert ONLY_FOR_SOME & set(loaded) == set()


def test_a_route_gets_one_model_for_all_of_its_refusals() -> None:
    """Eleven for each of 65 routes were most of the start."""
    assert sum("model" in refusal for refusal in REFUSALS.values()) == 1
