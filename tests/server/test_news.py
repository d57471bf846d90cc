"""What viewers are sent, and what they know when they come back."""

import asyncio

from kingdom_builder.server import looking
from server.inside import run, world
from server.test_party import Trial, last_view


def test_no_message_is_ahead_of_what_a_slow_reader_knows_of_the_game() -> None:
    """Otherwise a page that comes back claims to have seen what it was never sent."""

    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            slow = await inside.page(trial.made["watch"])
            slow.messages()
            slow.stalled = asyncio.Event()

            async def play() -> None:
                move = looking.view(trial.table, frozenset([trial.table.party.seats[0].token_hash])).legal[0]
                version = trial.table.version
                assert (await trial.host.ask(type="play", version=version, move=move))["type"] == "done"

            await play()
            await trial.host.ask(type="say", text="one", seat=0)
            await asyncio.sleep(0.01)  # the update of the move is under way now
            await play()
            await trial.host.ask(type="say", text="two", seat=0)
            slow.stalled.set()
            await slow.sync()
            known = 0
            for message in slow.messages():
                if message["type"] == "update":
                    known = message["version"]
                elif message["type"] in ("chat", "table"):
                    changes = [version for version in (2, 4) if known < version <= message["version"]]
                    assert not changes, message

    run(test())


def test_whoever_comes_back_in_the_middle_of_the_news_misses_no_line() -> None:
    async def test() -> None:
        async with world() as inside:
            trial = await Trial().start(inside)
            slow = await inside.page(trial.made["watch"])
            game = slow.messages()[0]["table"]["game"]
            slow.stalled = asyncio.Event()
            await trial.host.ask(type="say", text="one", seat=0)
            move = last_view(trial.host)["legal"][0]
            assert (await trial.host.ask(type="play", version=trial.table.version, move=move))["type"] == "done"
            await trial.host.ask(type="say", text="two", seat=0)
            slow.stalled.set()
            await slow.sync()
            told = [message for message in slow.messages() if message["type"] in ("update", "chat", "table")]
            for cut in range(len(told) + 1):
                version = max([1, *(message["version"] for message in told[:cut])])
                heard = {line["text"] for message in told[:cut] for line in message.get("lines", []) if "text" in line}
                back = await inside.page(trial.made["watch"], version=version, game=game)
                for message in back.everything():
                    heard |= {line["text"] for line in message.get("lines", []) if "text" in line}
                    heard |= {line["text"] for line in message.get("chat", [])}
                assert heard == {"one", "two"}, cut

    run(test())
