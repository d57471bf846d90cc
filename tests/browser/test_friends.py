"""Three people on three pages, and a spectator."""

from random import Random

from playwright.sync_api import expect
from server.client import Json

from browser.positions import near_the_end
from browser.users import Browsers, BrowserUser

NASTY = '<img src=x onerror="document.title=1">'


def invite(user: BrowserUser, seats: int) -> tuple[list[str], str]:
    """Set up a table for friends; returns the links of their seats and the one for spectators."""
    user.open("/new/friends")
    for _ in range(seats - 2):
        user.press("add-seat")
    user.press("board-first")
    user.press("start-game")
    expect(user.find("go-table")).to_be_visible()
    user.page.locator("[data-testid=single-links] > summary").click()
    expect(user.find("copy-link-watch")).to_be_visible()
    links: list[str] = user.page.locator("main input[readonly]").evaluate_all("(all) => all.map((each) => each.value)")
    assert len(links) == seats + 1, "first the link of the table"
    assert user.page.get_by_role("img", name="QR code of the link").count() == seats + 1
    user.press("go-table")
    user.await_turn()
    return links[1:-1], links[-1]


def follow(user: BrowserUser, link: str) -> BrowserUser:
    user.page.goto(link)
    user.page.wait_for_function("() => location.hash.startsWith('#/table/')")
    return user


def join(user: BrowserUser, link: str, name: str, colour: int) -> BrowserUser:
    follow(user, link)
    user.find("join-name").fill(name)
    user.find(f"join-colour-{colour}").check(force=True)
    user.press("join")
    expect(user.find("join")).to_be_hidden()
    return user


def say(user: BrowserUser, text: str) -> None:
    user.press("chat-tab")
    user.find("chat-input").fill(text)
    user.page.keyboard.press("Enter")


def test_three_people_and_a_spectator_play_a_whole_game(visit: Browsers) -> None:
    ann, ben, cleo, watcher = (visit(viewport={"width": 1000, "height": 640}) for _ in range(4))
    links, watch = invite(ann, 3)
    join(ben, links[0], "Ben", 4)
    join(cleo, links[1], "Cleo", 3)
    follow(watcher, watch)
    everybody = [ann, ben, cleo, watcher]
    for each in everybody:
        seats = each.page.locator("li[data-seat]")
        expect(seats.nth(1)).to_contain_text("Ben")
        expect(seats.nth(2)).to_contain_text("Cleo")
    expect(ann.page.get_by_text("1 person is looking on")).to_be_visible()

    say(ben, "Good rng, all")
    for each in everybody:
        each.press("chat-tab")
        expect(each.find("chat")).to_contain_text("Ben Good rng, all")
        each.page.locator("#tab-log").click()

    rng = Random(5)
    turn = 0
    sight = ann.look()
    while not sight.over:
        player = everybody[turn % 3]
        sight = player.play_turn(rng, tiles=turn % 4 == 0)
        turn += 1
        for each in everybody:
            each.reaches(sight.ply)
        if turn % 6 == 1:
            pieces = ann.pieces()
            assert pieces == ben.pieces() == cleo.pieces() == watcher.pieces()
            assert {piece.split()[0] for piece in pieces} <= {"settlement-1", "settlement-5", "settlement-4"}
            seen = watcher.look()
            assert not seen.my_turn
            assert not seen.glowing
            assert not seen.tiles
            for button in ("end-turn", "undo", "restart", "move-input"):
                expect(watcher.find(button)).to_have_count(0)
    assert turn > 30
    for each in everybody:
        expect(each.find("final")).to_be_visible()
        assert each.scores() == ann.scores()
    expect(ben.find("rematch-same")).to_have_count(0)
    expect(watcher.find("rematch-same")).to_have_count(0)

    ann.press("rematch-same")
    for each in everybody:
        expect(each.find("final")).to_be_hidden()
    ben.play_turn(rng, tiles=False)  # the seats have moved up by one
    ann.moved_from(3)


def test_the_spectator_cannot_act(visit: Browsers) -> None:
    watcher, player = visit(), visit()
    made = watcher.server.make_table(board="first")
    player.sit(made["seats"][0])
    watcher.watch(made["watch"])
    sight = player.look()
    watcher.point(sight.glowing[0])
    watcher.page.keyboard.press("e")
    watcher.page.keyboard.press("Control+z")
    player.take(sight, sight.glowing[0])
    watcher.reaches(sight.ply + 1)
    assert len(watcher.pieces()) == 1
    watcher.page.keyboard.press("Control+z")
    watcher.settle()
    assert len(player.pieces()) == 1
    assert player.look().ply == sight.ply + 1


def test_what_people_write_is_shown_as_text(visit: Browsers) -> None:
    ann, ben = visit(), visit()
    links, _ = invite(ann, 2)
    join(ben, links[0], NASTY[:24], 2)
    say(ben, NASTY)
    expect(ann.page.locator("li[data-seat]").nth(1)).to_contain_text(NASTY[:24])
    ann.press("chat-tab")
    expect(ann.find("chat")).to_contain_text(NASTY)
    for each in (ann, ben):
        assert each.page.locator("img[src=x]").count() == 0
        assert "Kingdom Builder" in each.page.title()
    ann.play_turn(Random(1))
    assert NASTY[:24] in ann.page.title()


def test_the_host_gives_a_seat_to_a_bot_and_to_a_new_person(visit: Browsers) -> None:
    ann, ben, dora = visit(), visit(), visit()
    links, _ = invite(ann, 2)
    join(ben, links[0], "Ben", 2)
    ann.play_turn(Random(1))
    ben.await_turn()
    ann.press("host")
    ann.press("reseat-bot-1")
    question = ann.page.get_by_role("dialog", name="Take the seat of Ben?")
    expect(question).to_contain_text("Ben is here now.")
    ann.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    assert ben.look().my_turn, "nothing has happened yet"
    ann.press("reseat-bot-1")
    ann.press("reseat-sure")
    ann.page.keyboard.press("Escape")
    ann.await_turn()
    assert len(ann.pieces()) >= 5, "the bot has played Ben's turn"
    expect(ann.page.locator("li[data-seat]").nth(1)).to_contain_text("Ben")
    assert not ben.look().glowing, "the board stays, for looking at"

    follow(ben, links[0])
    ben.press("take-back-1")
    expect(ben.find("stand-ins")).to_have_count(0)
    expect(ann.find("log")).to_contain_text("Ben is back and plays again.")
    ann.play_turn(Random(2))
    ben.play_turn(Random(3))
    ann.await_turn()

    ann.press("host")
    ann.press("reseat-person-1")
    ann.press("reseat-sure")
    expect(ben.find("trouble")).to_contain_text("The host has given your seat to somebody else.")
    link = ann.find("reseat-link-1").input_value()
    ann.page.keyboard.press("Escape")
    join(dora, link, "Dora", 3)
    expect(ann.page.locator("li[data-seat]").nth(1)).to_contain_text("Dora")
    ann.play_turn(Random(2))
    dora.play_turn(Random(3))
    ann.await_turn()


def tell(user: BrowserUser, told: Json) -> None:
    """Let the server say this about its address."""
    user.page.route("**/api/address", lambda route: route.fulfill(json=told))


def test_links_for_friends_have_an_address_that_friends_reach(visit: Browsers) -> None:
    ann, shared = visit(), "http://192.168.7.5:8000/"
    told = {"address": shared, "command": "", "everywhere": True}
    tell(ann, told)
    made = ann.server.make_table(["person", "open"], board="first")
    ann.own(made, 0)
    ann.page.evaluate(
        """([id, token]) => {
            const tables = JSON.parse(localStorage["kb-tables"]);
            tables[id].invites = { 1: token };
            localStorage["kb-tables"] = JSON.stringify(tables);
        }""",
        [made["id"], made["seats"][1]],
    )
    ann.open(f"/invite/{made['id']}")
    links = ann.page.locator("main input[readonly]")
    expect(links.nth(0)).to_have_value(f"{shared}#/seat/{made['seats'][1]}")
    expect(links.nth(1)).to_have_value(f"{shared}#/watch/{made['watch']}")
    expect(ann.find("only-here")).to_have_count(0)


def test_the_invite_page_says_what_would_help_and_nothing_else(visit: Browsers) -> None:
    ann = visit()
    made = ann.server.make_table(["person", "open"], board="first")
    ann.own(made, 0)
    for told, words, not_words in (
        (
            {"address": None, "command": "make play ARGS='--host 0.0.0.0'", "everywhere": False},
            "make play",
            "network now",
        ),
        ({"address": None, "command": "", "everywhere": True}, "in no network now", "start"),
        ({"address": None, "command": "", "everywhere": False}, "--host 0.0.0.0", "kb serve"),
    ):
        ann.page.unroute_all()
        tell(ann, told)
        ann.open("/about")
        ann.page.reload()
        ann.open(f"/invite/{made['id']}")
        expect(ann.find("only-here")).to_contain_text(words)
        expect(ann.find("only-here")).not_to_contain_text(not_words)


def test_several_people_at_one_device(visit: Browsers) -> None:
    user = visit()
    user.own(user.server.make_table(position=near_the_end().position), 0, 1)
    rng = Random(1)
    for seat in (0, 1, 0):
        expect(user.page.locator("li[data-seat][aria-current=true]")).to_have_attribute("data-seat", str(seat))
        user.play_turn(rng, tiles=False)


def test_the_next_person_at_a_shared_device_takes_it_before_anything_shows(visit: Browsers) -> None:
    user = visit()
    made = user.server.make_table(position=near_the_end().position)
    user.own(made, 0, 1)
    user.play_turn(Random(1), tiles=False)
    expect(user.find("hand-over")).to_be_visible()
    expect(user.find("take-device")).to_be_focused()
    covered = user.look()
    assert not covered.my_turn
    assert not covered.glowing
    assert not covered.tiles
    expect(user.find("move-input")).to_have_count(0)
    expect(user.find("end-turn")).to_have_count(0)
    for key in ("e", "1", "Control+z"):
        user.page.keyboard.press(key)
    user.settle()
    assert user.look().ply == covered.ply
    user.page.keyboard.press("Enter")
    expect(user.find("hand-over")).to_have_count(0)
    assert user.look().glowing

    user.press("look-0")
    hand = user.find("looked-at")
    expect(hand.get_by_role("img")).to_have_attribute("aria-label", "hidden card")
    user.press("look-now")
    expect(hand.get_by_role("img")).not_to_have_attribute("aria-label", "hidden card")
    user.press("look-now")
    expect(hand.get_by_role("img")).to_have_attribute("aria-label", "hidden card")
    user.page.keyboard.press("Escape")

    user.play_turn(Random(2), tiles=False)
    user.find("hand-over").get_by_role("checkbox").click()
    expect(user.find("hand-over")).to_have_count(0)
    user.play_turn(Random(3), tiles=False)
    expect(user.find("hand-over")).to_have_count(0)
