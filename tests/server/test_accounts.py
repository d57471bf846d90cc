"""Accounts: names, the ways to sign in, devices and signing out."""

import asyncio
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom_builder.server.persons import SECURE_COOKIE
from kingdom_builder.server.schema import CLOCK, RELATIONS
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.word_list import FILE
from server.authenticator import Authenticator
from server.inside import World, run, world
from server.members import HOST, ORIGIN, Visitor, visitor
from server.strangers import change


def test_a_guest_becomes_a_member_and_stays_the_same_person() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            before = await ann.ask()
            assert await ann.register() == {**before, "member": True}
            account = await ann.ask("/account")
            assert len(account["passkeys"]) == len(account["devices"]) == 1
            assert account["devices"][0]["here"]
            assert account["no_passkeys"] is None

    run(test())


def test_somebody_signs_in_at_a_second_device() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, other = await visitor(inside), await visitor(inside)
            me = await ann.register()
            assert await other.sign_in(ann.passkey) == me
            assert await other.ask() == me
            devices = (await ann.ask("/account"))["devices"]
            assert sorted(each["here"] for each in devices) == [False, True]

    run(test())


def test_where_passkeys_do_not_work_a_sentence_says_why() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            for host, working in (("127.0.0.1:80", False), ("games.example.org", False), ("localhost", True)):
                account = (await ann.send("GET", "/account", host=host)).json()
                assert (account["no_passkeys"] is None) == working
                refused = await ann.send("POST", "/passkeys/options", {}, host=host)
                assert (refused.status_code == 200) == working
            assert account["no_mail"]["text"].startswith("This server sends no mails")
            assert await ann.refused("/mail", address="ann@example.org", purpose="attach") == "unavailable"

    run(test())


@pytest.mark.parametrize(
    ("settings", "headers"),
    [
        ({"address": "https://games.example.org"}, {}),
        ({"trusted_proxies": ("127.0.0.1",)}, {"x-forwarded-proto": "https"}),
    ],
)
def test_behind_a_proxy_that_speaks_https_there_are_passkeys_and_a_safe_cookie(
    settings: dict[str, Any], headers: dict[str, Any]
) -> None:
    async def test() -> None:
        async with world(**settings) as inside:
            ann = Visitor(inside)
            answer = await ann.send("POST", "", {}, host="games.example.org", **headers)
            assert SECURE_COOKIE in answer.headers["set-cookie"]
            ann.cookie, ann.cookie_name = answer.cookies[SECURE_COOKIE], SECURE_COOKIE
            account = await ann.send("GET", "/account", host="games.example.org", **headers)
            assert account.json()["no_passkeys"] is None

    run(test())


def test_with_https_a_cookie_that_others_can_plant_is_nobody() -> None:
    """It may be that of a neighbouring site: whoever signs in then would do so at the device of somebody else."""

    async def test() -> None:
        async with world(address=f"https://{HOST}") as inside:
            evil = Visitor(inside)
            evil.cookie_name = SECURE_COOKIE
            evil.cookie = (await evil.send("POST", "", {})).cookies[SECURE_COOKIE]
            made = await inside.make()
            page = await inside.page(made["seats"][0], cookie=evil.cookie)  # by http, at another address
            assert (await evil.ask())["id"]
            planted = Visitor(inside)
            planted.cookie = evil.cookie
            assert await planted.refused("", "GET") == "unknown-person"
            await page.close()
            back = await inside.stranger(table=made["id"], cookie=evil.cookie, host=HOST)
            back.say('{"type": "hello", "tokens": []}')
            refused = await back.until(lambda message: message["type"] == "refused")
            assert refused["refusal"]["code"] == "unknown-key"

    run(test())


def test_a_stranger_cannot_say_that_they_speak_https() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            headers: dict[str, Any] = {"host": "games.example.org", "x-forwarded-proto": "https"}
            account = await ann.send("GET", "/account", **headers)
            assert account.json()["no_passkeys"] is not None

    run(test())


def test_an_answer_of_a_passkey_counts_once_and_at_its_device_only() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            await ann.register()
            options = await ann.do("/sign-in/options")
            signed = ann.passkey.signed(options)
            assert await eve.refused("/sign-in/passkey", answer=signed) == "expired"
            await ann.do("/sign-in/passkey", answer=signed)
            assert await ann.refused("/sign-in/passkey", answer=signed) == "expired"
            stranger = Authenticator(ORIGIN, "localhost")
            options = await eve.do("/sign-in/options")
            assert await eve.refused("/sign-in/passkey", answer=stranger.signed(options)) == "passkey"
            options = await eve.do("/passkeys/options")
            assert await eve.refused("/passkeys", answer=ann.passkey.made(options)) == "taken"
            assert not (await eve.ask())["member"]

    run(test())


def test_recovery_codes_are_shown_once_used_once_and_void_after_new_ones() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            me = await ann.ask()
            old = (await ann.do("/codes"))["codes"]
            codes = (await ann.do("/codes"))["codes"]
            assert len(set(old + codes)) == 20
            assert (await ann.ask("/account"))["codes"] == 10
            ben = await visitor(inside)
            assert await ben.refused("/sign-in/code", code=old[0]) == "wrong-code"
            assert await ben.do("/sign-in/code", code=codes[0].lower()) == {**me, "member": True}
            cleo = await visitor(inside)
            assert await cleo.refused("/sign-in/code", code=codes[0]) == "wrong-code"
            assert (await ann.ask("/account"))["codes"] == 9
            assert await cleo.refused("/sign-in/code", code="not a code") == "malformed"
            await cleo.do("/sign-in/code", code=codes[1])
            assert len((await ann.ask("/account"))["devices"]) == 3

    run(test())


def test_the_database_has_no_code_and_no_secret() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            codes = (await ann.do("/codes"))["codes"]
            text = repr(await everything(inside))
            assert not any(code in text or code.replace("-", "") in text for code in codes)
            assert ann.cookie not in text

    run(test())


def test_the_only_way_in_is_not_removed() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            await ann.register()
            (passkey,) = (await ann.ask("/account"))["passkeys"]
            assert await ann.refused("/passkeys/remove", id=passkey["id"]) == "last-way"
            assert await ann.refused("/passkeys/remove", id="other") == "unknown-key"
            await ann.do("/codes")
            await ann.do("/passkeys/remove", id=passkey["id"])
            assert (await ann.ask("/account"))["passkeys"] == []
            eve = await visitor(inside)
            options = await eve.do("/sign-in/options")
            assert await eve.refused("/sign-in/passkey", answer=ann.passkey.signed(options)) == "passkey"

    run(test())


def test_nobody_removes_the_passkey_of_another() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            await ann.register()
            await eve.register()
            await eve.do("/codes")
            (passkey,) = (await ann.ask("/account"))["passkeys"]
            assert await eve.refused("/passkeys/remove", id=passkey["id"]) == "unknown-key"
            assert len((await ann.ask("/account"))["passkeys"]) == 1

    run(test())


# ---- names


def test_names_of_members_are_theirs_alone_however_they_are_written() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, guest, other = await visitor(inside), await visitor(inside), await visitor(inside)
            assert (await guest.do("/about", name="Annabel"))["name"] == "Annabel"
            assert (await ann.do("/about", name=" Annabel "))["name"] == "Annabel"
            assert (await other.do("/about", name="Cleo"))["name"] == "Cleo"
            await ann.register()
            assert (await guest.ask())["name"] == "", "the name belongs to the member now"
            for name in ("Annabel", "ANNABEL", "\u0410nnabel", "A\u200bnnabel"):
                assert await guest.refused("/about", name=name) == "taken"
            await guest.register()
            assert await guest.refused("/about", name="Annabel") == "taken"
            assert (await guest.do("/about", name="Anna"))["name"] == "Anna"
            assert (await guest.do("/about", name="\u200b"))["name"] == ""
            assert await guest.refused("/about", name="x" * 200) == "too-large"
            await ann.do("/about", name="Annabel", language="de")
            assert (await ann.ask("/account"))["language"] == "de"

    run(test())


def test_a_name_on_the_operators_list_is_refused(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / FILE).write_text("turnip")
        async with world(data=tmp_path) as inside:
            ann = await visitor(inside)
            assert await ann.refused("/about", name="Old TURN1P") == "words"
            assert (await ann.ask())["name"] == ""
            assert (await ann.do("/about", name="Turnips"))["name"] == "Turnips"

    run(test())


def test_the_name_of_a_deleted_member_is_never_used_again() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, ben, guest = await visitor(inside), await visitor(inside), await visitor(inside)
            await ann.do("/about", name="Annabel")
            await ann.register()
            await guest.do("/about", name="Gus")
            for each in (ann, guest):
                assert (await each.send("DELETE", "", {"confirmed": True})).status_code == 200
            assert await ben.refused("/about", name="annabel") == "taken"
            assert (await ben.do("/about", name="Gus"))["name"] == "Gus"

    run(test())


# ---- devices


def test_signing_out_needs_a_way_back_or_a_clear_yes() -> None:
    async def test() -> None:
        async with world() as inside:
            guest, ann = await visitor(inside), await visitor(inside)
            assert await guest.refused("/sign-out") == "unconfirmed"
            await guest.ask()
            await guest.do("/sign-out", confirmed=True)
            assert guest.cookie == ""
            await ann.register()
            cookie = ann.cookie
            await ann.do("/sign-out")
            ann.cookie = cookie
            assert await ann.refused("", "GET") == "unknown-person"

    run(test())


def test_a_lost_device_is_signed_out_from_another_one() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, phone, tablet = [await visitor(inside) for _ in range(3)]
            await ann.register()
            made = await inside.make()
            await ann.sit(made["seats"][0])
            for each in (phone, tablet):
                await each.sign_in(ann.passkey)
                ann.passkey.count = 0
            live = await inside.page(table=made["id"], cookie=phone.cookie)
            devices = (await ann.ask("/account"))["devices"]
            assert len(devices) == 3
            here = next(each["id"] for each in (await phone.ask("/account"))["devices"] if each["here"])
            await ann.do("/sign-out", device=here)
            await live.ended()
            assert await phone.refused("/account", "GET") == "unknown-person"
            await ann.do("/sign-out", others=True)
            assert await tablet.refused("/account", "GET") == "unknown-person"
            assert len((await ann.ask("/account"))["devices"]) == 1

    run(test())


def test_nobody_signs_out_the_device_of_another() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, eve = await visitor(inside), await visitor(inside)
            (device,) = (await ann.ask("/account"))["devices"]
            await eve.do("/sign-out", device=device["id"], confirmed=True)
            assert await ann.ask()

    run(test())


# ---- bad input


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/about", {"name": "x" * 5_000}),
        ("/passkeys", {"answer": "x" * 20_000}),
        ("/passkeys", {"answer": "{}"}),
        ("/sign-in/passkey", {"answer": "[]"}),
        ("/sign-in/passkey", {"answer": '{"id":1}'}),
        ("/sign-in/code", {"code": "x" * 10_000}),
        ("/sign-in/code", {}),
        ("/mail", {"address": "x", "purpose": "other"}),
        ("/mail/confirm", {"code": ""}),
        ("/passkeys/remove", {"id": "x" * 5_000}),
        ("/sign-out", {"device": "x" * 100}),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(path: str, body: dict[str, object]) -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await visitor(inside)
            before = await everything(inside)
            answer = await ann.send("POST", path, body)
            assert answer.status_code in (400, 422), answer.text
            assert [rows for rows in await everything(inside) if "recovery" not in str(rows)] == before
            ann.cookie = ""
            assert (await ann.send("POST", path, body)).status_code in (401, 422)

    run(test())


def test_work_of_strangers_is_limited() -> None:
    async def test() -> None:
        async with world(work_per_second=20) as inside:
            ann = await visitor(inside)
            tries = [ann.send("POST", "/sign-in/code", {"code": "0" * 16}) for _ in range(25)]
            assert 429 in [answer.status_code for answer in await asyncio.gather(*tries)]

    run(test())


async def everything(inside: World) -> list[list[tuple[object, ...]]]:
    """All rows of the database that are about people."""

    def work() -> Steps[list[list[tuple[object, ...]]]]:
        found = []
        for each in RELATIONS:
            if each != CLOCK:
                found.append(sorted((yield Sql(f"SELECT * FROM {each.name}")), key=str))
        return found

    return await inside.tables.journal.read(work)


def test_random_members_keep_their_names_apart() -> None:
    """However people name themselves, join and leave, no two members look alike."""

    async def test() -> None:
        async with world() as inside:
            rng = Random(4)
            people = [await visitor(inside) for _ in range(6)]
            for _ in range(60):
                who = rng.choice(people)
                if rng.random() < 0.2:
                    await who.send("POST", "/codes", {})
                else:
                    await who.send(
                        "POST", "/about", {"name": rng.choice(["Ann", "ann", "\u0391nn", "Ben", "8en", "Cleo"])}
                    )

            def looks() -> Steps[list[str]]:
                rows = yield Sql("SELECT look FROM persons WHERE member = 1 AND look <> ''")
                return [look for (look,) in rows]

            found = await inside.tables.journal.read(looks)
            assert found
            assert len(set(found)) == len(found)

    run(test())


def test_what_comes_too_late_from_a_device_changes_nobody() -> None:
    """A server that has not heard yet that the guest was merged, or deleted, still takes them for who they were."""

    async def test() -> None:
        async with world() as inside:
            ann, guest, other = await visitor(inside), await visitor(inside), await visitor(inside)
            codes = (await ann.do("/codes"))["codes"]
            persons = inside.tables.persons
            for someone, leave in ((guest, guest.do("/sign-in/code", code=codes[0])), (other, delete(other))):
                before, cookie = await persons.at_device(someone.cookie), someone.cookie
                assert before is not None
                await leave
                for path, body in (("/codes", {}), ("/about", {"name": "Ghost"})):
                    someone.cookie = cookie
                    persons._known[before.device] = before, time.monotonic()
                    assert await someone.refused(path, **body) == "unknown-person"
                rows = await change(inside, "SELECT name, member FROM persons WHERE id = ?", before.id)
                assert set(rows) <= {("", 0)}
                assert not await change(inside, "SELECT 1 FROM recovery_codes WHERE person = ?", before.id)
            assert await guest.id == await ann.id

    async def delete(someone: Visitor) -> None:
        await someone.send("DELETE", "", {"confirmed": True})

    run(test())
