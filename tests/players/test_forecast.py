"""The gold that hints and replays show is about the gold that players end with."""

from collections import defaultdict
from random import Random
from statistics import fmean

from test_players import start

from kingdom_builder.players import make_player
from kingdom_builder.players.hints import forecast
from kingdom_builder.rules import observe, random_draw, scores

GAMES, LAST_ROUND, MOST_OFF = 20, 8, 5
"""`MOST_OFF` leaves room for the luck of so few games: in 60 the mean is off by 3 gold at most."""


def test_the_forecast_is_right_on_average_in_every_round() -> None:
    missing: dict[int, list[float]] = defaultdict(list)
    for seed in range(GAMES):
        state, rng = start(2, seed=seed), Random(seed)
        bots = [make_player("hard:60n", f"{seed} {seat}") for seat in range(2)]
        expected: dict[int, list[float]] = {}
        while not state.over:
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            expected.setdefault(state.round, forecast(state))
            state.apply(bots[state.player].choose(observe(state, state.player)))
        for number, forecasts in expected.items():
            missing[number] += [gold - each for gold, each in zip(scores(state), forecasts, strict=True)]
    means = {number: fmean(missing[number]) for number in range(1, LAST_ROUND + 1)}
    assert max(map(abs, means.values())) < MOST_OFF, means
