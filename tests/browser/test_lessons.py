"""Lessons in the browser: played to their end, true in every sentence, and still there after a reload."""

import re
from collections.abc import Callable

import pytest
from lessons.playing import UNDO, Moment, line, moments
from lessons.texts import LANGUAGES, words
from playwright.sync_api import expect

from browser.test_keyboard import tab_to, walk
from browser.users import OVERFLOW, Browsers, BrowserUser
from kingdom_builder.lessons import Lesson, Step, lessons

TUTORIAL = lessons()["tutorial"]
OTHERS = [lesson for lesson in lessons().values() if lesson is not TUTORIAL]

NEXT = "next"

Act = Callable[[BrowserUser, str], None]
AtStep = Callable[[BrowserUser, Moment, Step], None]

# Every combination of step, words and position that the page shows, however shortly.
WITNESS = """() => {
    window.shown = new Set();
    const look = () => {
        const lesson = document.querySelector('[data-testid=lesson]');
        const game = document.querySelector('[data-testid=game]');
        const words = document.querySelector('[data-testid=lesson-words]')?.textContent;
        const { step } = lesson?.dataset ?? {};
        if (step && game) shown.add(JSON.stringify([step, Number(game.dataset.ply), words]));
    };
    const changes = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document.body, changes);
    look();
}"""


def begin(user: BrowserUser, lesson: Lesson) -> None:
    user.open(f"/lessons/{lesson.key}")
    user.find("lesson").wait_for()


def stands_at(user: BrowserUser, step: Step) -> None:
    expect(user.find("lesson")).to_have_attribute("data-step", step.key)


def press_it(user: BrowserUser, way: str) -> None:
    """Do one thing by mouse or finger."""
    if way == UNDO:
        user.press("undo")
    elif way == NEXT:
        user.press("lesson-next")
    elif way == ".":
        user.press("end-turn")
    elif re.fullmatch(r"[a-t]\d+", way):
        user.point(way)
    else:
        user.press(f"tile-{way}")


def key_it(user: BrowserUser, way: str) -> None:
    """Do one thing by keys."""
    if way == UNDO:
        user.page.keyboard.press("Control+z")
    elif way == ".":
        user.page.keyboard.press("e")
    elif re.fullmatch(r"[a-t]\d+", way):
        tab_to(user, "board")
        walk(user, way)
        user.page.keyboard.press("Enter")
    else:
        tab_to(user, "lesson-next" if way == NEXT else f"tile-{way}")
        user.page.keyboard.press("Enter")
    user.settle()
    assert user.page.evaluate("() => document.activeElement !== document.body"), f"the focus is lost after {way}"


def nothing(user: BrowserUser, here: Moment, step: Step) -> None:
    pass


def play(user: BrowserUser, lesson: Lesson, act: Act = press_it, at_step: AtStep = nothing) -> None:
    """Play a lesson from where it begins to its last words."""
    for here in line(lesson):
        if here.current is not None and here.current.kind == "wait":
            continue  # the others move by themselves, and quickly: see WITNESS
        for step in here.steps():
            stands_at(user, step)
            assert user.look().ply == len(here.game.plies)
            at_step(user, here, step)
            if step.kind == "read" and step is not lesson.steps[-1]:
                act(user, NEXT)
        for way in here.ways_on()[:1]:
            act(user, way)
            user.moved_from(len(here.game.plies))


def true_words(lesson: Lesson, language: str) -> set[tuple[str, int, str]]:
    """What may be shown: each step where its claims hold, with its words filled from that position."""
    found = set()
    for here in moments(lesson):
        sight = here.sight()
        for step in here.steps():
            assert sight.unmet(dict(step.claims)) == []
            found.add((step.key, len(here.game.plies), words(language, lesson, step.key, here.place())))
    return found


def witnessed(user: BrowserUser) -> set[tuple[str, int, str]]:
    return {tuple(each) for each in user.page.evaluate("() => [...shown].map(JSON.parse)")}


@pytest.mark.parametrize("device", ["desk", "phone"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tutorial_is_played_to_its_end_and_says_only_what_is_true(
    visit: Browsers, language: str, device: str
) -> None:
    def looks(user: BrowserUser, here: Moment, step: Step) -> None:
        view = here.sight().view
        assert set(user.look().glowing) == {move for move in view["legal"] if re.fullmatch(r"[a-t]\d+", move)}
        marked = user.page.locator('[data-testid^="marked-"]')
        wanted = here.ways_on() if step is here.current and step.kind == "play" and step.wants else []
        expect(marked).to_have_count(sum(re.fullmatch(r"[a-t]\d+", way) is not None for way in wanted))
        assert user.page.evaluate(OVERFLOW) <= 0
        in_view(user, step)

    user = visit.phone(locale=language) if device == "phone" else visit(locale=language)
    begin(user, TUTORIAL)
    user.page.evaluate(WITNESS)
    play(user, TUTORIAL, at_step=looks)
    assert witnessed(user) - true_words(TUTORIAL, language) == set()
    assert {step for step, _, _ in witnessed(user)} == {step.key for step in TUTORIAL.steps}
    expect(user.find("final")).to_be_visible()
    assert user.page.get_attribute("html", "lang") == language


POINTED = {
    "card": ".turn .now",
    "tiles": ".turn .tiles",
    "undo": '[data-testid="undo"]',
    "end": '[data-testid="end-turn"]',
    "scores": ".scores tbody tr:first-child",
    "supply": ".people .supply",
}


def in_view(user: BrowserUser, step: Step) -> None:
    """What a step is about can be seen, and so can its words: nothing lies over either."""
    user.settle()
    for selector in ['[data-testid="lesson-words"]', *([POINTED[step.point]] if step.point in POINTED else [])]:
        seen = user.page.evaluate(
            """(selector) => {
                const box = document.querySelector(selector).getBoundingClientRect();
                const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return at !== null && at.closest(selector) !== null;
            }""",
            selector,
        )
        assert seen, f"{step.key}: {selector} is out of sight"


@pytest.mark.parametrize("lesson", OTHERS, ids=lambda lesson: lesson.key)
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_a_lesson_is_played_to_its_end(visit: Browsers, lesson: Lesson, device: str) -> None:
    user = visit.phone() if device == "phone" else visit()
    begin(user, lesson)
    user.page.evaluate(WITNESS)
    play(user, lesson, at_step=lambda user, here, step: in_view(user, step))
    assert witnessed(user) - true_words(lesson, "en") == set()
    user.open("/lessons")
    expect(user.find(f"lesson-{lesson.key}")).to_have_attribute("data-done", "true")
    expect(user.find("lesson-tutorial")).to_have_attribute("data-done", "false")


def test_the_tutorial_by_keys_alone(visit: Browsers) -> None:
    user = visit().open()
    tab_to(user, "learn")
    user.page.keyboard.press("Enter")
    user.find("lesson").wait_for()
    play(user, TUTORIAL, key_it)
    tab_to(user, "lesson-following")
    user.page.keyboard.press("Enter")
    stands_at(user, OTHERS[0].steps[0])
    user.open("/history")
    expect(user.find("no-games")).to_be_visible()


def test_whoever_comes_back_at_any_step_is_at_it(visit: Browsers) -> None:
    def come_back(user: BrowserUser, here: Moment, step: Step) -> None:
        if TUTORIAL.steps.index(step) % 3 == 0:
            user.page.reload()
        else:
            user.open("/about")
            user.page.go_back()
        user.find("lesson").wait_for()
        stands_at(user, step)
        assert user.look().ply == len(here.game.plies)

    user = visit()
    begin(user, TUTORIAL)
    play(user, TUTORIAL, at_step=come_back)


def test_whoever_leaves_comes_back_to_the_same_step(visit: Browsers) -> None:
    user = visit().open("/learn")
    user.press("lesson-next")
    stands_at(user, TUTORIAL.steps[1])
    table = user.page.url
    user.press("lesson-leave")
    expect(user.find("lesson-tutorial")).to_contain_text("begun")
    user.press("lesson-tutorial")
    stands_at(user, TUTORIAL.steps[1])
    assert user.page.url == table
    user.press("lesson-again")
    stands_at(user, TUTORIAL.steps[0])
    assert user.page.url != table


def test_a_lesson_whose_table_is_gone_begins_again(visit: Browsers) -> None:
    user = visit()
    begin(user, TUTORIAL)
    user.press("lesson-next")
    user.page.evaluate("""() => {
        const gone = (text) => text.replaceAll(/[0-9a-f]{12}/g, "0123456789ab");
        for (const key of ["kb-tables", "kb-lessons"]) localStorage.setItem(key, gone(localStorage.getItem(key)));
    }""")
    user.allow("status of 404")
    user.open("/learn")
    stands_at(user, TUTORIAL.steps[0])


def test_a_legal_hex_that_is_not_asked_for_is_answered_with_what_is(visit: Browsers) -> None:
    user = visit()
    begin(user, TUTORIAL)
    user.press("lesson-next")
    user.press("lesson-next")
    sight = user.look()
    user.point("a3")
    expect(user.find("lesson-refusal")).to_have_text("You may do that, but the lesson goes on at c4.")
    expect(user.find("complaint")).to_have_count(0)
    assert user.look() == sight
    user.point("a1")
    expect(user.find("status")).to_contain_text("grass")
    user.take(sight, "c4")
    expect(user.find("lesson-refusal")).to_have_count(0)


def test_a_move_taken_back_brings_the_step_before(visit: Browsers) -> None:
    user = visit()
    begin(user, TUTORIAL)
    user.take(user.look(), "c4")
    expect(user.find("lesson")).to_have_attribute("data-step", "adjacency")
    user.press("undo")
    expect(user.find("lesson")).to_have_attribute("data-step", "first")


def test_lessons_are_not_among_the_games_to_continue(visit: Browsers) -> None:
    user = visit()
    begin(user, TUTORIAL)
    user.open("/")
    expect(user.find("play-now")).to_be_visible()
    expect(user.page.get_by_role("heading", name="Continue")).to_have_count(0)
    user.press("play-now")
    user.await_turn()
    user.open("/")
    expect(user.page.locator('[data-testid^="continue-"]')).to_have_count(1)


def test_whoever_knows_the_tutorial_learns_by_topics(visit: Browsers) -> None:
    user = visit().open("/lessons")
    user.page.evaluate("""() => localStorage.setItem("kb-lessons", '{"done":["tutorial"],"at":{}}')""")
    user.open("/learn")
    expect(user.find("lesson-tutorial")).to_contain_text("done")
    assert user.page.url.endswith("#/lessons")
    expect(user.page.locator('[data-testid^="lesson-"][data-done="true"]')).to_have_count(1)


def test_an_unknown_lesson_is_refused_with_a_way_on(visit: Browsers) -> None:
    user = visit()
    user.allow("status of 400")
    user.open("/lessons/chess")
    expect(user.page.get_by_role("alert")).to_have_text("There is no lesson 'chess'.")
    user.page.get_by_role("link", name="All lessons").click()
    expect(user.find("lesson-tutorial")).to_be_visible()
