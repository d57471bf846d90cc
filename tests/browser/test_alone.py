"""Against a bot, from one press to the final scores."""

from random import Random

from playwright.sync_api import expect

from browser.positions import near_the_end
from browser.users import Browsers, BrowserUser


def play_to_the_end(user: BrowserUser, rng: Random) -> None:
    sight = user.await_turn()
    while not sight.over:
        sight = user.act(sight, rng) if sight.my_turn else user.await_turn()


def test_one_press_leads_to_a_whole_game_and_a_rematch(visit: Browsers) -> None:
    user = visit(reduced_motion="no-preference").open()
    user.press("play-now")
    sight = user.await_turn()
    assert sight.glowing
    assert user.page.title().startswith("Your turn")
    board = user.map()
    play_to_the_end(user, Random(1))

    expect(user.find("final")).to_contain_text("gold")
    scores = user.scores()
    for seat in (0, 1):
        parts = [gold for key, gold in scores.items() if key.startswith(f"{seat}-")]
        assert len(parts) == 4, "three cards and the castles"
        assert scores[f"total-{seat}"] == sum(parts)
    best = max(scores["total-0"], scores["total-1"])
    expect(user.find("final").get_by_role("heading")).to_contain_text(f"{best} gold")
    expect(user.find("final").get_by_role("figure", name="Gold over the turns")).to_be_visible()

    user.press("rematch-same")
    expect(user.find("final")).to_be_hidden()
    user.play_turn(Random(2))
    assert user.map() == board


def test_hexes_that_pay_are_lit_and_a_rematch_has_a_new_board(visit: Browsers) -> None:
    user = visit()
    user.own(user.server.make_table(("person", "greedy"), position=near_the_end().position), 0)
    board = user.map()
    play_to_the_end(user, Random(3))

    scores = user.scores()
    key = max((key for key in scores if key.startswith("0-")), key=lambda key: scores[key])
    user.find(f"score-{key}").hover()
    expect(user.page.locator("path.veil")).to_be_attached()
    user.page.mouse.move(5, 5)
    expect(user.page.locator("path.veil")).not_to_be_attached()

    user.press("rematch-new")
    expect(user.find("final")).to_be_hidden()
    user.play_turn(Random(4))
    assert user.map() != board
