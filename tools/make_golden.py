"""Writes the golden records: whole random games whose final scores CI compares. Run by `make golden`."""

from itertools import count
from pathlib import Path
from random import Random

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, COMPONENTS, OPTIONS, first_game, random_setup, sections_of
from kingdom_builder.notation import Record
from kingdom_builder.players import random_action
from kingdom_builder.rules import USE, Card, ExtraAction, Setup, State, random_draw

FOLDER = Path(__file__).parent.parent / "tests" / "golden"
BASE_GAMES = 48
BASE_OPTIONS = ("excludeLords", "lordsNeedPresence", "redrawOnlyForMandatory")


def base_setup(game: int, rng: Random) -> Setup:
    """Two to five players in turn; every third game has an option switched on.

    The first four are first games; the last ten are played on a single section, where space and cards run out.
    """
    players = 2 + game % 4
    options = [BASE_OPTIONS[game // 3 % len(BASE_OPTIONS)]] if game % 3 == 2 else []
    if game < 4:
        return first_game(players, options)
    if game < BASE_GAMES - 10:
        return random_setup(rng, players, options=options)
    section = rng.choice(list(sections_of(["base"]).values()))
    return random_setup(rng, players, board=Board(section.rows, section.locations), options=options)


def play(setup: Setup, rng: Random) -> Record:
    start = State(setup)
    state = start.copy()
    actions = []
    while not state.over:
        action = random_draw(state, rng.random) if state.awaiting else random_action(state, rng.random)
        actions.append(action)
        state.apply(action)
    return Record.of(start, actions)


def shown_by(record: Record) -> set[str]:
    """The keys of everything printed that is used, taken or paid in a record."""
    state = record.start.copy()
    setup = state.setup
    shown = set()
    for action in record.actions():
        before = state.copy()
        state.apply(action)
        if action >= USE:
            shown.add(setup.actions[action - USE].key)
        if state.acting is not None:
            shown.add(state.acting.key)
        for seat in range(setup.players):
            for tile, kind in enumerate(setup.tile_kind):
                if (state.taken[seat] & ~before.taken[seat]) >> tile & 1 and not setup.actions[kind].legal(before):
                    shown.add(setup.actions[kind].key)
    return shown | {
        card.key for card in setup.scoring if any(card.score(state, seat)[0] for seat in range(setup.players))
    }


def wanted() -> set[str]:
    """The keys of everything printed."""
    return {component.key for component in COMPONENTS if isinstance(component, (Card, ExtraAction))}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.kbr"):
        old.unlink()
    missing = wanted()
    for game in range(BASE_GAMES):
        rng = Random(f"golden {game}")
        record = play(base_setup(game, rng), rng)
        missing -= shown_by(record)
        (FOLDER / f"{game:02}.kbr").write_text(str(record), "utf-8")
    kept = 0
    for game in count():
        rng = Random(f"golden all {game}")
        options = [sorted(OPTIONS)[game % len(OPTIONS)]] if game % 3 == 2 else []
        record = play(random_setup(rng, 2 + game % 4, sets=ALL_SETS, options=options), rng)
        if kept < 20 or missing & shown_by(record):
            missing -= shown_by(record)
            (FOLDER / f"all-{kept:02}.kbr").write_text(str(record), "utf-8")
            kept += 1
        if kept >= 20 and not missing:
            return


if __name__ == "__main__":
    main()
