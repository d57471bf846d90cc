"""Fairness at the table: new players, void keys, watchers, names, bots that fail."""

from pathlib import Path

import pytest

from kingdom_builder.notation import position_of
from kingdom_builder.rules import observe
from kingdom_builder.server import bots, entries, looking
from kingdom_builder.server.carried_out import COMMANDS_KEPT
from kingdom_builder.server.company import OWN_ID
from kingdom_builder.server.desk import BotTurn
from kingdom_builder.server.party import CHAT_KEPT
from kingdom_builder.server.table import Table
from kingdom_builder.server.workers import Asker
from server.inside import Dealer, Json, Page, World, dealers, frozen, run, world

__all__ = ["dealers"]


def last_table(page: Page) -> Json:
    """The last message about the people that a page got."""
    tables = [message["table"] for message in page.everything() if "table" in message]
    return dict(tables[-1])


def last_view(page: Page) -> Json:
    return dict([message["view"] for message in page.everything() if "view" in message][-1])


async def play_until(table: Table, page: Page, player: int) -> None:
    """Everybody, on one page, plays until it is a seat's turn."""
    keys = frozenset(chair.token_hash for chair in table.party.seats)
    while table.game.state.player != player:
        move = looking.view(table, keys).legal[0]
        assert (await page.ask(type="play", version=table.version, move=move))["type"] == "done"


class Trial:
    """A table of three, of which the host reseats one."""

    async def start(self, inside: World, players: int = 3) -> "Trial":
        self.inside = inside
        self.made = await inside.make(players)
        self.table = await inside.table(self.made)
        seats = self.made["seats"]
        self.host = await inside.page(seats[0], self.made["host"])
        self.victim = await inside.page(seats[1])
        self.others = [await inside.page(token) for token in seats[2:]]
        return self

    async def reseat(self, identity: str = "reseat") -> str:
        done = await self.host.ask(type="reseat", seat=1, id=identity)
        assert done["type"] == "done", done
        token: str = done["token"]
        return token


def test_the_host_cannot_look_at_a_hand_by_giving_the_seat_to_somebody_else() -> None:
    async def test() -> None:
        async with world(Dealer(1), frozen) as inside:
            trial = await Trial().start(inside)
            hand = trial.table.game.state.hands[1]
            taken = await inside.page(await trial.reseat())
            assert last_view(taken)["hands"][1] == "?"
            assert last_table(taken)["seats"][1]["veiled"]
            assert all(line["move"] == "=?" for line in taken.everything()[0]["lines"] if line["seat"] == 1)
            # The card is open to all when it is played, and the next one is drawn by the new player.
            everybody = await inside.page(trial.made["seats"][0], trial.made["seats"][2])
            await play_until(trial.table, everybody, 1)
            await taken.sync()
            assert last_view(taken)["card"] == hand
            while trial.table.game.state.player == 1:
                await taken.ask(type="play", version=trial.table.version, move=last_view(taken)["legal"][0])
                await taken.sync()
            assert "?" not in last_view(taken)["hands"][1]
            assert not trial.table.party.veils

    run(test())


@pytest.mark.usefixtures("dealers")
def test_a_veiled_hand_reveals_nothing_to_the_new_token() -> None:
    """What the new key gets is the same whatever the card is."""

    async def told(card: str) -> list[str]:
        dealer = Dealer(1)
        dealer.script = ["G", card, "C"]
        async with world(dealer, frozen) as inside:
            made = await inside.make(3, seed="7")
            table = await inside.table(made)
            assert table.game.state.hands[1] == card
            host = await inside.page(made["host"])
            table.rng = Dealer(2)
            token = (await host.ask(type="reseat", seat=1, id="1"))["token"]
            page = await inside.page(token)
            await page.ask(type="why", move="a1", id="2")
            await page.ask(type="scores", id="3")
            replay = (await inside.get("/api/table/replay", token)).text
            record = (await inside.get("/api/table/record", token)).text
            return [text.replace(made["id"], "") for text in [*page.received, replay, record]]

    async def test() -> None:
        first, second = [
            [text for text in await told(card) if '"pong"' not in text and '"table"' not in text[:20]] for card in "DF"
        ]
        assert first == second

    run(test())


def test_the_host_cannot_look_at_a_hand_by_way_of_a_bot() -> None:
    """Whoever has a veiled seat finds it veiled when they take it back from a bot."""

    async def test() -> None:
        async with world(Dealer(1), frozen) as inside:
            trial = await Trial().start(inside)
            taken = await inside.page(await trial.reseat())
            await trial.host.ask(type="reseat", seat=1, level="random")
            await taken.sync()
            assert last_view(taken)["hands"][1] == "?"
            assert not last_table(trial.host)["seats"][1]["veiled"], "a bot sees its hand"
            assert (await taken.ask(type="take-back", seat=1))["type"] == "done"
            await taken.sync()
            assert last_view(taken)["hands"][1] == "?"
            assert last_table(taken)["seats"][1]["veiled"]

    run(test())


def test_there_are_no_hints_while_a_bot_stands_in_for_somebody_elsewhere() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside, 2)
            await trial.victim.ask(type="join", seat=1, name="Ben", colour=1)
            await trial.host.ask(type="reseat", seat=1, level="random")
            await trial.host.sync()
            assert not last_table(trial.host)["hints"]

    run(test())


def test_the_name_of_somebody_a_bot_stands_in_for_stays_theirs() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            await trial.victim.ask(type="join", seat=1, name="Ben", colour=1)
            await trial.host.ask(type="reseat", seat=1, level="random")
            refused = await trial.others[0].ask(type="join", seat=2, name="Ben", colour=2)
            assert refused["refusal"]["code"] == "taken"
            assert (await trial.victim.ask(type="say", text="I am here"))["type"] == "done"
            assert [(line.role, line.name) for line in trial.table.party.chat] == [("watcher", "Ben")]
            await trial.host.ask(type="reseat", seat=1, level="greedy")
            assert trial.table.party.seats[1].name == "Ben"
            assert (await trial.victim.ask(type="take-back", seat=1))["type"] == "done", "after another bot too"

    run(test())


def test_somebody_who_came_back_is_there_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            trial = await Trial().start(inside)
            made = trial.made
            await trial.host.ask(type="reseat", seat=1, level="random")
            await trial.host.ask(type="reseat", seat=2, level="random")
            await trial.victim.ask(type="take-back", seat=1)
        async with world(data=tmp_path) as inside:
            table = await inside.table(made)
            assert [seat.kind for seat in table.party.seats] == ["person", "open", "bot"]
            third = await inside.page(made["seats"][2])
            assert (await third.ask(type="take-back", seat=2))["type"] == "done"

    run(test())


def test_a_reseat_is_a_notice_that_all_see() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher = await inside.page(trial.made["watch"])
            await trial.reseat()
            await trial.host.ask(type="reseat", seat=2, level="random")
            for page in (trial.host, watcher):
                await page.sync()
                notices = last_table(page)["notices"]
                assert [(each["kind"], each["seat"], each["name"]) for each in notices] == [
                    ("new-player", 1, "Player B"),
                    ("bot-took-over", 2, "Player C"),
                ]

    run(test())


def test_the_others_can_agree_to_show_a_hand_but_not_the_host_alone() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            taken = await inside.page(await trial.reseat())
            (third,) = trial.others
            assert await taken.refused(type="agree", seat=1) == "forbidden"
            assert (await trial.host.ask(type="agree", seat=1))["type"] == "done"
            assert await trial.host.refused(type="agree", seat=1) == "forbidden"
            await taken.sync()
            assert last_view(taken)["hands"][1] == "?"
            await third.sync()
            assert last_table(third)["agreeable"] == [1]
            assert (await third.ask(type="agree", seat=1))["type"] == "done"
            await taken.sync()
            assert last_view(taken)["hands"][1] == trial.table.game.state.hands[1]
            assert [notice["kind"] for notice in last_table(taken)["notices"]] == ["new-player", "hand-shown"]

    run(test())


def test_with_two_players_nobody_is_left_to_agree() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside, players=2)
            taken = await inside.page(await trial.reseat())
            await trial.host.sync()
            assert last_table(trial.host)["agreeable"] == []
            assert await trial.host.refused(type="agree", seat=1) == "forbidden"
            assert last_view(taken)["hands"][1] == "?"

    run(test())


def test_the_host_cannot_agree_from_a_page_that_does_not_show_the_hosts_key() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside, players=2)
            mine = await inside.page(trial.made["seats"][0])
            taken = await inside.page(await trial.reseat())
            await mine.sync()
            assert last_table(mine)["agreeable"] == []
            assert await mine.refused(type="agree", seat=1) == "forbidden"
            await taken.sync()
            assert last_view(taken)["hands"][1] == "?"

    run(test())


def test_the_host_cannot_agree_with_a_second_seat_that_was_reseated() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            mine = await inside.page(trial.made["seats"][0])
            second = (await trial.host.ask(type="reseat", seat=2))["token"]
            puppet = await inside.page(second)
            await puppet.ask(type="join", seat=2, name="Puppet", colour=2)
            taken = await inside.page(await trial.reseat())
            for page in (mine, puppet):
                await page.ask(type="agree", seat=1)
            await taken.sync()
            assert last_view(taken)["hands"][1] == "?"

    run(test())


def test_a_repeated_reseat_returns_the_token_again_even_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            trial = await Trial().start(inside)
            made = trial.made
            token = await trial.reseat("1")
            assert await trial.reseat("1") == token
            watch = (await trial.host.ask(type="renew", id="2"))["token"]
        async with world(data=tmp_path) as inside:
            host = await inside.page(made["host"])
            assert (await host.ask(type="reseat", seat=1, id="1"))["token"] == token
            assert (await host.ask(type="renew", id="2"))["token"] == watch
            page = await inside.page(token)
            assert last_table(page)["yours"] == [1]
            assert last_table(await inside.page(watch))["yours"] == []
            table = await inside.table({**made, "watch": watch})
            stored = [entries.decode(each.body) for each in (await inside.tables.journal.load(made["id"])).entries]
            assert len(stored) == table.version == 3
            assert token.partition(".")[2] not in str(stored)

    run(test())


def test_a_void_key_is_sent_away_at_once_and_does_nothing_more() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            both = await inside.page(*trial.made["seats"][1:])
            await trial.reseat()
            await trial.victim.ended()
            assert trial.victim.closed == 1008
            assert trial.victim.everything()[-1]["refusal"]["code"] == "void-key"
            await both.sync()
            assert last_table(both)["yours"] == [2]
            assert await both.refused(type="say", seat=1, text="x") == "forbidden"
            late = await inside.stranger()
            late.say(f'{{"type": "hello", "tokens": ["{trial.made["seats"][1]}"]}}')
            await late.ended()
            assert late.everything()[-1]["refusal"]["code"] == "unknown-key"

    run(test())


def test_the_host_renews_the_watch_link() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher = await inside.page(trial.made["watch"])
            assert await watcher.refused(type="renew") == "forbidden"
            token = (await trial.host.ask(type="renew"))["token"]
            await watcher.ended()
            assert watcher.everything()[-1]["refusal"]["code"] == "void-key"
            again = await inside.page(token)
            assert last_table(again)["notices"][-1]["kind"] == "watch-link-renewed"
            assert not trial.victim.task.done()

    run(test())


def test_the_host_mutes_and_removes_watchers() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher, other = await inside.page(trial.made["watch"], client="1.1.1.1"), None
            other = await inside.page(trial.made["watch"], client="2.2.2.2")
            await other.ask(type="say", text="Hi", name="Zoe")
            await trial.host.settled_table()
            guests = last_table(trial.host)["watcher_list"]
            assert [guest["name"] for guest in guests] == ["", "Zoe"]
            assert last_table(other)["watcher_list"] == []
            number = guests[1]["number"]
            for command in ({"type": "mute", "watcher": number, "on": True}, {"type": "remove", "watcher": number}):
                assert await trial.victim.refused(**command) == "forbidden"
                assert await other.refused(**command) == "forbidden"
            assert (await trial.host.ask(type="mute", watcher=number, on=True))["type"] == "done"
            assert await other.refused(type="say", text="x", name="Zoe") == "muted"
            assert (await watcher.ask(type="say", text="x", name="Ada"))["type"] == "done"
            assert (await trial.host.ask(type="mute", watcher=number, on=False))["type"] == "done"
            assert (await other.ask(type="say", text="x", name="Zoe"))["type"] == "done"
            assert (await trial.host.ask(type="remove", watcher=number))["type"] == "done"
            await other.ended()
            assert other.everything()[-1]["refusal"]["code"] == "removed"
            back = await inside.page(trial.made["watch"], client="2.2.2.2")
            assert back.everything()[-1]["refusal"]["code"] == "removed"
            assert not watcher.task.done()
            for seat in range(3):
                assert await trial.host.refused(type="remove", watcher=seat + 1) == "malformed"

    run(test())


def test_watchers_are_hushed_for_good(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            trial = await Trial().start(inside)
            made = trial.made
            assert await trial.victim.refused(type="hush", on=True) == "forbidden"
            assert (await trial.host.ask(type="hush", on=True))["type"] == "done"
        async with world(data=tmp_path) as inside:
            watcher, player = await inside.page(made["watch"]), await inside.page(made["seats"][1])
            assert last_table(watcher)["hushed"]
            assert await watcher.refused(type="say", text="x") == "muted"
            assert (await player.ask(type="say", text="x", seat=1))["type"] == "done"

    run(test())


ANNS = ["Ann", "ann", " A\u200bnn", "\u0410nn", "\uff21\uff4e\uff4e", "A\u0301nn", "\u1d00nn", "A n n", "ANN."]


@pytest.mark.parametrize("name", ANNS)
def test_a_watcher_cannot_speak_under_a_name_that_looks_like_a_players(name: str) -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher = await inside.page(trial.made["watch"])
            await trial.victim.ask(type="join", seat=1, name="Ann", colour=1)
            assert await watcher.refused(type="say", text="x", name=name) == "taken"
            assert await trial.others[0].refused(type="join", seat=2, name=name, colour=2) == "taken"
            assert (await watcher.ask(type="say", text="x", name="Anna"))["type"] == "done"
            assert (await trial.victim.ask(type="join", seat=1, name="Ann", colour=1))["type"] == "done"

    run(test())


def test_a_page_that_shows_fewer_keys_does_nothing_twice() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            tokens = [*trial.made["seats"], trial.made["host"], trial.made["watch"]]
            page = await inside.page(*tokens)
            await page.ask(type="say", id="1" * OWN_ID, text="once", seat=0)
            for token in tokens:
                done = await (await inside.page(token)).ask(type="say", id="1" * OWN_ID, text="once", name="Zoe")
                assert done["type"] == "done"
            assert [line.text for line in trial.table.party.chat] == ["once"]

    run(test())


def test_the_talk_of_a_watcher_does_not_push_out_what_a_player_did() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            watcher = await inside.page(trial.made["watch"])
            move = last_view(trial.host)["legal"][0]
            command = {"type": "play", "id": "move", "version": trial.table.version, "move": move}
            done = await trial.host.ask(**command)
            for number in range(COMMANDS_KEPT + 10):
                await watcher.ask(type="say", text=str(number))
            assert await trial.host.ask(**command) == done
            assert len(trial.table.party.chat) == CHAT_KEPT

    run(test())


def test_a_bot_that_fails_is_reported_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with world(max_connections_per_table=50) as inside:
            seats = [{"kind": "person"}, {"kind": "bot", "level": "hard", "name": "Deep"}]
            made = (await inside.http.post("/api/tables", json={"seats": seats})).json()
            page = await inside.page(made["seats"][0])
            table = await inside.table(made)
            think = bots.Bots._think

            async def fail(self: bots.Bots, asker: Asker, level: str, position: str) -> BotTurn | None:
                return None if level in ("hard", "greedy") else await think(self, asker, level, position)

            monkeypatch.setattr(bots.Bots, "_think", fail)
            for _ in range(40):
                await page.sync()
                view = last_view(page)
                if table.game.state.player == 0:
                    await page.ask(type="play", version=table.version, move=view["legal"][0])
                else:
                    await page.until(lambda message: message["type"] == "update" and message["view"]["player"] == 0)
            assert table.game.state.round > 3
            notices = last_table(page)["notices"]
            assert [(each["kind"], each["seat"], each["name"]) for each in notices] == [("bot-failed", 1, "Deep")]

    run(test())


def test_hidden_hands_of_the_position_stay_hidden() -> None:
    """The observation of a veiled seat is that of a spectator."""

    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            token = await trial.reseat()
            replay = (await inside.get("/api/table/replay", token)).json()
            assert replay["frames"][-1]["position"] == position_of(observe(trial.table.game.state, None))

    run(test())


def test_bots_are_as_fast_as_all_players_want() -> None:
    """One person alone decides; spectators and those whose seat a bot plays do not."""

    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside, 2)
            table, host, victim = trial.table, trial.host, trial.victim

            def speed() -> str:
                return table.viewers.bot_speed(table.party)

            watcher = await inside.page(trial.made["watch"])
            assert (await watcher.ask(type="bot-speed", speed="instant"))["type"] == "done"
            assert speed() == "normal"
            await host.ask(type="bot-speed", speed="instant")
            assert speed() == "normal", "the other player did not ask for it"
            await victim.ask(type="bot-speed", speed="instant")
            assert speed() == "instant"
            await victim.ask(type="bot-speed", speed="slow")
            assert speed() == "normal"
            await host.ask(type="reseat", seat=1, level="random")
            assert speed() == "instant", "the host plays alone"

    run(test())


def test_people_who_share_a_page_look_at_their_own_hands_one_by_one() -> None:
    async def test() -> None:
        async with world(Dealer(1), frozen) as inside:
            made = await inside.make(2)
            table = await inside.table(made)
            together = await inside.page(*made["seats"])
            await together.sync()
            assert last_view(together)["hands"][1] == "?"
            for seat in (0, 1):
                looked = await together.ask(type="look", seat=seat)
                assert (looked["type"], looked["cards"]) == ("hand", table.game.state.hands[seat])
            alone = await inside.page(made["seats"][0])
            assert (await alone.ask(type="look", seat=1))["refusal"]["code"] == "forbidden"

    run(test())


def test_a_veiled_hand_cannot_be_looked_at_either() -> None:
    async def test() -> None:
        async with world(Dealer(1), frozen) as inside:
            trial = await Trial().start(inside)
            taken = await inside.page(await trial.reseat())
            assert (await taken.ask(type="look", seat=1))["refusal"]["code"] == "forbidden"

    run(test())
