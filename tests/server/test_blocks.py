"""Blocked people: they are not seated together among strangers, and not heard."""

import pytest

from kingdom_builder.server.blocks import MOST_BLOCKED, avoided_by, blocked_among, blocked_by
from kingdom_builder.server.entries import Seat
from server.inside import World, run, world
from server.strangers import Somebody, change, meet, open_table, said


async def block(who: Somebody, other: str) -> None:
    answer = await who.ask("POST", "/api/me/blocks", {"person": other})
    assert answer.status_code == 200, answer.text


async def merge(inside: World, guest: Somebody, member: Somebody) -> None:
    await change(inside, "UPDATE persons SET merged = ? WHERE id = ?", member.id, guest.id)


def test_a_block_is_listed_repeated_and_taken_back() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside, "Ann"), await meet(inside, "Bob")
            await block(ann, bob.id)
            await block(ann, bob.id)
            assert (await ann.ask("GET", "/api/me/blocks")).json() == [{"person": bob.id, "name": "Bob"}]
            assert (await bob.ask("GET", "/api/me/blocks")).json() == []
            assert (await ann.ask("DELETE", f"/api/me/blocks/{bob.id}")).json() == []
            assert await inside.tables.journal.read(blocked_by, ann.id) == frozenset()

    run(test())


def test_whoever_is_asked_neither_of_the_two_meets_the_other() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = await meet(inside), await meet(inside), await meet(inside)
            await block(ann, bob.id)
            journal = inside.tables.journal
            assert await journal.read(blocked_among, ann.id, [cleo.id, bob.id])
            assert await journal.read(blocked_among, bob.id, [cleo.id, ann.id])
            assert not await journal.read(blocked_among, ann.id, [cleo.id])
            assert not await journal.read(blocked_among, cleo.id, [ann.id, bob.id])
            assert await journal.read(blocked_by, bob.id) == frozenset()

    run(test())


def test_a_block_of_a_guest_holds_for_the_member_that_they_turn_out_to_be() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, guest, other, member = [await meet(inside) for _ in range(4)]
            await block(ann, guest.id)
            await merge(inside, guest, member)
            await merge(inside, other, member)
            numbers = {guest.id, other.id, member.id}
            assert await inside.tables.journal.read(blocked_by, ann.id) == numbers
            assert await inside.tables.journal.read(avoided_by, member.id) == {ann.id}
            assert (await ann.ask("DELETE", f"/api/me/blocks/{member.id}")).json() == []

    run(test())


def test_a_block_by_a_guest_goes_with_them() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, guest, bob = [await meet(inside) for _ in range(3)]
            await block(guest, bob.id)
            await merge(inside, guest, ann)
            assert await inside.tables.journal.read(blocked_by, ann.id) == {bob.id}

    run(test())


@pytest.mark.parametrize("other", ["nobody", "x" * 41, ""])
def test_somebody_who_does_not_exist_cannot_be_blocked(other: str) -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside)
            answer = await ann.ask("POST", "/api/me/blocks", {"person": other})
            assert answer.status_code in (404, 422)
            himself = await ann.ask("POST", "/api/me/blocks", {"person": ann.id})
            assert himself.status_code == 400

    run(test())


def test_without_a_cookie_there_is_nobody_who_blocks() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside)
            inside.http.cookies.clear()
            answer = await inside.http.post("/api/me/blocks", json={"person": ann.id})
            assert (answer.status_code, answer.json()["code"]) == (401, "unknown-person")

    run(test())


def test_the_list_of_blocks_ends_somewhere() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            for number in range(MOST_BLOCKED):
                await change(inside, "INSERT INTO blocks VALUES (?, ?, 0)", ann.id, f"x{number}")
            answer = await ann.ask("POST", "/api/me/blocks", {"person": bob.id})
            assert (answer.status_code, answer.json()["code"]) == (503, "full")

    run(test())


def test_blocks_come_at_a_limited_rate_per_person() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = [await meet(inside) for _ in range(3)]
            codes = [(await ann.ask("POST", "/api/me/blocks", {"person": bob.id})).status_code for _ in range(201)]
            assert codes == [200] * 200 + [429]
            await block(cleo, bob.id)  # others at the same address go on

    run(test())


def test_what_a_blocked_person_says_is_not_shown_at_any_table() -> None:
    """Not when it is said, not in a new page, and in games by link neither; everybody else reads it."""

    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = [await meet(inside, member=True) for _ in range(3)]
            made = await inside.make(3, kind="open")
            pages = [await each.page("", token) for each, token in zip((ann, bob, cleo), made["seats"], strict=True)]
            await pages[1].ask(type="say", text="before the block", seat=1)
            await pages[0].sync()
            await block(ann, bob.id)
            await pages[1].ask(type="say", text="unheard", seat=1)
            await pages[2].ask(type="say", text="heard", seat=2)
            for page in pages:
                await page.sync()
            assert said(pages[0]) == ["before the block", "heard"]
            assert said(pages[2]) == ["before the block", "unheard", "heard"]
            assert said(pages[1]) == said(pages[2])
            again = await ann.page("", made["seats"][0])
            assert said(again) == ["heard"]
            await ann.ask("DELETE", f"/api/me/blocks/{bob.id}")
            await pages[1].ask(type="say", text="heard again", seat=1)
            await again.sync()
            assert said(again)[-1] == "heard again"

    run(test())


def test_blocked_people_do_not_sit_down_at_a_table_of_four() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo, dora = [await meet(inside) for _ in range(4)]
            await block(bob, ann.id)
            table = await open_table(inside, ann, cleo, bots=2)
            found, _ = await inside.tables.find([], "test", table=table)
            found.party.seats[3] = Seat("", "open", "", 3)
            pages = {each.id: await each.page(table) for each in (bob, dora)}
            sit = {"type": "sit", "seat": 3, "name": "New"}
            assert await pages[bob.id].refused(**sit) == "blocked"
            await block(ann, dora.id)  # while the page is open
            assert await pages[dora.id].refused(**sit) == "blocked"
            await bob.ask("DELETE", f"/api/me/blocks/{ann.id}")
            assert (await pages[bob.id].ask(**sit))["type"] == "done"

    run(test())
