"""The mails with codes to sign in, in the languages of the page."""

from typing import NamedTuple

from kingdom_builder.server.passkeys import SERVER_NAME
from kingdom_builder.server.recovery import MAILED_SECONDS


class _Texts(NamedTuple):
    subject: str
    text: str


ENGLISH = "en"
TEXTS = {
    ENGLISH: _Texts(
        "Your code: {code}",
        "Your code for {server} is\n\n    {code}\n\n"
        "Type it within {minutes} minutes into the page that asked for it. It works at that device only.\n\n"
        "If you have not asked for a code, there is nothing to do: without it nobody gets in.\n",
    ),
    "de": _Texts(
        "Dein Code: {code}",
        "Dein Code für {server} ist\n\n    {code}\n\n"
        "Gib ihn innerhalb von {minutes} Minuten auf der Seite ein, die danach gefragt hat. Er gilt nur an jenem Gerät."
        "\n\nWenn du keinen Code angefordert hast, ist nichts zu tun: Ohne ihn kommt niemand hinein.\n",
    ),
    "fr": _Texts(
        "Votre code : {code}",
        "Votre code pour {server} est\n\n    {code}\n\n"
        "Saisissez-le dans les {minutes} minutes sur la page qui l'a demandé. Il ne sert que sur cet appareil.\n\n"
        "Si vous n'avez pas demandé de code, il n'y a rien à faire : sans lui, personne n'entre.\n",
    ),
}


def code_mail(code: str, language: str, address: str) -> tuple[str, str]:
    """Subject and text of the mail with a code; `address` is that of the server, if it is known."""
    texts = TEXTS.get(language, TEXTS[ENGLISH])
    text = texts.text.format(code=code, server=SERVER_NAME, minutes=MAILED_SECONDS // 60)
    return texts.subject.format(code=code), f"{text}\n{address}\n" if address else text
