"""The Queenies: Capitol and Caves."""

from kingdom_builder.content.box import Box
from kingdom_builder.content.queenies.capitol import Capitols, put_capitols
from kingdom_builder.content.queenies.caves import CaveMove, put_caves

CAPITOL = Box("capitol", "Capitol", always=(Capitols(),), prepare=put_capitols)
CAVES = Box("caves", "Caves", always=(CaveMove(),), prepare=put_caves)
