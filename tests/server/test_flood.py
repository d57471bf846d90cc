"""What may be said among strangers, how often, and by whom."""

from pathlib import Path

import pytest

from kingdom_builder.message import Refusal
from kingdom_builder.server import flood, person_limits
from kingdom_builder.server.flood import Floods
from kingdom_builder.server.messages import PHRASES, SetupChoice
from kingdom_builder.server.person_limits import AllPersonLimits
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Player
from kingdom_builder.server.word_list import FILE, LOOK_SECONDS, WordList
from server.inside import Json, Page, run, world
from server.strangers import LIVE, change, meet, open_table, said


class Watch:
    """A stopwatch that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# ---- the flood filter ------------------------------------------------------------------------------------------------


def test_four_lines_in_ten_seconds_and_no_more() -> None:
    watch = Watch()
    floods = Floods(watch)
    for line in "abcd":
        floods.check("ann", line)
        watch.now += 1
    with pytest.raises(Refusal, match="expected 4 in 10 seconds"):
        floods.check("ann", "e")
    floods.check("bob", "e")
    watch.now += 6.01  # ten seconds after the first
    floods.check("ann", "e")
    with pytest.raises(Refusal, match="expected 4 in 10 seconds"):
        floods.check("ann", "f")


@pytest.mark.parametrize("again", ["Hello there", "hello  THERE", " h e l l o there "])
def test_the_same_is_not_said_again_for_half_a_minute(again: str) -> None:
    watch = Watch()
    floods = Floods(watch)
    floods.check("ann", "Hello there")
    watch.now += 29
    with pytest.raises(Refusal, match="just said this"):
        floods.check("ann", again)
    floods.check("ann", "Something else")
    floods.check("bob", again)
    watch.now += 2
    floods.check("ann", again)


def test_speakers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood, "KEPT", 10)
    watch = Watch()
    floods = Floods(watch)
    for number in range(100):
        floods.check(f"{number}", "a")
    assert len(floods) <= 11
    watch.now += 60
    for number in range(11):
        floods.check(f"new {number}", "a")
    assert len(floods) <= 11


# ---- the operator's words --------------------------------------------------------------------------------------------


@pytest.fixture
def words(tmp_path: Path) -> WordList:
    (tmp_path / FILE).write_text("# not here\nturnip\nold goat # an insult\n\nÉclair\n", "utf-8")
    return WordList(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "turnip",
        "You TURNIP!",
        "turn1p",
        "tùrnip",
        "тurnip",
        "a,turnip.b",
        "old  goat",
        "You old-goat",
        "ECLAIR",
        "tur.nip",
    ],
)
def test_a_listed_word_is_found_however_it_looks(words: WordList, text: str) -> None:
    assert words.is_in(text)
    with pytest.raises(Refusal, match="one of these words") as refused:
        words.check(text)
    assert "turnip" not in str(refused.value)
    with pytest.raises(Refusal, match="this name"):
        words.check_name(text)


@pytest.mark.parametrize(
    "text", ["turnips", "saturnip", "old", "goat", "goat old", "not here", "an insult", "", "# ..."]
)
def test_only_whole_words_count(words: WordList, text: str) -> None:
    assert not words.is_in(text)


def test_the_list_may_change_while_the_server_runs(tmp_path: Path) -> None:
    watch = Watch()
    words = WordList(tmp_path, watch)
    assert not words.is_in("turnip")
    (tmp_path / FILE).write_bytes(b"turnip\n\xff\xfe\n")
    watch.now += LOOK_SECONDS
    assert words.is_in("turnip")
    (tmp_path / FILE).unlink()
    watch.now += LOOK_SECONDS
    assert not words.is_in("turnip")
    assert not WordList(None).is_in("turnip")


# ---- at tables -------------------------------------------------------------------------------------------------------


async def lines(page: Page) -> list[Json]:
    await page.sync()
    return [line for message in page.everything() if message["type"] == "chat" for line in message["lines"]]


def test_guests_among_strangers_have_phrases_and_members_have_words() -> None:
    async def test() -> None:
        async with world() as inside:
            guest, member = await meet(inside, "Gus"), await meet(inside, "Meg", member=True)
            table = await open_table(inside, guest, member)
            pages = [await guest.page(table), await member.page(table)]
            assert await pages[0].refused(type="say", text="hello you", seat=0) == "guest"
            assert (await pages[0].ask(type="say", phrase="hello", seat=0))["type"] == "done"
            assert (await pages[1].ask(type="say", text="hello you", seat=1))["type"] == "done"
            (first, second) = await lines(pages[0])
            assert (first["phrase"], first["text"], first["person"]) == ("hello", PHRASES["hello"], guest.id)
            assert (second["phrase"], second["text"], second["person"]) == ("", "hello you", member.id)

    run(test())


def test_a_watcher_without_a_cookie_is_a_guest_too() -> None:
    async def test() -> None:
        async with world() as inside:
            table = await open_table(inside, await meet(inside), await meet(inside))
            page = await inside.page(table=table)
            assert await page.refused(type="say", text="hello you", name="Wes") == "guest"
            assert (await page.ask(type="say", phrase="hello", name="Wes"))["type"] == "done"

    run(test())


@pytest.mark.parametrize("wrong", [{"phrase": "insult"}, {"phrase": "hello", "text": "you"}, {}, {"text": "x" * 301}])
def test_what_is_neither_a_phrase_nor_a_text_is_refused(wrong: Json) -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            page = await inside.page(*made["seats"])
            page.say(
                f'{{"type": "say", "id": "1", "seat": 0, {str(wrong)[1:-1]} }}'.replace("'", '"').replace(", }", "}")
            )
            answer = await page.until(lambda message: message["type"] == "refused")
            assert answer["refusal"]["code"] in ("malformed", "too-large")

    run(test())


def test_at_a_table_by_link_everybody_types_freely(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / FILE).write_text("turnip")
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            page = await inside.page(*made["seats"])
            for _ in range(6):
                assert (await page.ask(type="say", text="you turnip", seat=0))["type"] == "done"
            assert (await page.ask(type="join", seat=0, name="Turnip", colour=0))["type"] == "done"

    run(test())


def test_a_flood_among_strangers_is_refused_and_a_repeated_command_is_not_a_repeated_line() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside, member=True), await meet(inside, member=True)
            table = await open_table(inside, ann, bob)
            page, other = await ann.page(table), await bob.page(table)
            say = {"type": "say", "text": "once", "seat": 0, "id": "one"}
            assert (await page.ask(**say))["type"] == "done"
            assert (await page.ask(**say))["type"] == "done"  # the same command, after a lost connection
            assert await page.refused(**{**say, "id": "two"}) == "too-fast"
            for text in "abc":
                assert (await page.ask(type="say", text=text, seat=0))["type"] == "done"
            assert await page.refused(type="say", text="d", seat=0) == "too-fast"
            again = await ann.page(table, client="elsewhere")  # another address does not help
            assert await again.refused(type="say", text="d", seat=0) == "too-fast"
            assert (await other.ask(type="say", text="d", seat=1))["type"] == "done"
            await other.sync()
            assert said(other) == ["once", "a", "b", "c", "d"]

    run(test())


def test_a_page_is_told_whether_it_is_among_strangers() -> None:
    """As the server sees it: a table that the lobby made for somebody and bots is neither open nor rated."""

    async def told(page: Page) -> tuple[bool, bool, bool]:
        table = next(each for each in page.everything() if each["type"] == "welcome")["table"]
        return table["open"], table["rated"], table["strangers"]

    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside)
            together: list[Player | str] = [Player(ann.id, ""), "random"]
            made = await inside.tables.make_for(together, SetupChoice(), LIVE, rated=False, is_open=False)
            page = await ann.page(made)
            assert await told(page) == (False, False, True)
            assert await page.refused(type="say", text="hello", seat=0) == "guest"
            friends = await inside.make()
            assert await told(await inside.page(friends["seats"][0])) == (False, False, False)

    run(test())


def test_the_operators_words_are_not_said_and_no_names_among_strangers(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / FILE).write_text("turnip")
        async with world(data=tmp_path) as inside:
            ann, bob = await meet(inside, member=True), await meet(inside, member=True)
            page = await ann.page(await open_table(inside, ann, bob))
            assert await page.refused(type="say", text="you TURNIP", seat=0) == "words"
            assert await page.refused(type="join", name="Turn1p", seat=0, colour=0) == "words"
            long = "turnip " * 500  # not worth the look at every word
            assert await page.refused(type="join", name=long, seat=0, colour=0) == "too-large"
            assert await page.refused(type="say", text=long, seat=0) == "too-large"
            wanted = {"seats": [{"kind": "person", "name": "Turnip"}, {"kind": "open"}], "open": True}
            answer = await ann.ask("POST", "/api/tables", wanted)
            assert answer.json()["code"] == "words"
            answer = await ann.ask("POST", "/api/tables", {**wanted, "open": False})
            assert answer.status_code == 200

    run(test())


def test_somebody_whom_the_operator_has_muted_speaks_only_among_friends() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside, member=True), await meet(inside, member=True)
            until = int(inside.tables.clock()) + 1000
            await change(inside, "INSERT INTO bans VALUES (?, 'mute', ?, '', '', 0)", ann.id, until)
            page = await ann.page(await open_table(inside, ann, bob))
            assert await page.refused(type="say", text="hello", seat=0) == "muted"
            assert await page.refused(type="say", phrase="hello", seat=0) == "muted"
            made = await inside.make(kind="open")
            friends = await ann.page("", made["seats"][0])
            assert (await friends.ask(type="say", text="hello", seat=0))["type"] == "done"

    run(test())


# ---- how much one person does ----------------------------------------------------------------------------------------


def test_a_person_at_many_addresses_is_still_one() -> None:
    async def test() -> None:
        async with world(lines_per_second=0.001) as inside:
            ann = await meet(inside, member=True)
            made = await inside.make()
            refused = 0
            for number in range(30):
                page = await ann.page("", made["seats"][0], client=f"10.0.0.{number}")
                answer = await page.ask(type="say", text=f"{number}", seat=0)
                refused += answer["type"] == "refused"
                await page.close()
            assert refused == 10

    run(test())


def test_people_who_share_an_address_have_a_share_each_and_strangers_there_one() -> None:
    async def test() -> None:
        async with world(lines_per_second=0.001) as inside:
            made = await inside.make()
            for _ in range(3):
                page = await (await meet(inside)).page("", made["seats"][0])
                for number in range(20):
                    assert (await page.ask(type="say", text=f"{number}", seat=0))["type"] == "done"
                assert await page.refused(type="say", text="more", seat=0) == "too-fast"
            nobody = await inside.page(made["seats"][1])
            answers = [(await nobody.ask(type="say", text=f"{n}", seat=1))["type"] for n in range(21)]
            assert answers == ["done"] * 20 + ["refused"]

    run(test())


def test_all_people_at_an_address_together_have_a_limit() -> None:
    async def test() -> None:
        async with world(lines_per_second=0.001) as inside:
            made = await inside.make()
            done = 0
            for _ in range(8):
                page = await (await meet(inside)).page("", made["seats"][0])
                for number in range(20):
                    done += (await page.ask(type="say", text=f"{number}", seat=0))["type"] == "done"
            assert done == 100

    run(test())


def test_persons_are_forgotten_when_their_limits_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_limits, "KEPT", 50)
    limits = AllPersonLimits(Settings())
    limits.of("busy").count_report()
    for number in range(200):
        limits.of(f"{number}")
    assert len(limits) <= 51
    assert limits.of("busy").is_idle is False


def test_one_person_makes_a_share_of_the_tables_of_their_address() -> None:
    async def test() -> None:
        async with world(tables_per_minute=10) as inside:
            ann, bob = await meet(inside), await meet(inside)
            wanted = {"seats": [{"kind": "person"}] * 2}
            codes = [(await ann.ask("POST", "/api/tables", wanted)).status_code for _ in range(3)]
            assert codes == [200, 200, 429]
            assert (await bob.ask("POST", "/api/tables", wanted)).status_code == 200

    run(test())
