"""The HTTP part as its OpenAPI description has it, with answers for every request that can be."""

import logging
from random import Random

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kingdom_builder.server.app import make_app
from kingdom_builder.server.hall import Hall
from kingdom_builder.server.settings import Settings

hall = Hall(Settings(tables_per_minute=10**9, max_tables=10**9), Random(1))
hall.bots.watch = lambda table: None  # type: ignore[method-assign]
schema = schemathesis.openapi.from_asgi("/api/openapi.json", make_app(hall))

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@schema.parametrize()
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_interface_is_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)
