"""What the texts of a lesson claim about the game, checked against what the page of the learner is sent."""

from collections.abc import Iterator
from typing import Any

LEARNER, RIVAL = 0, 1


class Sight:
    """A moment of a lesson as the learner's page has it: its setup, its view and what pays."""

    def __init__(self, setup: dict[str, Any], view: dict[str, Any], scores: list[dict[str, Any]]) -> None:
        self.setup, self.view, self.scores = setup, view, scores

    def unmet(self, claims: dict[str, Any]) -> list[str]:
        """The claims that do not hold."""
        return [
            f"{name}: {value} is claimed, but it is {found}"
            for name, value in claims.items()
            if not _holds(value, found := getattr(self, f"_{name}")(value))
        ]

    # ---- the words of claims

    def _player(self, _: object) -> int:
        return int(self.view["player"])

    def _round(self, _: object) -> int:
        return int(self.view["round"])

    def _card(self, _: object) -> str:
        return str(self.view["hands"][LEARNER])

    def _builds_left(self, _: object) -> int:
        return int(self.view["builds_left"])

    def _supply(self, _: object) -> int:
        return int(self.view["supply"][LEARNER])

    def _rival_supply(self, _: object) -> int:
        return int(self.view["supply"][RIVAL])

    def _pieces(self, _: object) -> int:
        return len(self._own())

    def _acting(self, _: object) -> object:
        return self.view["acting"]

    def _undo(self, _: object) -> object:
        return self.view["undo"]

    def _ending(self, _: object) -> object:
        return self.view["ending"]

    def _over(self, _: object) -> object:
        return self.view["over"]

    def _winners(self, _: object) -> object:
        """The only kind of list that is not a choice of values."""
        return [self.view["winners"]]

    def _tiles(self, _: object) -> object:
        return [[f"{tile['key']} {tile['status']}" for tile in self.view["tiles"][LEARNER]]]

    def _legal(self, _: object) -> int:
        return len(self._legal_hexes())

    def _not_legal(self, value: list[str]) -> object:
        return [[move for move in value if move not in self.view["legal"]]]

    def _touching(self, _: object) -> object:
        """Whether all legal hexes touch the learner's pieces, or none does; otherwise neither is claimed."""
        touches = {any(near in self._own() for near in _around(h)) for h in self._legal_hexes()}
        return touches.pop() if len(touches) == 1 else None

    def _free(self, _: object) -> bool:
        """Whether every empty hex of the card's terrain is legal, and nothing else."""
        letter, taken = self._card(None), self._everybodys()
        empty = {h for h in self._all_hexes() if self._letter(h) == letter and h not in taken}
        return empty == set(self._legal_hexes())

    def _next_to(self, value: dict[str, str]) -> dict[str, str]:
        """What is claimed of each hex, if it is next to it: a letter of the map, a location, or `own`."""
        return {h: what for h, what in value.items() if any(what in self._what(near) for near in _around(h))}

    def _far_from(self, value: dict[str, str]) -> dict[str, str]:
        return {h: what for h, what in value.items() if not any(what in self._what(near) for near in _around(h))}

    def _only_own_next_to(self, value: dict[str, list[str]]) -> dict[str, list[str]]:
        """All pieces of the learner next to a hex."""
        return {h: sorted(near for near in _around(h) if near in self._own()) for h in value}

    def _distance(self, value: dict[str, int]) -> dict[str, int]:
        """Steps between two hexes."""
        return {pair: _steps(*pair.split()) for pair in value}

    def _area(self, value: dict[str, int]) -> dict[str, int]:
        """The number of hexes of the terrain area around a hex."""
        return {h: len(self._area_of(h)) for h in value}

    def _terrain(self, value: dict[str, str]) -> dict[str, str]:
        return {h: self._letter(h) for h in value}

    def _stands(self, value: dict[str, str]) -> dict[str, str]:
        """Kinds of pieces of the learner, by hex."""
        return {h: next((k for k, seats in self._pieces_by_kind() if h in seats[LEARNER]), "") for h in value}

    def _rival_stands(self, value: dict[str, str]) -> dict[str, str]:
        return {h: next((k for k, seats in self._pieces_by_kind() if h in seats[RIVAL]), "") for h in value}

    def _pays(self, value: dict[str, int]) -> dict[str, int]:
        gold = dict(zip(self.setup["scoring"], self.view["gold"][LEARNER], strict=True))
        return {card: gold[card] for card in value}

    def _paying(self, value: dict[str, list[str]]) -> dict[str, list[str]]:
        lines = {line["key"]: sorted(line["hexes"]) for line in self.scores if line["seat"] == LEARNER}
        return {card: lines[card] for card in value}

    def _gold(self, _: object) -> int:
        return int(sum(self.view["gold"][LEARNER]))

    def _tiles_left(self, value: dict[str, int]) -> dict[str, int]:
        return {h: self.view["tiles_left"].get(h, 0) for h in value}

    # ---- what they look at

    def _legal_hexes(self) -> list[str]:
        return [move for move in self.view["legal"] if _is_hex(move)]

    def _pieces_by_kind(self) -> Iterator[tuple[str, list[list[str]]]]:
        return ((kind, seats) for kind, seats in self.view["pieces"].items() if len(seats) > 1)

    def _own(self) -> set[str]:
        return {h for _, seats in self._pieces_by_kind() for h in seats[LEARNER]}

    def _everybodys(self) -> set[str]:
        return {h for seats in self.view["pieces"].values() for hexes in seats for h in hexes}

    def _all_hexes(self) -> list[str]:
        return [f"{chr(97 + col)}{row + 1}" for row, line in enumerate(self.setup["rows"]) for col in range(len(line))]

    def _letter(self, h: str) -> str:
        return str(self.setup["rows"][int(h[1:]) - 1][ord(h[0]) - 97])

    def _area_of(self, h: str) -> set[str]:
        same = {other for other in self._all_hexes() if self._letter(other) == self._letter(h)}
        area = {h}
        while more := {near for each in area for near in _around(each)} & same - area:
            area |= more
        return area

    def _what(self, h: str) -> set[str]:
        if h not in self._all_hexes():
            return {"edge"}
        found = {self._letter(h), self.setup["locations"].get(h, ""), self.setup["nomads"].get(h, "")}
        if h in self.setup["capitols"]:
            found.add("capitol")
        if h in self._own():
            found.add("own")
        return found


def _holds(claimed: object, found: object) -> bool:
    """A list of values claims that one of them holds; a list in a list is a value."""
    if isinstance(found, list):
        return bool(claimed == found[0])
    return found in claimed if isinstance(claimed, list) else claimed == found


def _is_hex(move: str) -> bool:
    return len(move) in (2, 3) and move[0].isalpha() and move[1:].isdigit()


def _steps(start: str, goal: str) -> int:
    reached, steps = {start}, 0
    while goal not in reached:
        reached |= {near for h in reached for near in _around(h)}
        steps += 1
    return steps


def _around(h: str) -> list[str]:
    row, col = int(h[1:]) - 1, ord(h[0]) - ord("a")
    left = col - 1 + row % 2
    places = [(row, col - 1), (row, col + 1), *((r, c) for r in (row - 1, row + 1) for c in (left, left + 1))]
    return [f"{chr(ord('a') + c)}{r + 1}" for r, c in places]
