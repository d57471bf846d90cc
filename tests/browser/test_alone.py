"""Against a bot, from one press to the final scores."""

from random import Random

from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import near_the_end


def play_to_the_end(guest: Guest, rng: Random) -> None:
    sight = guest.await_turn()
    while not sight.over:
        sight = guest.act(sight, rng) if sight.my_turn else guest.await_turn()


def test_one_press_leads_to_a_whole_game_and_a_rematch(visit: Inn) -> None:
    guest = visit(reduced_motion="no-preference").open()
    guest.press("play-now")
    sight = guest.await_turn()
    assert sight.glowing
    assert guest.page.title().startswith("Your turn")
    board = guest.map()
    play_to_the_end(guest, Random(1))

    expect(guest.find("final")).to_contain_text("gold")
    scores = guest.scores()
    for seat in (0, 1):
        parts = [gold for key, gold in scores.items() if key.startswith(f"{seat}-")]
        assert len(parts) == 4, "three cards and the castles"
        assert scores[f"total-{seat}"] == sum(parts)
    best = max(scores["total-0"], scores["total-1"])
    expect(guest.find("final").get_by_role("heading")).to_contain_text(f"{best} gold")
    expect(guest.find("final").get_by_role("figure", name="Gold over the turns")).to_be_visible()

    guest.press("rematch-same")
    expect(guest.find("final")).to_be_hidden()
    guest.play_turn(Random(2))
    assert guest.map() == board


def test_hexes_that_pay_are_lit_and_a_rematch_has_a_new_board(visit: Inn) -> None:
    guest = visit()
    guest.own(guest.server.make_table(("person", "greedy"), position=near_the_end().position), 0)
    board = guest.map()
    play_to_the_end(guest, Random(3))

    scores = guest.scores()
    key = max((key for key in scores if key.startswith("0-")), key=lambda key: scores[key])
    guest.find(f"score-{key}").hover()
    expect(guest.page.locator("path.veil")).to_be_attached()
    guest.page.mouse.move(5, 5)
    expect(guest.page.locator("path.veil")).not_to_be_attached()

    guest.press("rematch-new")
    expect(guest.find("final")).to_be_hidden()
    guest.play_turn(Random(4))
    assert guest.map() != board
