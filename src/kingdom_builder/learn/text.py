"""The game in words: a text environment for language models, and the game behind it.

>>> environment = TextEnvironment(opponents=["greedy"], seat=0)
>>> text = environment.reset(seed=7)
>>> text.splitlines()[0]
'You are seat A of 2. Seat B is played by greedy.'
>>> text, reward, done = environment.step("nonsense")
>>> text.splitlines()[0][:59], reward, done
("Not played: 'nonsense'. 'nonsense' is not an action: expect", 0.0, False)
"""

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from random import Random
from typing import Any

from rich.console import Console

from kingdom_builder.board.terrain import terrain_name
from kingdom_builder.content import OPTIONS
from kingdom_builder.drawing.text import table
from kingdom_builder.game import Game
from kingdom_builder.hexes import AREA, bits, hex_name, hex_names
from kingdom_builder.learn.games import Games, Reward, check_opponents, rewards, start_of
from kingdom_builder.message import quoted, seat_letter
from kingdom_builder.notation import NotationError, action_text, position_of
from kingdom_builder.players import GuardedPlayer, find_hints, shown_name
from kingdom_builder.rules import (
    CHOSEN,
    DONE,
    END,
    KEPT_RULINGS,
    OTHER,
    USE,
    Action,
    Component,
    Observation,
    Setup,
    State,
    observe,
    scores,
)
from kingdom_builder.rules.reasons import prompt

MOST_MOVES, LONGEST_MOVES = 50, 1000
"""The most moves and characters that are read at once."""

WIDTH = 150
"""Characters in a line of a board with what stands beside it."""

HOW_TO_PLAY = """\
In your turn you build 3 settlements on free hexes of your terrain card, next to your own settlements where you can.
Before or after that you may use each of your tiles once. Then you end your turn, and a card is drawn by itself.
When somebody has no settlement left, the round is played to its end. Then the most gold wins.
A hex is a column and a row: a1 is top left. Rows with an even number are shifted half a hex to the right, so the
neighbours of c3 are b3, d3, b2, c2, b4 and c4, and those of c4 are b4, d4, c3, d3, c5 and d5.
Write moves with spaces between: `k7` builds on k7, or chooses it in an action; `paddock` begins the action of that
tile, and `paddock:k7-m7` is the whole action; `!C` plays the canyon card of several; `.` ends your turn.
In a position G C D F T are grass, canyon, desert, flower field and forest; ? is a card that you may not see."""

BOARD_LEGEND = """\
Each hex has two characters: who stands there (A to E) or * if you may choose it now, then its terrain: \
g c d f t as cards, a farmland, ~ water, ^ mountain, o cave, ## castle, @@ capitol, other letters a location or tile."""


class TextGame:
    """A game in which one seat is played by text and the others by bots, told as that seat sees it."""

    def __init__(self, start: Setup | State, seat: int, opponents: Sequence[str], rng: Random) -> None:
        """`opponents` are names of players, one for each other seat; they start over if they are few."""
        state = State(start) if isinstance(start, Setup) else start
        players = state.setup.players
        if not 0 <= seat < players:
            raise ValueError(f"seat {seat}: expected 0 to {players - 1}")
        self.seat = seat
        others = [other for other in range(players) if other != seat]
        names = [opponents[number % len(opponents)] for number in range(len(others))]
        self._names = dict(zip(others, names, strict=True))
        self._bots = {other: GuardedPlayer(name, rng.getrandbits(32)) for other, name in self._names.items()}
        self._faults: list[str] = []
        self._told = 0
        """How many actions `news` has told."""
        self.game = Game(state, rng.getrandbits(32))
        self._let_others_play()

    @property
    def over(self) -> bool:
        return self.game.over

    def close(self) -> None:
        """End the programs that play."""
        for bot in self._bots.values():
            bot.close()

    # ---- playing -------------------------------------------------------------------------------------------------

    def play(self, text: str) -> str | None:
        """Play moves one after the other, then let the others play; returns why a move was not played, if so.

        The moves before it stay played.
        """
        moves = text.split()
        if not moves:
            return "No move was given: expected one of the legal moves."
        if len(moves) > MOST_MOVES or len(text) > LONGEST_MOVES:
            return f"Too much at once: expected at most {MOST_MOVES} moves and {LONGEST_MOVES} characters."
        turn = self.game.turn
        problem = None
        for number, move in enumerate(moves):
            rest = " ".join(moves[number:])
            if self.game.over or self.game.turn != turn:
                problem = f"Not played, since your turn was over: {quoted(rest)}."
                break
            try:
                self.game.play(move)
            except NotationError as error:
                problem = f"Not played: {quoted(rest)}. {error.message}"
                break
        self._let_others_play()
        return problem

    def _let_others_play(self) -> None:
        game = self.game
        while not game.over and game.player != self.seat:
            bot, name = self._bots[game.player], self._names[game.player]
            was_sound = bot.fault is None
            bot.prepare()
            bot.follow(game)
            action = bot.choose(observe(game.state, game.player))
            if was_sound and bot.fault:
                self._faults.append(f"{name} of seat {seat_letter(game.player)} {bot.fault}: another plays on for it.")
            game.apply(action)
            game.draw()

    def undo(self, *, whole_turn: bool = False) -> None:
        """Take back the last action, or as much of the turn as possible. Raises Refusal if it must stay."""
        if whole_turn:
            self.game.undo_turn()
        else:
            self.game.undo()
        self._told = min(self._told, len(self.game.plies))

    # ---- telling -------------------------------------------------------------------------------------------------

    def introduction(self) -> str:
        """Who plays, how moves are written, and the rules in play."""
        others = ", ".join(
            f"seat {seat_letter(seat)} is played by {shown_name(name)}" for seat, name in self._names.items()
        )
        who = f"You are seat {seat_letter(self.seat)} of {self.game.setup.players}. {others[:1].upper()}{others[1:]}."
        return "\n".join([who, HOW_TO_PLAY, self.rules()])

    def rules(self) -> str:
        """What is printed on the cards, tiles and pieces in play, and the options in force."""
        setup = self.game.setup
        lines = ["Gold is paid for:", *self._printed(setup.scoring), "Tiles and what they do:"]
        lines += [*self._printed(setup.actions), *self._printed(setup.finales)]
        lines += [f"- {kind.name} (a piece): {kind.text}" for kind in setup.piece_kinds if kind.text]
        lines += [f"- Option in force: {(OPTIONS | KEPT_RULINGS)[key]}" for key in sorted(setup.options)]
        return "\n".join(lines)

    def _printed(self, components: Sequence[Component]) -> list[str]:
        special = self.game.setup.board.special_kinds
        return [f"- {each.name} ({each.key}): {each.text_for(special)}" for each in components]

    def news(self) -> str:
        """What has happened since it was last asked, as the seat saw it; empty if nothing has."""
        lines = [*self._faults, *map(str, self.game.log(self.seat, self._told))]
        self._faults = []
        self._told = len(self.game.plies)
        return "\n".join(lines)

    def position(self) -> str:
        """The position line as the seat sees it, and what to do now."""
        return f"Position: {position_of(self._seen())}\n{self.prompt()}"

    def prompt(self) -> str:
        """What to choose now; who has won, if the game is over."""
        game = self.game
        if not game.over:
            last = " This is the last round." if game.state.ending else ""
            return f"Round {game.state.round}, seat {seat_letter(self.seat)} plays.{last} {prompt(game.state)}"
        best = [seat_letter(seat) for seat in game.winners()]
        return f"The game is over: {' and '.join(best)} {'win' if len(best) > 1 else 'wins'}."

    def board(self) -> str:
        """The board drawn with characters, with the seats, cards and tiles beside it."""
        seen = self._seen()
        page = StringIO()
        Console(file=page, width=WIDTH, color_system=None, highlight=False).print(table(seen, seen.legal() & AREA))
        return "\n".join([*(line.rstrip() for line in page.getvalue().splitlines()), BOARD_LEGEND])

    def scores(self) -> str:
        """The gold of each seat now, by card, with the hexes that pay."""
        lines = []
        for seat in range(self.game.setup.players):
            score = self.game.breakdown(seat)
            you = " (you)" if seat == self.seat else ""
            lines.append(f"Seat {seat_letter(seat)}{you}: {sum(line.gold for line in score)} gold")
            lines += [
                f"- {line.card.name} {line.gold}: {' '.join(hex_names(line.hexes)) or 'no hex'}" for line in score
            ]
        return "\n".join(lines)

    def why_not(self, move: str) -> str:
        """Why a move is not legal now; or that it is."""
        if len(move) > LONGEST_MOVES:
            return f"A move of {len(move)} characters: expected at most {LONGEST_MOVES}."
        reason = self.game.why_not(move)
        return f"{quoted(move)} is legal now." if reason is None else str(reason)

    def hints(self) -> str:
        """A few good turns with the gold to expect and reasons; found without hidden cards."""
        found = find_hints(self._seen())
        return "\n".join(map(str, found)) or "No hint: the game is over."

    def legal_moves(self) -> str:
        """The legal moves with what they mean, and with what they bring at once."""
        seen = self._seen()
        legal = seen.legal()
        if not legal:
            return "No legal moves: the game is over."
        return "\n".join([f"Legal moves ({legal.bit_count()}):", *self._hexes(seen), *self._choices(seen)])

    def _hexes(self, seen: Observation) -> Iterator[str]:
        """The hexes to choose, together where they bring the same at once."""
        groups: dict[str, list[str]] = {}
        gold = scores(seen)[self.seat]
        for h in bits(seen.legal() & AREA):
            groups.setdefault(_effect(seen, h, self.seat, gold), []).append(hex_name(h))
        for effect, hexes in sorted(groups.items()):
            acting = seen.acting
            what = f"build on {terrain_name(seen.card)}" if acting is None else f"choose for the {acting.name}"
            yield f"- {what}{effect}: {' '.join(hexes)}"

    def _choices(self, seen: Observation) -> Iterator[str]:
        """The legal moves that are no hexes."""
        for action in bits(seen.legal() & ~AREA):
            yield f"- {action_text(seen.setup, action)} {self._meaning(seen, action)}"

    def _meaning(self, seen: Observation, action: Action) -> str:
        if action == END:
            return "ends your turn"
        if action in CHOSEN:
            return f"plays your {terrain_name(CHOSEN[action])} card"
        if action in (DONE, OTHER) and seen.acting is not None:
            return str(seen.acting.describe_option(seen, action))
        extra = seen.setup.actions[action - USE]
        return f"uses the {extra.name}: {extra.text_for(seen.setup.board.special_kinds)}"

    def _seen(self) -> Observation:
        return observe(self.game.state, self.seat)

    def view(self) -> str:
        """All that is needed to choose: position, prompt, gold and legal moves."""
        parts = [self.position(), self.scores()]
        return "\n".join(parts if self.over else [*parts, self.legal_moves()])


def _effect(seen: Observation, action: Action, seat: int, gold_before: int) -> str:
    """What an action brings its seat at once, tiles and gold, as the end of a sentence; empty if nothing."""
    after = seen.until_next_draw()
    after.apply(action)
    setup = seen.setup
    taken = [setup.actions[setup.tile_kind[tile]].name for tile in bits(after.taken[seat] & ~seen.taken[seat])]
    gold = sum(card.score(after, seat)[0] for card in setup.scoring) - gold_before
    return "".join([*(f", take the {name} tile" for name in taken), f", {gold:+} gold" if gold else ""])


class TextEnvironment:
    """One seat of a game, played by text. `step` goes on until that seat has to choose again, or the game is over."""

    def __init__(
        self,
        opponents: Sequence[str] = ("greedy",),
        sets: Sequence[str] = ("base",),
        *,
        seat: int | None = None,
        games: Games | None = None,
        reward: Reward = "victory",
    ) -> None:
        """`opponents` are names of players, one for each other seat; where `games` has more seats they start over.

        Without `seat` the seat is drawn at random in each game.
        """
        self._opponents = check_opponents(opponents)
        self._games = games or Games(len(self._opponents) + 1, tuple(sets))
        self._seat = seat
        self._reward: Reward = reward
        self._rng = Random()
        self.game: TextGame | None = None
        """The game that is played, for more questions: `why_not`, `board`, `scores`, `hints`, `undo`."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> str:
        """Begin a game; returns the rules in play and what there is to choose.

        The seed decides the setup, the cards and what the others choose. `options` may have a `setup`, or a `position`
        as text, in place of a new setup.
        """
        if seed is not None:
            self._rng = Random(seed)
        options = options or {}
        if unknown := options.keys() - {"setup", "position"}:
            raise ValueError(f"reset options {', '.join(sorted(unknown))}: expected setup or position")
        start = start_of(self._games, self._rng, options)
        players = start.players if isinstance(start, Setup) else start.setup.players
        seat = self._rng.randrange(players) if self._seat is None else self._seat
        self.close()
        game = self.game = TextGame(start, seat, self._opponents, self._rng)
        return "\n".join(filter(None, [game.introduction(), game.news(), game.view()]))

    def step(self, move: str) -> tuple[str, float, bool]:
        """Play a move, or several with spaces between; returns what happened and what to choose, the reward, the end.

        A move that is not legal changes nothing: the text begins with the reason.
        """
        game = self.game
        if game is None or game.over:
            raise ValueError("no game to play: call reset() first")
        problem = game.play(move)
        text = "\n".join(filter(None, [problem, game.news(), game.view()]))
        reward = rewards(game.game.state, self._reward)[game.seat] if game.over else 0.0
        return text, reward, game.over

    def close(self) -> None:
        """End the programs that play."""
        if self.game is not None:
            self.game.close()
