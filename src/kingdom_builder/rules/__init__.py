"""The rules: state, turn flow, legal actions, chance, observation, scoring, events."""

from kingdom_builder.rules.actions import DRAW, DRAWING, DRAWN, END, USE, Action, ActionSet
from kingdom_builder.rules.chance import random_draw
from kingdom_builder.rules.errors import HiddenCard, IllegalAction
from kingdom_builder.rules.events import Event, events
from kingdom_builder.rules.observation import Observation, determinize, observe
from kingdom_builder.rules.perft import divide, perft
from kingdom_builder.rules.printed import BuildingLocation, Card, Location, MovingLocation, Printed
from kingdom_builder.rules.scoring import ScoreLine, breakdown, scores, winners
from kingdom_builder.rules.setup import Setup
from kingdom_builder.rules.state import State

__all__ = [
    "DRAW",
    "DRAWING",
    "DRAWN",
    "END",
    "USE",
    "Action",
    "ActionSet",
    "BuildingLocation",
    "Card",
    "Event",
    "HiddenCard",
    "IllegalAction",
    "Location",
    "MovingLocation",
    "Observation",
    "Printed",
    "ScoreLine",
    "Setup",
    "State",
    "breakdown",
    "determinize",
    "divide",
    "events",
    "observe",
    "perft",
    "random_draw",
    "scores",
    "winners",
]
