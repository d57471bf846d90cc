"""The weights of the features of `judgement.py`, in gold.

They are hand-made. Weights fitted to the final gold of 1,200 games, or to what trials of 450 turns brought, predicted
gold better (9.0 instead of 10.8 off) but did not win more games (50 % of 100, 48 % of 200): so the simple ones stay.
"""

WEIGHTS: dict[str, float] = {
    "builds": 0.8,
    "progress": 1.0,
    "tile.nomad": 2.0,
    "tile.building": 0.3,
    "tile.moving": 0.7,
    "tile.other": 0.5,
    "best.soon": 0.5,
    "best.late": 0.5,
    "all.soon": 0.1,
    "all.late": 0.1,
    "open.soon": 0.6,
    "open.late": 0.6,
    "wanted.soon": 0.35,
    "wanted.late": 0.35,
}
