"""The rules: state, turn flow, legal actions, chance, observation, scoring, events."""

from kingdom_builder.rules.actions import (
    CHOOSE,
    CHOOSING,
    CHOSEN,
    DONE,
    DRAW,
    DRAWING,
    DRAWN,
    END,
    OTHER,
    USE,
    Action,
    ActionSet,
)
from kingdom_builder.rules.chance import Deal, at_random, drawing_actions, drive, due_draws, random_draw
from kingdom_builder.rules.components import (
    Building,
    Card,
    Component,
    ExtraAction,
    FixedBuilding,
    HexCard,
    LandBuilding,
    Location,
    Moving,
    NomadTile,
    PieceKind,
    StandingAction,
)
from kingdom_builder.rules.errors import HiddenCard, IllegalAction
from kingdom_builder.rules.events import Event, events
from kingdom_builder.rules.observation import EVERYTHING, Observation, Perspective, determinize, observe, seen_by
from kingdom_builder.rules.perft import divide, perft
from kingdom_builder.rules.scoring import ScoreLine, breakdown, scores, winners
from kingdom_builder.rules.setup import Setup
from kingdom_builder.rules.shapes import Shape
from kingdom_builder.rules.state import State
from kingdom_builder.rules.turn import Turn, turn_of
from kingdom_builder.rules.versions import KEPT_RULINGS, RULES_VERSION, kept_rulings

__all__ = [
    "CHOOSE",
    "CHOOSING",
    "CHOSEN",
    "DONE",
    "DRAW",
    "DRAWING",
    "DRAWN",
    "END",
    "EVERYTHING",
    "KEPT_RULINGS",
    "OTHER",
    "RULES_VERSION",
    "USE",
    "Action",
    "ActionSet",
    "Building",
    "Card",
    "Component",
    "Deal",
    "Event",
    "ExtraAction",
    "FixedBuilding",
    "HexCard",
    "HiddenCard",
    "IllegalAction",
    "LandBuilding",
    "Location",
    "Moving",
    "NomadTile",
    "Observation",
    "Perspective",
    "PieceKind",
    "ScoreLine",
    "Setup",
    "Shape",
    "StandingAction",
    "State",
    "Turn",
    "at_random",
    "breakdown",
    "determinize",
    "divide",
    "drawing_actions",
    "drive",
    "due_draws",
    "events",
    "kept_rulings",
    "observe",
    "perft",
    "random_draw",
    "scores",
    "seen_by",
    "turn_of",
    "winners",
]
