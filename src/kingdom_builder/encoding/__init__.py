"""Games as arrays for networks: the same numbers of actions in every setup, and what a seat sees as planes.

Needs numpy (the extra `learn`).
"""

from kingdom_builder.encoding.decoder import decode
from kingdom_builder.encoding.encoder import Arrays, Encoder
from kingdom_builder.encoding.layouts import EDGES, to_axial, to_graph
from kingdom_builder.encoding.spaces import (
    ACTIONS,
    EXTRA_ACTIONS,
    GOALS,
    PLANES,
    VECTOR,
    VECTOR_SIZE,
    VERSION,
    VersionMismatch,
    check_version,
)

__all__ = [
    "ACTIONS",
    "EDGES",
    "EXTRA_ACTIONS",
    "GOALS",
    "PLANES",
    "VECTOR",
    "VECTOR_SIZE",
    "VERSION",
    "Arrays",
    "Encoder",
    "VersionMismatch",
    "check_version",
    "decode",
    "to_axial",
    "to_graph",
]
