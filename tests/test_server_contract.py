"""The server against its own OpenAPI document: generated requests, every reply as documented."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("schemathesis", reason="the extra 'test' is not installed")

import schemathesis
from schemathesis import GenerationMode, checks

from conftest import PATIENCE
from vividmem_extras.server.app import create_app
from vividmem_extras.server.settings import Settings

DOCUMENT = create_app(Settings(folder=Path("unused"), token="x" * 20)).openapi()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations()}


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_reply_is_as_documented(label, server, long):
    """Requests that fit the schema and some that do not.

    Not checked: that all that fits it is taken. Blank names, say, fit it.
    """
    modes = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE])

    @settings(
        max_examples=100 if long else 8, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.data())
    def ask(data):
        case = data.draw(OPERATIONS[label].as_strategy(generation_mode=data.draw(modes)))
        case.call_and_validate(
            base_url=server.address,
            headers={"Authorization": f"Bearer {server.token}"},
            timeout=PATIENCE,
            excluded_checks=[checks.positive_data_acceptance],
        )

    ask()


def test_every_operation_has_a_summary_a_tag_and_its_refusals(client):
    told = client.ask("GET", "/openapi.json").json
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, methods in told["paths"].items():
        for operation in methods.values():
            assert operation["description"] and operation["tags"], path
            if path != "/healthz":
                assert {"200", "401", "403", "422"} <= operation["responses"].keys(), path


def test_examples_of_the_document_are_taken_by_the_server(client, who):
    told = client.ask("GET", "/openapi.json").json
    schemas = told["components"]["schemas"]
    for route in ("reflection", "impression", "fact", "preference", "observe", "query", "mood"):
        body = told["paths"][f"/api/memory/{route}"]["post"]["requestBody"]
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        fields = schemas[name]["properties"].items()
        example = {key: one["examples"][0] for key, one in fields if "examples" in one}
        reply = client.post(f"/{route}", **{**example, "character": who})
        assert reply.status == 200, (route, reply.content)
