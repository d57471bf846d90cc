"""Writes the golden records: whole random games whose final scores CI compares. Run by `make golden`."""

from pathlib import Path
from random import Random

from kingdom_builder.board import Board
from kingdom_builder.content import OPTIONS, first_game, playable_sections, random_setup
from kingdom_builder.notation import Record
from kingdom_builder.players import random_action
from kingdom_builder.rules import Setup, State, random_draw

FOLDER = Path(__file__).parent / "golden"
GAMES = 48


def setup_of(game: int, rng: Random) -> Setup:
    """Two to five players in turn; every third game has an option switched on.

    The first four are first games; the last ten are played on a single section, where space and cards run out.
    """
    players = 2 + game % 4
    options = [sorted(OPTIONS)[game // 3 % len(OPTIONS)]] if game % 3 == 2 else []
    if game < 4:
        return first_game(players, options)
    if game < GAMES - 10:
        return random_setup(rng, players, options=options)
    section = rng.choice(list(playable_sections().values()))
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


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in range(GAMES):
        rng = Random(f"golden {game}")
        (FOLDER / f"{game:02}.kbr").write_text(str(play(setup_of(game, rng), rng)), "utf-8")


if __name__ == "__main__":
    main()
