"""The HTTP part as its OpenAPI description has it, with answers for every possible request."""

from typing import Any

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
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables
from server.client import Server

schema = schemathesis.openapi.from_dict(make_app(Tables(Settings())).openapi())

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@schema.parametrize()
@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))  # pyright: ignore[reportArgumentType]
def test_the_interface_is_as_described(case: schemathesis.Case[Any], server: Server) -> None:
    case.call_and_validate(base_url=server.address, checks=CHECKS)
