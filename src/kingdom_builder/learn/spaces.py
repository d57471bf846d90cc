"""The spaces of the environments: the same for every setup and number of players."""

import numpy as np
from gymnasium import spaces

from kingdom_builder.encoding import ACTIONS, GOALS, PLANES, VECTOR_SIZE
from kingdom_builder.encoding.layouts import AXIAL_COLS
from kingdom_builder.hexes import COLS, ROWS


def action_space(seed: int | None = None) -> spaces.Discrete:
    """All actions by their common numbers."""
    return spaces.Discrete(ACTIONS, seed=seed)


def observation_space(*, axial: bool = False) -> spaces.Dict:
    """What a seat sees, as `Encoder.observation` writes it; `axial` is about the form of the planes."""
    columns = AXIAL_COLS if axial else COLS
    return spaces.Dict(
        {
            "planes": spaces.Box(0, 255, (len(PLANES), ROWS, columns), np.uint8),
            "vector": spaces.Box(-64, 64, (VECTOR_SIZE,), np.float32),
            "goal": spaces.MultiBinary(len(GOALS)),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def state_space() -> spaces.Box:
    """Everything, hidden cards too, as one array: for critics that see more than the players."""
    return spaces.Box(-64, 255, (len(PLANES) * ROWS * COLS + VECTOR_SIZE + len(GOALS),), np.float32)
