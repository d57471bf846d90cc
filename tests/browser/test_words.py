"""Languages, the guided first turns, preferences, motion and sound."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from browser.positions import near_the_end
from browser.users import Browsers, BrowserUser

ENGLISH = (
    *("Build", "builds", "End turn", "Undo", "Restart", "Your turn", "Round", "settlement", "gold", "left", "ready"),
    *("Players", "thinking", "draws", "takes", "uses", "Knights", "Castles", "grass", "desert", "forest", "canyon"),
)
COUNT_SOUNDS = """
    window.sounds = 0;
    for (const name of ["createOscillator", "createBufferSource"]) {
        const make = BaseAudioContext.prototype[name];
        BaseAudioContext.prototype[name] = function () { window.sounds += 1; return make.call(this); };
    }
"""


SHARED = {"fr": {"canyon"}}
"""Words that a language has in common with English."""


def english_at(user: BrowserUser, language: str = "en") -> list[str]:
    words = user.find("game").inner_text()
    return [word for word in ENGLISH if word not in SHARED.get(language, ()) and re.search(rf"\b{word}\b", words)]


@pytest.mark.parametrize(
    ("language", "end_turn", "build"), [("de", "Zug beenden", "Baue"), ("fr", "Finir le tour", "Construisez")]
)
def test_another_language_from_the_switch_to_the_end_of_a_turn(
    visit: Browsers, language: str, end_turn: str, build: str
) -> None:
    user = visit()
    user.own(user.server.make_table(("person", "greedy"), position=near_the_end(supply=9).position), 0)
    assert english_at(user)
    user.press("preferences")
    user.press(f"lang-{language}")
    user.page.keyboard.press("Escape")
    expect(user.page.locator("html")).to_have_attribute("lang", language)
    expect(user.find("end-turn")).to_contain_text(end_turn)
    assert english_at(user, language) == []
    expect(user.find("spoken")).to_contain_text(build)
    sight = user.look()
    wrong = next(name for name in ("a1", "t20", "k10") if name not in sight.glowing)
    user.point(wrong)
    expect(user.page.locator("[data-testid=refusal], [data-testid=explanation]")).to_be_visible()
    assert english_at(user, language) == []
    user.play_turn(Random(1))
    user.await_turn()
    for opener in user.find("log").locator("button.opener").all():
        opener.click()
        assert english_at(user, language) == []
    user.page.reload()
    user.await_turn()
    expect(user.find("end-turn")).to_contain_text(end_turn)


@pytest.mark.parametrize(("locale", "play"), [("de-DE", "Spielen"), ("fr-CA", "Jouer")])
def test_pages_speak_the_language_of_the_browser(visit: Browsers, locale: str, play: str) -> None:
    user = visit(locale=locale).open()
    expect(user.find("play-now")).to_have_text(play)
    for path in ("/new", "/rules", "/about", "/record", "/nowhere"):
        user.open(path)
        expect(user.page.locator("main h1")).to_be_visible()
        assert not re.search(r"\b(the|of|and|with|your)\b", without_licences(user)), path


def without_licences(user: BrowserUser) -> str:
    words: str = user.page.evaluate("""() => {
        const main = document.querySelector("main").cloneNode(true);
        for (const english of main.querySelectorAll("[lang=en]")) english.remove();
        return main.textContent;
    }""")
    return words


def test_reduced_motion_is_respected(visit: Browsers) -> None:
    running = "() => document.getAnimations().filter((each) => each.playState === 'running').length"
    moving, still = visit(reduced_motion="no-preference"), visit(reduced_motion="reduce")
    for user in (moving, still):
        user.sit(user.server.make_table(board="first")["seats"][0])
    user.page.wait_for_timeout(500)
    assert moving.page.evaluate(running) > 0, "the hexes that can be chosen pulse"
    assert still.page.evaluate(running) == 0
    sight = still.look()
    still.take(sight, sight.glowing[0])
    still.settle()
    assert still.page.evaluate(running) == 0


def test_sounds_can_be_switched_off_for_good(visit: Browsers) -> None:
    user = visit()
    user.context.add_init_script(COUNT_SOUNDS)
    user.sit(user.server.make_table(board="first")["seats"][0])
    sight = user.look()
    sight = user.take(sight, sight.glowing[0])
    user.page.wait_for_function("() => window.sounds > 0")
    user.press("preferences")
    user.find("prefer-sound").uncheck()
    user.page.reload()
    user.await_turn()
    user.press("preferences")
    expect(user.find("prefer-sound")).not_to_be_checked()
    user.page.keyboard.press("Escape")
    user.take(sight, user.look().glowing[0])
    user.settle()
    assert user.page.evaluate("() => window.sounds") == 0


def test_letters_coordinates_and_theme_are_kept(visit: Browsers) -> None:
    user = visit()
    user.sit(user.server.make_table(board="first")["seats"][0])
    user.press("preferences")
    user.find("prefer-letters").check()
    user.find("prefer-coordinates").check()
    user.press("theme-dark")
    user.page.keyboard.press("Escape")
    for _ in range(2):
        expect(user.page.locator("g.letters text").first).to_be_attached()
        expect(user.page.locator("g.rim text")).to_have_count(80)
        expect(user.page.locator("html")).to_have_attribute("data-theme", "dark")
        user.page.reload()
        user.await_turn()
    sight = user.look()
    user.take(sight, sight.glowing[0])


def test_rules_can_be_searched_and_have_pictures(visit: Browsers) -> None:
    user = visit().open("/rules")
    expect(user.page.locator("main img").first).to_be_attached()
    everything = len(user.words())
    user.find("rules-search").fill("paddock")
    expect(user.page.locator(".topics")).to_contain_text("Paddock")
    assert len(user.words()) < everything
    user.find("rules-search").fill("xyzzy")
    expect(user.page.get_by_text("Nothing found")).to_be_visible()
    user.find("rules-search").fill("")
    user.page.wait_for_function(
        """() => [...document.querySelectorAll("main img")].slice(0, 3).every(
            (each) => { each.scrollIntoView(); return each.complete && each.naturalWidth > 0; })"""
    )
