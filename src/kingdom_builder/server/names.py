"""Texts that people type: how they are cleaned, and which names look alike."""

import unicodedata

from kingdom_builder.message import Message, Refusal, seat_letter

LOOK_ALIKE = {
    "a": "аɑαａ",
    "b": "вьβƅ",
    "c": "сϲƈ",
    "d": "ԁđɖ",
    "e": "еєεҽ",
    "f": "ғƒſ",
    "g": "ɡԍգց",
    "h": "һнհħ",
    "j": "јʝյ",
    "k": "кκ",
    "l": "i1|!іїιıӏլɩł¡",
    "m": "мμ",
    "n": "пո",
    "o": "0оοσօøө",
    "p": "рρքþ",
    "q": "ԛգ",
    "r": "гʀ",
    "s": "ѕ5ꜱտ",
    "t": "тτŧ",
    "u": "սʋ",
    "v": "ѵⅴ",
    "w": "ԝωѡ",
    "x": "хχ×",
    "y": "уүγ",
    "z": "ᴢζ",
}
"""Letters of other alphabets, and digits, that look like a Latin letter, small or capital."""

SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghljklmnoprstuvwyz", strict=True))

BY_CASE = str.maketrans("νηυΝΗΥ", "vnunhy")
"""Greek letters whose small and capital forms look like different Latin letters: replaced before case is ignored."""

CHEROKEE = dict(zip("ᎪᏴᏟᎠᎬᎰᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "abcdefghjklmprstvwz", strict=True))
LISU = dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcdefghljklmnoprstuvwxyz", strict=True))
COPTIC = dict(zip("ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲍ", "abehlkmnopctyxz", strict=True))

_PLAIN = str.maketrans(
    {other: letter for letter, others in LOOK_ALIKE.items() for other in others}
    | SMALL_CAPITALS
    | CHEROKEE
    | LISU
    | COPTIC,
)
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")
"""Categories of invisible characters: controls, direction marks, joiners, unassigned ones."""

_BLANK = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters and symbols that look like a space."""

MOST_MARKS = 2
"""The most accents on one letter: towers of accents hide the lines around them."""


def clean(text: str, length: int) -> str:
    """A typed text without line breaks, invisible characters and towers of accents. Raises Refusal if too long."""
    shown: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if _is_mark(character) else 0
        if marks > MOST_MARKS or category == "Cf":
            continue
        shown.append(" " if category in _UNSEEN or character in _BLANK else character)
    text = " ".join("".join(shown).split())
    if all(character == " " or _is_mark(character) for character in text):
        return ""  # some marks are invisible, and no mark stands alone
    if len(text) > length:
        raise Refusal(
            Message("The text has {n} characters: expected at most {most}.", n=len(text), most=length), "too-large"
        )
    return text


def skeleton(name: str) -> str:
    """The look of a name: the same for names that people can mistake for each other.

    >>> skeleton("Ann") == skeleton("Аnn") == skeleton(" ÁN\\u200bN") == skeleton("Ａｎｎ")
    True
    >>> skeleton("Ann") == skeleton("Anne")
    False
    """
    cased = unicodedata.normalize("NFKD", name).translate(BY_CASE)
    plain = unicodedata.normalize("NFKD", cased.casefold()).translate(_PLAIN)
    letters = "".join(character for character in plain if character.isalnum())
    return letters.replace("rn", "m").replace("vv", "w") or "".join(
        character for character in name if not character.isspace() and not _is_mark(character)
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def look_alike(name: str, other: str) -> bool:
    """Whether one name can be mistaken for the other."""
    return skeleton(name) == skeleton(other)


def default_name(seat: int) -> str:
    """The name of a player who has not chosen one."""
    return f"Player {seat_letter(seat)}"
