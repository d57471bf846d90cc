"""The difference of two JSON values: what has to be sent to somebody who has the old one.

A difference is one of

- a plain value (a text, a number, true, false, null): this is the new value;
- `{"is": value}`: this list or object is the new value;
- `[place, difference, place, difference, ...]`: the list or object is the old one but for these places. A place is a
  number from 0, in an object that of the key; in an object a key that is new follows as a text;
- `[[gone, gone, ...], place, value, place, value, ...]`: the list is the old one without what was at the first places,
  and with these values put in, one after the other.

Whoever applies a difference to anything but the value that it was made for gets nonsense.
`web/src/net/differences.ts` does the same for the page.
"""

from collections.abc import Container
from typing import Any

Json = Any
"""What a JSON text can say."""


def difference(old: Json, new: Json) -> Json:
    """What leads from the old value to the new one."""
    kind = type(new)
    if kind is dict:
        return _of_objects(old, new) if type(old) is dict else {"is": new}
    if kind is list:
        return _of_lists(old, new) if type(old) is list else {"is": new}
    return new


def applied(old: Json, change: Json) -> Json:
    """The new value, made from the old one and a difference. The old one stays as it is and may be shared."""
    if isinstance(change, dict):
        return change["is"]
    if not isinstance(change, list):
        return change
    if isinstance(old, dict):
        keys, edited = list(old), dict(old)
        for place, each in _pairs(change):
            key = place if isinstance(place, str) else keys[place]
            edited[key] = applied(old.get(key), each)
        return edited
    if change and isinstance(change[0], list):
        kept = [value for place, value in enumerate(old) if place not in change[0]]
        for place, value in _pairs(change[1:]):
            kept.insert(place, value)
        return kept
    replaced = list(old)
    for place, each in _pairs(change):
        replaced[place] = applied(old[place], each)
    return replaced


def _pairs(flat: list[Json]) -> list[tuple[Json, Json]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _of_objects(old: dict[str, Json], new: dict[str, Json]) -> Json:
    keys = list(new)
    # JavaScript puts keys that are numbers first, so that their places are not the same there.
    if keys[: len(old)] != list(old) or any(map(str.isdigit, keys)):
        return {"is": new}
    change: list[Json] = []
    for place, key in enumerate(keys):
        if place >= len(old):
            change += (key, difference(None, new[key]))
        elif new[key] != old[key]:
            change += (place, difference(old[key], new[key]))
    return change


def _of_lists(old: list[Json], new: list[Json]) -> Json:
    """The way with the fewest values in it."""
    replaced = None
    if len(old) == len(new):
        places = [place for place, value in enumerate(new) if value != old[place]]
        replaced = [each for place in places for each in (place, difference(old[place], new[place]))]
        if len(places) <= 1:
            return replaced
    is_flat = True
    try:
        shifted = _shifted(old, new, set(old), set(new))
    except TypeError:  # there are lists or objects in it
        is_flat, shifted = False, _shifted(old, new, old, new)
    ways = [way for way in (replaced, shifted) if way is not None]
    shortest = min(ways, key=_length, default=None)
    if shortest is None or (is_flat and len(new) + 2 < _length(shortest)):
        return {"is": new}
    return shortest


def _shifted(old: list[Json], new: list[Json], before: Container[Json], after: Container[Json]) -> list[Json] | None:
    """What is gone and what came in; None if what stays is in another order."""
    if [value for value in old if value in after] != [value for value in new if value in before]:
        return None
    gone = [place for place, value in enumerate(old) if value not in after]
    came = [place for place, value in enumerate(new) if value not in before]
    return [gone, *(each for place in came for each in (place, new[place]))]


def _length(way: list[Json]) -> int:
    return len(way) + (len(way[0]) if way and isinstance(way[0], list) else 0)
