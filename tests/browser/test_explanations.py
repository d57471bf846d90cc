"""Whatever is on the board or beside it explains itself, to mouse, finger and keyboard; and so does a refusal."""

from functools import cache

import pytest
from playwright.sync_api import Locator, expect

from browser.axe import violations
from browser.positions import GOLDEN, first_uses
from browser.users import Browsers, BrowserUser
from kingdom_builder.content import COMPONENTS
from kingdom_builder.hexes import NEAR, bits, hex_name, parse_hex, row_col
from kingdom_builder.notation import parse_record, position_of
from kingdom_builder.rules import State
from kingdom_builder.rules.explanations import things

COMPONENT = {component.key: component for component in COMPONENTS}
SMALL_PHONE = {"width": 360, "height": 640}
LYING_PHONE = {"width": 844, "height": 390}


@cache
def full_table() -> State:
    """The beginning of a turn in the middle of a game with all boxes."""
    record = parse_record((GOLDEN / "all-00.kbr").read_text("utf-8"))
    state = record.start.copy()
    actions = record.actions()
    for number, action in enumerate(actions):
        is_begin = state.builds_left == 3 and state.card and not state.awaiting and state.acting is None
        if is_begin and number > len(actions) * 0.6:
            return state
        state.apply(action)
    raise AssertionError("the game is too short")


def sit(user: BrowserUser, state: State | None = None) -> BrowserUser:
    state = state or full_table()
    made = user.server.make_table(["person"] * state.setup.players, position=position_of(state))
    return user.sit(made["seats"][state.player])


def location(taken: bool = False) -> str:
    """A location of which the current player has a tile, or may still get one."""
    state = full_table()
    for tile, (h, _) in enumerate(state.setup.board.locations):
        if bool(state.taken[state.player] >> tile & 1) == taken and (taken or state.tiles_left[tile]):
            return hex_name(h)
    raise AssertionError("no such location")


def key_at(place: str) -> str:
    return dict(full_table().setup.board.locations)[parse_hex(place)]


def hover(user: BrowserUser, place: str) -> None:
    user.page.mouse.move(*user.pixel(place))


def card(user: BrowserUser) -> Locator:
    return user.find("explanation")


def check_place(user: BrowserUser, beside: Locator, place: str) -> None:
    """It is inside the window, and not on the hex that it is about."""
    box, window = beside.bounding_box(), user.page.viewport_size
    assert box is not None
    assert window is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]
    x, y = user.pixel(place)
    is_over = box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]
    assert not is_over, place


# ---- mouse -----------------------------------------------------------------------------------------------------------


def test_a_resting_mouse_opens_the_card_of_a_location(visit: Browsers) -> None:
    user = sit(visit())
    place = location()
    hover(user, place)
    expect(card(user)).to_contain_text(COMPONENT[key_at(place)].name)
    expect(card(user)).to_contain_text(COMPONENT[key_at(place)].text)
    expect(card(user)).to_contain_text("Put a piece next to it and you take a tile")
    expect(card(user)).to_contain_text("left to be taken")
    check_place(user, card(user), place)
    box = card(user).bounding_box()
    assert box is not None
    user.page.mouse.move(box["x"] + 30, box["y"] + 30, steps=3)
    user.page.wait_for_timeout(600)
    expect(card(user)).to_be_visible()
    user.page.mouse.move(box["x"] + box["width"] + 200, 5, steps=3)
    expect(card(user)).to_have_count(0)


def test_a_card_says_who_has_a_tile(visit: Browsers) -> None:
    user = sit(visit())
    user.point(location(taken=True))
    expect(card(user)).to_contain_text("You have one.")
    state = full_table()
    other = next(
        hex_name(h)
        for tile, (h, _) in enumerate(state.setup.board.locations)
        if state.held[1 - state.player] >> tile & 1
    )
    user.page.keyboard.press("Escape")
    user.point(other)
    expect(card(user)).to_contain_text(f"Player {'AB'[1 - state.player]} has one.")


def test_everything_on_the_board_has_a_card(visit: Browsers) -> None:
    """Each kind of thing that the board shows."""
    user = sit(visit())
    state = full_table()
    names = {"K": "Castles", "I": "Silo", "V": "Cave"}
    seen = set()
    for h in bits(things(state.setup)):
        letter = state.setup.board.letter(h)
        tile = state.setup.nomads.get(h)
        name = names.get(letter) or (COMPONENT[key_at(hex_name(h))].name if letter.isdigit() else tile and tile.name)
        if name and name not in seen:
            seen.add(name)
            user.point(hex_name(h))
            expect(card(user)).to_contain_text(name)
            user.page.keyboard.press("Escape")
    user.point(hex_name(bits(state.own[state.player])[0]))
    expect(card(user)).to_contain_text("It is yours.")
    assert set(names.values()) <= seen


def test_cards_tasks_and_tiles_of_the_rail_have_a_card(visit: Browsers) -> None:
    user = sit(visit())
    state = full_table()
    for scoring in state.setup.scoring:
        button = user.find(f"card-{scoring.key}")
        button.click()
        expect(card(user)).to_contain_text(scoring.text.partition("{")[0].strip())
        expect(card(user)).to_contain_text(f"It pays you {scoring.score(state, state.player)[0]} gold now.")
        user.page.keyboard.press("Escape")
        expect(card(user)).to_have_count(0)
    tile = user.page.locator("[data-testid^='tile-']").first
    tile.hover()
    expect(card(user)).to_contain_text("You")
    assert user.look().ply == 0
    user.page.locator("[data-tiles] button").first.click()
    expect(card(user)).to_be_visible()
    user.page.mouse.click(5, 5)
    expect(card(user)).to_have_count(0)


def test_the_card_does_not_pop_up_where_something_was_just_built(visit: Browsers) -> None:
    user = sit(visit())
    sight = user.look()
    user.take(sight, sight.glowing[0])
    user.page.wait_for_timeout(1200)
    expect(card(user)).to_have_count(0)


def test_a_card_closes_by_escape_and_leaves_a_half_made_action_alone(visit: Browsers) -> None:
    moment = first_uses()["paddock"]
    user = visit()
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    sight = user.do(user.look(), "tile-paddock")
    user.page.locator("[data-testid^='card-']").first.click()
    expect(card(user)).to_be_visible()
    user.page.keyboard.press("Escape")
    expect(card(user)).to_have_count(0)
    assert user.look() == sight
    user.page.keyboard.press("Escape")
    user.moved_from(sight.ply)


# ---- fingers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL_PHONE, LYING_PHONE], ids=["upright", "lying"])
def test_every_card_stays_in_the_window_of_a_phone_beside_its_hex(visit: Browsers, size: dict[str, int]) -> None:
    user = sit(visit(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=2))
    state = full_table()
    pieces = [hexes[i] for own in state.own for hexes in [bits(own)] for i in (0, -1)]
    for h in [*bits(things(state.setup)), *pieces]:
        user.point(hex_name(h))
        expect(card(user)).to_be_visible()
        check_place(user, card(user), hex_name(h))
        user.page.keyboard.press("Escape")
        expect(card(user)).to_have_count(0)
    assert user.look().ply == 0


def test_a_long_press_explains_and_does_not_build(visit: Browsers) -> None:
    user = sit(visit.phone())
    sight = user.look()
    place = sight.glowing[0]
    long_press(user, *user.pixel(place))
    expect(card(user)).to_contain_text("Land: whoever plays a")
    assert user.look() == sight
    user.press("step")
    expect(card(user)).to_have_count(0)
    tile = user.page.locator("[data-testid^='tile-']").first.bounding_box()
    assert tile is not None
    long_press(user, tile["x"] + 20, tile["y"] + 20)
    expect(card(user)).to_be_visible()
    assert user.look() == sight


def long_press(user: BrowserUser, x: float, y: float) -> None:
    touch = user.context.new_cdp_session(user.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    user.find("explanation").wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    user.page.wait_for_timeout(500)  # time for a move that must not come


# ---- keyboard --------------------------------------------------------------------------------------------------------


def test_the_key_explains_the_hex_of_the_cursor(visit: Browsers) -> None:
    user = sit(visit())
    board = user.find("board")
    board.focus()
    place = location()
    move_cursor(user, place)
    user.page.keyboard.press("i")
    expect(card(user)).to_be_focused()
    expect(card(user)).to_contain_text(COMPONENT[key_at(place)].text)
    check_place(user, card(user), place)
    user.page.keyboard.press("Tab")
    user.page.keyboard.press("Tab")
    expect(card(user).get_by_role("link", name="Rules")).to_be_focused()
    user.page.keyboard.press("Tab")
    expect(card(user)).to_have_count(0)
    expect(board).to_be_focused()
    user.page.keyboard.press("i")
    expect(card(user)).to_be_focused()
    user.page.keyboard.press("Escape")
    expect(card(user)).to_have_count(0)
    expect(board).to_be_focused()
    assert user.look().ply == 0


def move_cursor(user: BrowserUser, place: str) -> None:
    keys = user.page.keyboard
    keys.press("Home")
    for _ in range(20):
        keys.press("ArrowUp")
    for _ in range(ord(place[0]) - ord("a")):
        keys.press("ArrowRight")
    for _ in range(int(place[1:]) - 1):
        keys.press("ArrowDown")


def test_the_key_explains_the_tile_that_has_the_focus(visit: Browsers) -> None:
    user = sit(visit())
    tile = user.page.locator("[data-testid^='tile-']").first
    tile.focus()
    user.page.keyboard.press("i")
    expect(card(user)).to_be_focused()
    user.page.keyboard.press("i")
    expect(card(user)).to_have_count(0)
    expect(tile).to_be_focused()
    name = user.page.locator("[data-testid^='card-']").first
    name.focus()
    user.page.keyboard.press("Enter")
    expect(card(user)).to_be_focused()


# ---- everybody -------------------------------------------------------------------------------------------------------


def test_somebody_who_looks_on_is_told_the_same_of_nobody_in_particular(visit: Browsers) -> None:
    state = full_table()
    user = visit()
    made = user.server.make_table(["person"] * state.setup.players, position=position_of(state))
    user.watch(made["watch"])
    user.point(location(taken=True))
    expect(card(user)).to_contain_text(f"Player {'AB'[state.player]} has one.")
    assert "You" not in card(user).inner_text()


def test_a_replay_and_a_position_explain_themselves(visit: Browsers) -> None:
    state = full_table()
    user = visit()
    user.open(f"/position/{position_of(state)}".replace(" ", "%20"))
    user.find("board").wait_for()
    user.point(location(taken=True))
    expect(card(user)).to_contain_text(f"Player {'AB'[state.player]} has one.")
    user.page.keyboard.press("Escape")
    expect(card(user)).to_have_count(0)
    user.page.locator("[data-testid^='card-']").first.click()
    expect(card(user)).to_contain_text("Gold now")


def test_cards_and_bubbles_are_for_everyone(visit: Browsers) -> None:
    user = sit(visit())
    user.point(location())
    expect(card(user)).to_be_visible()
    assert violations(user) == []
    user.page.keyboard.press("Escape")
    user.point(hex_name(bits(full_table().own[0])[0]))
    expect(card(user)).to_contain_text("of 40")
    assert violations(user) == []
    user.page.keyboard.press("Escape")
    user.point(refused())
    expect(user.find("refusal")).to_be_visible()
    assert violations(user) == []


def test_the_link_of_a_card_leads_to_its_entry_in_the_rules(visit: Browsers) -> None:
    user = sit(visit())
    task = full_table().setup.tasks[0]
    user.find(f"card-{task.key}").click()
    with user.context.expect_page() as opened:
        card(user).get_by_role("link", name="Rules").click()
    rules = opened.value
    entry = rules.locator(f"#entry-{task.key}")
    expect(entry).to_be_in_viewport()
    expect(entry).to_be_focused()
    expect(entry).to_contain_text(task.name)
    expect(rules.locator("nav a[aria-current=true]")).to_have_text("Crossroads: tasks")
    rules.close()


# ---- refusals --------------------------------------------------------------------------------------------------------


def refused() -> str:
    """An empty hex of terrain that cannot be chosen, near the middle of the board."""
    state = full_table()
    empty = [h for h in bits(state.setup.board.water) if not any(own >> h & 1 for own in state.own)]
    return hex_name(min(empty, key=lambda h: max(abs(row_col(h)[0] - 9), abs(row_col(h)[1] - 9))))


@pytest.mark.parametrize("size", [None, SMALL_PHONE, LYING_PHONE], ids=["desk", "upright", "lying"])
def test_the_reason_stands_beside_the_hex(visit: Browsers, size: dict[str, int] | None) -> None:
    user = sit(visit(viewport=size, has_touch=True, is_mobile=True) if size else visit())
    place = refused()
    x, y = user.pixel(place)
    user.page.mouse.click(x, y)
    bubble = user.find("refusal")
    expect(bubble).to_contain_text(f"{place} is water, but the terrain card shows")
    check_place(user, bubble, place)
    box = bubble.bounding_box()
    assert box is not None
    away = max(box["x"] - x, x - box["x"] - box["width"], box["y"] - y, y - box["y"] - box["height"])
    assert away < 60, "it is far away"
    assert user.words().count("but the terrain card shows") == 1
    user.page.keyboard.press("Escape")
    expect(bubble).to_have_count(0)
    user.page.mouse.click(x, y)
    expect(bubble).to_be_visible()
    sight = user.look()
    user.take(sight, sight.glowing[0])
    expect(bubble).to_have_count(0)


# ---- what else annoyed -----------------------------------------------------------------------------------------------


def test_escape_closes_the_settings_and_nothing_else(visit: Browsers) -> None:
    moment = first_uses()["paddock"]
    user = visit()
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    sight = user.do(user.look(), "tile-paddock")
    user.press("preferences")
    expect(user.find("theme-dark")).to_be_visible()
    user.settle()
    user.page.keyboard.press("Escape")
    expect(user.find("theme-dark")).to_be_hidden()
    user.settle()
    assert user.look() == sight
    user.page.keyboard.press("Escape")
    user.moved_from(sight.ply)


@pytest.mark.parametrize("is_phone", [False, True], ids=["desk", "phone"])
def test_another_piece_is_moved_by_pressing_it(visit: Browsers, is_phone: bool) -> None:
    moment = first_uses()["paddock"]
    user = visit.phone() if is_phone else visit()
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    sight = user.do(user.look(), "tile-paddock")
    first, second = sight.glowing[0], sight.glowing[-1]
    assert first != second
    chosen = user.take(sight, first)
    assert second not in chosen.glowing
    user.point(second)
    expect(user.find("step")).to_contain_text(f"from {second}?")
    assert user.look().ply == chosen.ply


def test_the_hexes_of_a_city_hall_are_shown_before_it_is_placed(visit: Browsers) -> None:
    moment = first_uses()["city-hall"]
    user = visit()
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    sight = user.do(user.look(), "tile-city-hall")
    place = sight.glowing[0]
    hover(user, place)
    covered = user.page.locator("[data-covers]")
    expect(covered).to_have_count(1)
    shown = set(str(covered.get_attribute("data-covers")).split())
    assert shown == {place, *[hex_name(h) for h in bits(NEAR[parse_hex(place)])]}
    user.take(sight, place)
    expect(covered).to_have_count(0)


def test_an_early_end_of_the_turn_is_answered_once(visit: Browsers) -> None:
    user = visit()
    user.sit(user.server.make_table(board="first")["seats"][0])
    reason = user.page.locator("#why-not-end").inner_text()
    assert user.words().count(reason) == 1
    user.find("end-turn").click(force=True)
    expect(user.find("complaint")).to_have_text(reason)
    assert user.words().count(reason) == 1
