"""Figures for Prometheus."""

from prometheus_client.parser import text_string_to_metric_families

from server.inside import World, run, world


async def figures(inside: World) -> dict[str, float]:
    answer = await inside.http.get("/metrics")
    assert answer.status_code == 200, answer.text
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(answer.text):
        found |= {sample.name: sample.value for sample in family.samples if "le" not in sample.labels}
    return found


def test_figures_say_what_has_happened() -> None:
    async def test() -> None:
        async with world(metrics=True) as inside:
            made = await inside.make()
            page = await inside.page(*made["seats"])
            await page.ask(type="say", seat=0, text="hello")
            await page.ask(type="say", seat=7, text="hello")
            found = await figures(inside)
            assert (found["kb_tables"], found["kb_tables_in_memory"], found["kb_sockets"]) == (1, 1, 1)
            assert found["kb_commit_seconds_count"] == 1
            assert found["kb_acknowledgement_seconds_count"] >= 1
            assert (found["kb_conflicts_total"], found["kb_deaf_total"], found["kb_cut_off"]) == (0, 0, 0)

    run(test())


def test_there_are_none_by_default() -> None:
    async def test() -> None:
        async with world() as inside:
            answer = await inside.http.get("/metrics")
            assert "kb_tables" not in answer.text

    run(test())
