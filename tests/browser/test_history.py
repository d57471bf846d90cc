"""Games on this device: begun with one press, continued, and remembered."""

from random import Random

from playwright.sync_api import expect

from browser.positions import near_the_end
from browser.test_alone import play_to_the_end
from browser.users import Browsers, BrowserUser


def finish(user: BrowserUser) -> None:
    """Play the end of a game against a bot."""
    made = user.server.make_table(["person", "greedy"], position=near_the_end().position)
    user.own(made, 0)
    play_to_the_end(user, Random(1))
    expect(user.find("final")).to_be_visible()


def test_play_remembers_what_the_last_quick_game_was(visit: Browsers) -> None:
    user = visit().open()
    expect(user.find("quick-summary")).to_contain_text("easy")
    user.find("quick").locator("summary").click()
    user.find("quick-level").select_option("marina")
    expect(user.find("quick-text")).to_contain_text("water")
    user.press("quick-players-3")
    user.press("quick-set-nomads")
    user.press("play-now")
    user.await_turn()
    seats = user.page.locator("li[data-seat]")
    expect(seats).to_have_count(3)
    expect(seats.nth(1)).to_contain_text("Marina 1")
    expect(seats.nth(1)).to_contain_text("water")
    first = user.map()

    user.open("/")
    user.page.reload()
    for words in ("Marina", "3 players", "Nomads"):
        expect(user.find("quick-summary")).to_contain_text(words)
    user.press("play-now")
    user.await_turn()
    expect(seats).to_have_count(3)
    assert user.map() != first, "the board is another one"


def test_a_quick_game_that_is_no_longer_offered_falls_back(visit: Browsers) -> None:
    user = visit().open("/about")
    user.page.evaluate(
        """() => localStorage.setItem("kb-quick", JSON.stringify(
            {version: 7, level: "genius", sets: ["atlantis", 3], players: 99}))"""
    )
    user.open("/")
    user.page.reload()
    expect(user.find("quick-summary")).to_contain_text("easy · 5 players · Kingdom Builder")
    user.press("play-now")
    user.await_turn()


def test_bots_are_slow_normal_or_instant(visit: Browsers) -> None:
    user = visit()
    sent: list[str] = []
    user.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    user.open()
    user.press("play-now")
    user.await_turn()
    user.press("preferences")
    user.press("bot-speed-instant")
    expect(user.find("bot-speed-instant")).to_have_attribute("aria-pressed", "true")
    user.page.keyboard.press("Escape")
    user.play_turn(Random(1))
    user.await_turn()
    assert any('"bot-speed"' in frame and "instant" in frame for frame in sent)
    user.page.reload()
    user.await_turn()
    hellos = [frame for frame in sent if '"hello"' in frame]
    assert '"bot_speed":"normal"' in hellos[0]
    assert '"bot_speed":"instant"' in hellos[-1]


def test_continue_says_against_whom_and_whose_turn(visit: Browsers) -> None:
    user = visit().open()
    user.press("play-now")
    user.await_turn()
    user.open("/")
    entry = user.page.locator('[data-testid^="continue-"]')
    expect(entry).to_contain_text("Against Bot")
    expect(entry).to_contain_text("round 1 · your turn")


def test_finished_games_are_remembered_and_can_be_deleted(visit: Browsers) -> None:
    user = visit()
    finish(user)
    gold = user.scores()["total-0"]
    user.open("/")
    user.press("history")
    games = user.find("past-game")
    expect(games).to_have_count(1)
    expect(games).to_contain_text(str(gold))
    expect(user.find("bests")).to_contain_text("1, ")
    user.find("filter-players").select_option("3")
    expect(games).to_have_count(0)
    user.find("filter-players").select_option("0")
    user.find("filter-rivals").select_option("bots")
    expect(games).to_have_count(1)
    games.get_by_role("link", name="Replay").click()
    expect(user.find("board")).to_be_visible()

    user.open("/history")
    user.press("play-again")
    user.await_turn()
    user.open("/history")
    user.press("forget-all")
    user.press("forget-all-sure")
    expect(user.find("no-games")).to_be_visible()
    user.page.reload()
    expect(user.find("no-games")).to_be_visible()


def test_games_of_others_are_not_remembered(visit: Browsers) -> None:
    user, watcher = visit(), visit()
    made = user.server.make_table(["person", "greedy"], position=near_the_end().position)
    watcher.watch(made["watch"])
    user.own(made, 0)
    play_to_the_end(user, Random(1))
    expect(watcher.find("final")).to_be_visible()
    watcher.open("/history")
    expect(watcher.find("no-games")).to_be_visible()
