"""The weights of the features of `judgement.py`."""

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
