"""Whole games, replayed: the final scores are those that were written down."""

from pathlib import Path

import pytest
from make_golden import shown_by, wanted

from kingdom_builder.notation import Record, parse_record, score_text
from kingdom_builder.rules.invariants import check

RECORDS = sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))


def test_there_are_enough_records() -> None:
    assert len(RECORDS) >= 60


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record(path: Path) -> None:
    text = path.read_text("utf-8")
    record = parse_record(text)
    final = record.game(draws=False).state
    check(final)
    assert final.over
    assert score_text(final) == record.tags["Score"]
    assert str(Record.of(record.start, record.actions(), record.tags)) == text


def test_the_records_show_everything_printed() -> None:
    records = [parse_record(path.read_text("utf-8")) for path in RECORDS]
    assert set().union(*map(shown_by, records)) >= wanted()
    assert {record.start.setup.players for record in records} == {2, 3, 4, 5}
