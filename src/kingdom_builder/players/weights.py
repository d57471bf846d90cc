"""The weights of the features of `evaluation.py`, in gold.

They were first written by hand. Then two rounds of 2,400 and 1,600 games were played between players whose weights were
all changed at random, up for one player where they went down for the other. A regression of the lead on these changes
showed which to change; in the second round it found nothing more to gain. A third of 6,000 games followed when access
was counted by settlements to come instead of rounds. Weights fitted to the final gold of 1,200 games, or to the results
of trials of 450 turns, predicted gold better (9.0 off instead of 10.8) but did not win more games.
"""

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "builds": 0.3,
    "tile.nomad": 2.0,
    "tile.building": 0.15,
    "tile.moving": 0.7,
    "tile.other": 0.5,
    "best.soon": 0.5,
    "best.late": 0.55,
    "all.soon": 0.1,
    "all.late": 0.1,
    "open.soon": 0.6,
    "open.late": 0.6,
    "space.soon": 0.0,
    "space.late": 0.1,
    "wanted.soon": 0.3,
    "wanted.late": 0.4,
}
