"""Positions that nobody would play to: tiny maps, odd supplies, hands and piles, actions in progress."""

from random import Random

from kingdom_builder.board.terrain import CARDS as TERRAINS
from kingdom_builder.board.terrain import NAMES
from kingdom_builder.content import CARDS, LOCATIONS, NOMAD_TILES, OPTIONS, TASKS
from kingdom_builder.hexes import hex_at, hex_name

SIZES = [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (1, 8), (5, 5)]
SEATS = "ABCDE"
STANDING = ["silo", "cave-move", "farm-action"]


def odd_position(rng: Random) -> str:
    """A line that is well written, but often makes no sense."""
    rows, locations = _map(rng)
    hexes = {hex_name(hex_at(row, col)): letter for row, line in enumerate(rows) for col, letter in enumerate(line)}
    places = [h for h, letter in hexes.items() if letter.isdigit()]
    nomads = {h: rng.choice([*NOMAD_TILES]) for h, letter in hexes.items() if letter == "N" and rng.random() < 0.8}
    players = rng.randint(2, 5)
    cards = rng.sample("".join(TERRAINS) * 5, 25)
    hands = ["".join(sorted(_take(rng, cards, [0, 0, 1, 1, 1, 2, 3]))) for _ in range(players)]
    pile = _take(rng, cards, [0, 0, 1, 2, 5, 25])
    player = rng.randrange(players)
    free = rng.sample([*hexes], len(hexes))
    own = [_take(rng, free, [0, 0, 1, 2, 3]) for _ in range(players)]
    seats = []
    for seat in range(players):
        marks = ["", "", "*", "+", "-"] if seat == player else ["", "", "-"]
        tiles = [h + rng.choice(marks) for h in [*places, *nomads] if rng.random() < 0.5]
        supply = rng.choice([0, 1, 2, 3, 40, rng.randint(0, 40)])
        seats.append(f"{supply}:{','.join(own[seat])}:{','.join(tiles)}:{hands[seat]}")
    return " ".join(
        [
            "/".join(rows) + (f"({','.join(locations)})" if locations else ""),
            ",".join(rng.sample([*CARDS], rng.randint(0, 3))) or "-",
            ",".join(option for option in OPTIONS if rng.random() < 0.15) or "-",
            "".join([str(rng.randint(0, 2)) for _ in places] + [str(rng.randint(0, 1)) for _ in nomads]) or "-",
            "".join(f"{card}{pile.count(card)}" for card in sorted(set(pile))) or "-",
            "".join(_take(rng, cards, [0, 0, 1, 3])) or "-",
            f"{_turn(rng, SEATS[player], hands[player], [*locations, *nomads.values(), *STANDING], [*hexes])}",
            *seats,
            *_further(rng, nomads, free, [h for mine in own for h in mine], players),
        ]
    )


def _take(rng: Random, things: list[str], numbers: list[int]) -> list[str]:
    """Some of the things, which are gone then."""
    count = rng.choice(numbers)
    taken = things[:count]
    del things[:count]
    return taken


def _map(rng: Random) -> tuple[list[str], list[str]]:
    """The rows of a map and the locations on it."""
    height, width = rng.choice(SIZES)
    land = "".join(TERRAINS) if rng.random() < 0.7 else rng.choice(["D", "DG", "W", "M", "DW"])
    letters = [rng.choice(land) if rng.random() < 0.75 else rng.choice([*NAMES]) for _ in range(height * width)]
    locations = [rng.choice([*LOCATIONS]) for _ in range(min(rng.randint(0, 3), len(letters)))]
    for number, place in enumerate(sorted(rng.sample(range(len(letters)), len(locations))), 1):
        letters[place] = str(number)
    return ["".join(letters[start : start + width]) for start in range(0, len(letters), width)], locations


def _turn(rng: Random, seat: str, hand: str, keys: list[str], hexes: list[str]) -> str:
    ending = rng.choice(["", "", "", "!"])
    card = rng.choice([*hand, "-"][: max(1, len(hand))])
    lifted = rng.choice([""] * 9 + ["~"])
    mode = rng.random()
    if mode < 0.25:
        return f"{rng.randint(0, 3)}{seat}{ending}/-/0/{rng.choice(['=', '=2', '=9'])}"
    if mode < 0.35:
        return f"{rng.randint(1, 3)}{seat}{ending}/=/{rng.randint(0, 3)}/-"
    if mode < 0.5:
        lifting = rng.choice(hexes)
        progress = rng.choice(["", "", "*1", "*2", "*4", "*31", f">{lifting}", f">{lifting}*3", "="])
        return f"{rng.randint(1, 3)}{seat}{ending}/{card}/{rng.randint(0, 3)}{lifted}/{rng.choice(keys)}{progress}"
    return f"{rng.randint(1, 3)}{seat}{ending}/{card}/{rng.choice([0, 0, 3, 1])}{lifted}/-"


def _further(rng: Random, nomads: dict[str, str], free: list[str], own: list[str], players: int) -> list[str]:
    fields = [f"nomads={','.join(f'{h}:{tile}' for h, tile in nomads.items())}"] if nomads else []
    odd = {
        "chosen": "1",
        "walls": rng.choice(free or ["a1"]),
        rng.choice(["warriors", "wagons", "ships", "city-halls"]): rng.choice(own or ["a1"]),
        "tasks": rng.choice([*TASKS]),
        rng.choice(["repeated", "fort", "silo-use", "crossroads-again"]): str(rng.randint(0, 9)),
        "cathedral": ",".join(rng.choice(["0", "1", "999999999"]) for _ in range(players)),
    }
    return fields + [f"{key}={value}" for key, value in odd.items() if rng.random() < 0.08]
