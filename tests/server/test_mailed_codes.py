"""Codes by mail: to sign in, and to become a member; the mail server is a stand-in on the loopback."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kingdom_builder.server.code_mail import TEXTS
from kingdom_builder.server.delivery.mail import read_mail_settings
from server.inside import run, world
from server.mail_server import MailServer
from server.members import Visitor, visitor


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def settings(mails: MailServer) -> dict[str, Any]:
    return {"mail": read_mail_settings(f"smtp+plain://127.0.0.1:{mails.port}", "games@example.org")}


async def code_in(mails: MailServer, to: str) -> str:
    mail = await asyncio.to_thread(mails.next)
    assert mail.to == [to]
    found = re.search(r"^    (\w{6})\r?$", mail.message.get_content(), re.MULTILINE)
    assert found
    assert found[1] in mail.message["subject"]
    return found[1]


async def attach(who: Visitor, mails: MailServer, address: str) -> dict[str, Any]:
    told = await who.do("/mail", address=address, purpose="attach")
    return await who.do("/mail/confirm", code=(await code_in(mails, told["address"])))


def test_an_address_makes_a_member_who_signs_in_elsewhere(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, laptop = await visitor(inside), await visitor(inside)
            me = await ann.ask()
            assert (await ann.ask("/account"))["no_mail"] is None
            assert await attach(ann, mails, "Ann@Example.org") == {**me, "member": True}
            assert (await ann.ask("/account"))["address"] == "Ann@example.org"
            await laptop.do("/mail", address="ann@example.org", purpose="sign in")
            assert (await laptop.ask())["id"] != me["id"]
            signed = await laptop.do("/mail/confirm", code=(await code_in(mails, "ann@example.org")).lower())
            assert signed["id"] == me["id"]

    run(test())


def test_nobody_learns_which_addresses_have_an_account(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            await attach(ann, mails, "ann@example.org")
            answers = []
            for address in ("ann@example.org", "who@example.org"):
                told = await eve.do("/mail", address=address, purpose="sign in")
                assert (await asyncio.to_thread(mails.next)).to == [address]
                answers.append(str(told).replace(address, ""))
                assert await eve.refused("/mail/confirm", code="000000") == "wrong-code"
            assert answers[0] == answers[1]

    run(test())


def test_asking_reads_no_account(mails: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same work for every address takes the same time."""

    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            await attach(ann, mails, "ann@example.org")
            seen: list[str] = []
            write = inside.tables.journal.write

            async def watched(work: Any, *arguments: Any) -> Any:
                def spied(*given: Any) -> Any:
                    steps = work(*given)
                    result = None
                    try:
                        statement = next(steps)
                        while True:
                            seen.append(statement.text)
                            result = yield statement
                            statement = steps.send(result)
                    except StopIteration as end:
                        return end.value

                return await write(spied, *arguments)

            monkeypatch.setattr(inside.tables.journal, "write", watched)
            traces = []
            for address in ("ann@example.org", "who@example.org"):
                seen.clear()
                await eve.do("/mail", address=address, purpose="sign in")
                traces.append(list(seen))
            assert traces[0] == traces[1]
            assert not any("mail_addresses" in text for text in traces[0])

    run(test())


def test_an_address_without_account_signs_nobody_in(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            eve = await visitor(inside)
            await eve.do("/mail", address="who@example.org", purpose="sign in")
            code = await code_in(mails, "who@example.org")
            assert await eve.refused("/mail/confirm", code=code) == "unknown-address"
            assert await eve.refused("/mail/confirm", code=code) == "wrong-code"
            assert not (await eve.ask())["member"]

    run(test())


def test_an_address_belongs_to_one_person(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, ben = await visitor(inside), await visitor(inside)
            await attach(ann, mails, "ann@example.org")
            await ben.do("/mail", address="ANN@example.org", purpose="attach")
            assert await ben.refused("/mail/confirm", code=(await code_in(mails, "ANN@example.org"))) == "taken"
            assert not (await ben.ask())["member"]
            await attach(ann, mails, "anna@example.org")
            assert (await ann.ask("/account"))["address"] == "anna@example.org"
            await ann.do("/codes")
            await ann.do("/mail/remove")
            await attach(ben, mails, "ann@example.org")

    run(test())


def test_a_code_has_few_tries_and_works_at_its_device_only(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            await ann.do("/mail", address="ann@example.org", purpose="attach")
            code = await code_in(mails, "ann@example.org")
            assert await eve.refused("/mail/confirm", code=code) == "wrong-code"
            for _ in range(5):
                assert await ann.refused("/mail/confirm", code="000000") == "wrong-code"
            assert await ann.refused("/mail/confirm", code=code) == "wrong-code"

    run(test())


def test_a_code_grows_old(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann, now = await visitor(inside), inside.tables.clock()
            await ann.do("/mail", address="ann@example.org", purpose="attach")
            code = await code_in(mails, "ann@example.org")
            inside.tables.clock = lambda: now + 601
            assert await ann.refused("/mail/confirm", code=code) == "wrong-code"

    run(test())


def test_mails_are_limited_by_address_person_and_visitor(mails: MailServer) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            people = [await visitor(inside) for _ in range(8)]
            sent = []
            for number in range(6):  # to one address, by several persons
                answer = await people[number].send("POST", "/mail", {"address": "a@example.org", "purpose": "sign in"})
                sent.append(answer.status_code)
            assert sent == [200] * 5 + [429]
            sent = []
            for number in range(6):  # by one person, to several addresses
                body = {"address": f"b{number}@example.org", "purpose": "attach"}
                sent.append((await people[6].send("POST", "/mail", body)).status_code)
            assert sent == [200] * 5 + [429]
            for number in range(20):
                body = {"address": f"c{number}@example.org", "purpose": "attach"}
                answer = await (await visitor(inside)).send("POST", "/mail", body)
            assert answer.status_code == 429
            assert answer.json()["message"]["text"].startswith("Too many codes from your address")

    run(test())


@pytest.mark.parametrize("address", ["", "x", "a@b", "a@b.c\nd@e.f", "a b@example.org", "x" * 290 + "@example.org"])
def test_what_is_no_address_is_refused(mails: MailServer, address: str) -> None:
    async def test() -> None:
        async with world(**settings(mails)) as inside:
            ann = await visitor(inside)
            answer = await ann.send("POST", "/mail", {"address": address, "purpose": "attach"})
            assert answer.status_code in (400, 422)
            assert mails.connections == 0

    run(test())


def test_a_mail_server_that_hangs_delays_no_answer(mails: MailServer) -> None:
    async def test() -> None:
        mails.replies[""] = ""
        async with world(**settings(mails)) as inside:
            ann = await visitor(inside)
            for number in range(3):
                await ann.do("/mail", address=f"a{number}@example.org", purpose="attach")
            while mails.connections < 3:
                await asyncio.sleep(0.05)
            assert await ann.refused("/mail/confirm", code="000000") == "wrong-code"

    run(test())


@pytest.mark.parametrize("language", [*TEXTS, "xx"])
def test_the_mail_is_in_the_language_of_the_page(mails: MailServer, language: str) -> None:
    async def test() -> None:
        async with world(**settings(mails), address="https://games.example.org") as inside:
            ann = await visitor(inside)
            await ann.do("/mail", address="ann@example.org", purpose="attach", language=language)
            text = (await asyncio.to_thread(mails.next)).message.get_content()
            assert "https://games.example.org" in text
            expected = {"de": "Dein Code", "fr": "Votre code"}.get(language, "Your code")
            assert text.startswith(expected)

    run(test())
