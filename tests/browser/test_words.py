"""Languages, the guided first turns, preferences, motion and sound."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import near_the_end

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


def english_at(guest: Guest, language: str = "en") -> list[str]:
    words = guest.find("game").inner_text()
    return [word for word in ENGLISH if word not in SHARED.get(language, ()) and re.search(rf"\b{word}\b", words)]


@pytest.mark.parametrize(
    ("language", "end_turn", "build"), [("de", "Zug beenden", "Baue"), ("fr", "Finir le tour", "Construisez")]
)
def test_another_language_from_the_switch_to_the_end_of_a_turn(
    visit: Inn, language: str, end_turn: str, build: str
) -> None:
    guest = visit()
    guest.own(guest.server.make_table(("person", "greedy"), position=near_the_end(supply=9).position), 0)
    assert english_at(guest)
    guest.press("preferences")
    guest.press(f"lang-{language}")
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator("html")).to_have_attribute("lang", language)
    expect(guest.find("end-turn")).to_contain_text(end_turn)
    assert english_at(guest, language) == []
    expect(guest.find("spoken")).to_contain_text(build)
    sight = guest.look()
    wrong = next(name for name in ("a1", "t20", "k10") if name not in sight.glowing)
    guest.point(wrong)
    expect(guest.find("status")).to_have_class(re.compile("refusal"))
    assert english_at(guest, language) == []
    guest.play_turn(Random(1))
    guest.await_turn()
    for opener in guest.find("log").locator("button.opener").all():
        opener.click()
        assert english_at(guest, language) == []
    guest.page.reload()
    guest.await_turn()
    expect(guest.find("end-turn")).to_contain_text(end_turn)


@pytest.mark.parametrize(("locale", "play"), [("de-DE", "Spielen"), ("fr-CA", "Jouer")])
def test_pages_speak_the_language_of_the_browser(visit: Inn, locale: str, play: str) -> None:
    guest = visit(locale=locale).open()
    expect(guest.find("play-now")).to_have_text(play)
    for path in ("/new", "/rules", "/about", "/record", "/nowhere"):
        guest.open(path)
        expect(guest.page.locator("main h1")).to_be_visible()
        assert not re.search(r"\b(the|of|and|with|your)\b", without_licences(guest)), path


def without_licences(guest: Guest) -> str:
    words: str = guest.page.evaluate("""() => {
        const main = document.querySelector("main").cloneNode(true);
        for (const english of main.querySelectorAll("[lang=en]")) english.remove();
        return main.textContent;
    }""")
    return words


def test_the_guided_first_turns_can_be_followed_and_left(visit: Inn) -> None:
    guest = visit().open("/learn")
    walkthrough = guest.find("walkthrough")
    expect(walkthrough).to_have_attribute("data-step", "welcome")
    guest.press("learn-next")
    expect(walkthrough).to_have_attribute("data-step", "card")
    guest.press("learn-next")
    expect(walkthrough).to_have_attribute("data-step", "build-first")
    sight = guest.await_turn()
    sight = guest.take(sight, sight.glowing[0])
    expect(walkthrough).to_have_attribute("data-step", "adjacency")
    guest.press("learn-next")
    expect(walkthrough).to_have_attribute("data-step", "build-rest")
    sight = guest.build_all()
    for step in ("locations", "tile", "scoring"):
        expect(walkthrough).to_have_attribute("data-step", step)
        guest.press("learn-next")
    expect(walkthrough).to_have_attribute("data-step", "end-turn")
    guest.do(sight, "end-turn")
    expect(walkthrough).to_have_attribute("data-step", "second-turn")
    guest.press("learn-leave")
    expect(walkthrough).to_have_count(0)
    assert guest.page.url.count("/learn") == 0
    guest.play_turn(Random(1))


def test_reduced_motion_is_respected(visit: Inn) -> None:
    running = "() => document.getAnimations().filter((each) => each.playState === 'running').length"
    moving, still = visit(reduced_motion="no-preference"), visit(reduced_motion="reduce")
    for guest in (moving, still):
        guest.sit(guest.server.make_table(board="first")["seats"][0])
    guest.page.wait_for_timeout(500)
    assert moving.page.evaluate(running) > 0, "the hexes that can be chosen pulse"
    assert still.page.evaluate(running) == 0
    sight = still.look()
    still.take(sight, sight.glowing[0])
    still.settle()
    assert still.page.evaluate(running) == 0


def test_sounds_can_be_switched_off_for_good(visit: Inn) -> None:
    guest = visit()
    guest.context.add_init_script(COUNT_SOUNDS)
    guest.sit(guest.server.make_table(board="first")["seats"][0])
    sight = guest.look()
    sight = guest.take(sight, sight.glowing[0])
    guest.page.wait_for_function("() => window.sounds > 0")
    guest.press("preferences")
    guest.find("prefer-sound").uncheck()
    guest.page.reload()
    guest.await_turn()
    guest.press("preferences")
    expect(guest.find("prefer-sound")).not_to_be_checked()
    guest.page.keyboard.press("Escape")
    guest.take(sight, guest.look().glowing[0])
    guest.settle()
    assert guest.page.evaluate("() => window.sounds") == 0


def test_letters_coordinates_and_theme_are_kept(visit: Inn) -> None:
    guest = visit()
    guest.sit(guest.server.make_table(board="first")["seats"][0])
    guest.press("preferences")
    guest.find("prefer-letters").check()
    guest.find("prefer-coordinates").check()
    guest.press("theme-dark")
    guest.page.keyboard.press("Escape")
    for _ in range(2):
        expect(guest.page.locator("g.letters text").first).to_be_attached()
        expect(guest.page.locator("g.rim text")).to_have_count(80)
        expect(guest.page.locator("html")).to_have_attribute("data-theme", "dark")
        guest.page.reload()
        guest.await_turn()
    sight = guest.look()
    guest.take(sight, sight.glowing[0])


def test_rules_can_be_searched_and_have_pictures(visit: Inn) -> None:
    guest = visit().open("/rules")
    expect(guest.page.locator("main img").first).to_be_attached()
    everything = len(guest.words())
    guest.find("rules-search").fill("paddock")
    expect(guest.page.locator(".topics")).to_contain_text("Paddock")
    assert len(guest.words()) < everything
    guest.find("rules-search").fill("xyzzy")
    expect(guest.page.get_by_text("Nothing found")).to_be_visible()
    guest.find("rules-search").fill("")
    guest.page.wait_for_function(
        """() => [...document.querySelectorAll("main img")].slice(0, 3).every(
            (each) => { each.scrollIntoView(); return each.complete && each.naturalWidth > 0; })"""
    )
