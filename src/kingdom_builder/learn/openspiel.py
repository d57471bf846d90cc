"""The OpenSpiel game `python_kingdom_builder`. Importing this module registers it; needs the extra `learn`.

    import pyspiel
    import kingdom_builder.learn.openspiel
    game = pyspiel.load_game("python_kingdom_builder(players=3,sets=base+nomads,seed=7)")

Players choose the numbers of `kingdom_builder.encoding`; a card that is drawn is a chance node with one outcome for
each terrain in the draw pile. A game object is one setup, since OpenSpiel asks for the same start each time: another
seed is another setup.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel is missing: pip install 'kingdom-builder[learn]'") from error

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.encoding import ACTIONS, GOALS, PLANES, VECTOR_SIZE, Encoder
from kingdom_builder.hexes import COLS, ROWS, bits
from kingdom_builder.learn.games import rewards
from kingdom_builder.notation import action_text, parse_position, position_of
from kingdom_builder.notation.positions.reading import parse_stored_position
from kingdom_builder.rules import DRAWING, DRAWN, EVERYTHING, Action, Observation, Perspective, State, seen_by
from kingdom_builder.rules.observation import seen_hands
from kingdom_builder.rules.state import HAND, HIDDEN

NAME = "python_kingdom_builder"

PARAMETERS: dict[str, int | str] = {"players": 2, "sets": "base", "seed": 0, "options": "", "position": ""}
"""The parameters with their defaults. `sets` and `options` are keys with `+` between, `sets` may be `all`.

With a position the other parameters do not matter. OpenSpiel's own strings cannot hold one as it is, so `quoted` writes
it in another way; a dict of parameters may hold either form.
"""

MOST_DECISIONS, MOST_DRAWS = 1000, 200
"""What a seat never reaches in a game. Random games with all boxes have a tenth of it."""

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Kingdom Builder",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


def quoted(position: str) -> str:
    """A position as a parameter in OpenSpiel's strings, which give `,`, `(`, `)` and `=` a meaning of their own."""
    return quote(position, safe="/ :;|!'?+*~#<>")


class Ply:
    """An action of the engine with the states before and after it. Nothing of it changes: copies of a game share it."""

    __slots__ = ("_texts", "action", "after", "before")

    def __init__(self, before: State, action: Action, after: State) -> None:
        self.before, self.action, self.after = before, action, after
        self._texts: dict[Perspective, str] = {}

    def seen_by(self, perspective: Perspective) -> str:
        """The action as somebody saw it: a card that is drawn to a hidden hand is `=?`.

        If it changes what is seen of the hands or of the discard pile, both follow in brackets.
        """
        text = self._texts.get(perspective)
        if text is None:
            before = self.before
            if self.action in DRAWN and before.awaiting == HAND and perspective not in (before.player, EVERYTHING):
                text = f"={HIDDEN}"
            else:
                text = action_text(before.setup, self.action)
            cards = _open_cards(self.after, perspective)
            if cards != _open_cards(before, perspective):
                text += f" [{cards}]"
            self._texts[perspective] = text
        return text


def _open_cards(state: State, perspective: Perspective) -> str:
    """The hands and the discard pile as somebody sees them."""
    hands = state.hands if perspective == EVERYTHING else seen_hands(state, perspective)[0]
    return f"{'/'.join(hands)} {state.discard}"


class Course:
    """A game from its start to where it is now, in a form that OpenSpiel may copy and store."""

    def __init__(self, start: State, encoder: Encoder) -> None:
        self.start = start
        self.state = start.copy()
        self.encoder = encoder
        self.plies: list[Ply] = []

    def apply(self, action: Action) -> None:
        """Carry out an action, which may be a draw."""
        before = self.state
        after = before.copy()
        after.apply(action)
        self.state = after
        self.plies.append(Ply(before, action, after))

    def __deepcopy__(self, _: dict[int, object]) -> "Course":
        # OpenSpiel clones by deep copies. States that have gone by never change, nor does a setup.
        copy = Course(self.start, self.encoder)
        copy.state = self.state
        copy.plies = self.plies[:]
        return copy

    def __reduce__(self) -> tuple[object, ...]:
        return course_of, (position_of(self.start), tuple(ply.action for ply in self.plies))

    def memory_of(self, perspective: Perspective) -> str:
        """All that somebody has seen: the position at the beginning and every action."""
        start = position_of(seen_by(perspective, self.start))
        return " ".join([start, *[ply.seen_by(perspective) for ply in self.plies]])


@lru_cache(maxsize=64)
def _start_of(position: str) -> tuple[State, Encoder]:
    """The state of a position and the encoder of its setup; what is read again shares both."""
    state = parse_stored_position(position)
    return state, Encoder(state.setup)


def course_of(position: str, actions: tuple[Action, ...] = ()) -> Course:
    """The game that begins from a position and goes on with these actions."""
    course = Course(*_start_of(position))
    for action in actions:
        course.apply(action)
    return course


class KingdomBuilderGame(pyspiel.Game):
    """A setup with its number of players."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        start = _read_start(given)
        self._start, self._encoder = _start_of(position_of(start))
        players = start.setup.players
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=len(CARDS),
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS * players,
        )
        given["players"] = players
        given["position"] = quoted(unquote(str(given["position"])))
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> "KingdomBuilderState":
        """The state before the first action: in a new game the first card is to be drawn."""
        return KingdomBuilderState(self, Course(self._start, self._encoder))

    def max_chance_nodes_in_history(self) -> int:
        return MOST_DRAWS * int(self.num_players())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "KingdomBuilderObserver":
        """What writes a state as numbers and text."""
        if params:
            raise ValueError(f"observer parameters {params}: expected none")
        return KingdomBuilderObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _read_start(params: Mapping[str, Any]) -> State:
    """The state that the parameters ask for."""
    if params["position"]:
        state = parse_position(unquote(str(params["position"])))
        if isinstance(state, Observation):
            raise ValueError("a position with hidden cards: expected one without '?', determinize() makes such a one")
        return state
    sets = ALL_SETS if params["sets"] == "all" else params["sets"].split("+")
    for key in sets:
        if key not in ALL_SETS:
            raise ValueError(f"unknown set {key!r}: expected all, or some of {', '.join(ALL_SETS)} with + between")
    options = params["options"].split("+") if params["options"] else []
    players = int(params["players"])
    if not 2 <= players <= 5:
        raise ValueError(f"{players} players: expected 2 to 5")
    return State(random_setup(Random(f"openspiel {params['seed']}"), players, sets=sets, options=options))


class KingdomBuilderState(pyspiel.State):
    """A moment of a game."""

    def __init__(self, game: KingdomBuilderGame, course: Course) -> None:
        super().__init__(game)
        self.course = course
        """The only attribute: OpenSpiel copies and stores what is here."""

    @property
    def state(self) -> State:
        """The state of the engine, with all cards."""
        return self.course.state

    def current_player(self) -> int:
        state = self.course.state
        if state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if state.awaiting else state.player

    def _legal_actions(self, player: int) -> list[int]:
        """The common numbers of the legal actions, in ascending order."""
        number = self.course.encoder.number
        return sorted([number(action) for action in bits(self.course.state.legal())])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The terrains that may be drawn, each by its place in `CARDS`, with their probabilities."""
        deck = self.course.state.deck
        counts = Counter(deck)
        return [(number, counts[card] / len(deck)) for number, card in enumerate(CARDS) if counts[card]]

    def _apply_action(self, action: int) -> None:
        self.course.apply(self._engine_action(action, self.course.state.awaiting is not None))

    def _engine_action(self, action: int, is_draw: bool) -> Action:
        return DRAWING[CARDS[action]] if is_draw else self.course.encoder.action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """The move in notation, such as `k7`, `paddock` or `.`; a draw is `=C`."""
        return action_text(self.course.state.setup, self._engine_action(action, player == pyspiel.PlayerId.CHANCE))

    def is_terminal(self) -> bool:
        return self.course.state.over

    def returns(self) -> list[float]:
        """The share of the victory: 1 for the winner, 0 in sum; 0 for all while the game goes on."""
        state = self.course.state
        return rewards(state) if state.over else [0.0] * state.setup.players

    def __str__(self) -> str:
        """The position, with all cards."""
        return position_of(self.course.state)


class KingdomBuilderObserver:
    """What somebody sees of a state, as numbers and as text."""

    def __init__(self, kind: Any) -> None:
        if not kind.public_info:
            raise ValueError("an observer of hidden cards alone: expected public information too")
        self._private = kind.private_info
        self._recalls = bool(kind.perfect_recall)
        shapes = {"planes": (len(PLANES), ROWS, COLS), "vector": (VECTOR_SIZE,), "goal": (len(GOALS),)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for part, (name, shape) in zip(parts, shapes.items(), strict=True)}
        """The parts of the tensor by name: what `kingdom_builder.encoding` writes, without the mask of actions."""

    def _perspective(self, player: int) -> Perspective:
        if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return player
        return EVERYTHING if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else None

    def set_from(self, state: KingdomBuilderState, player: int) -> None:
        """Write what a seat sees into `tensor` and `dict`."""
        course = state.course
        found = course.encoder.observation(course.state, self._perspective(player))
        for name, part in self.dict.items():
            part[...] = found[name]

    def string_from(self, state: KingdomBuilderState, player: int) -> str:
        """The position as a seat sees it; with perfect recall, all that it has seen since the start."""
        perspective, course = self._perspective(player), state.course
        return course.memory_of(perspective) if self._recalls else position_of(seen_by(perspective, course.state))


pyspiel.register_game(_TYPE, KingdomBuilderGame)
