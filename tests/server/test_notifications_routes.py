"""The routes for how people are told: what is offered, chosen and refused."""

import asyncio
import json
import string
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kingdom_builder.server.delivery.mail import MailSettings
from kingdom_builder.server.notices import LANGUAGES, Notice, mail_texts, push_payload, texts
from kingdom_builder.server.persons import COOKIE
from kingdom_builder.server.senders import Senders
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.ways import MOST_BROWSERS, forget_devices, target_of
from server.inside import Json, World, run, world
from server.push_service import Browser
from server.receiver import Receiver, http_answer
from server.telling import Somebody, address_of, somebody

BROWSER = Browser()
FCM = "https://fcm.googleapis.com/fcm/send"
OFFERS: Json = {
    "address": "https://kb.example.org",
    "push_contact": "mailto:operator@example.org",
    "mail": MailSettings("127.0.0.1", 9, "plain", "kb@example.org"),
}


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


async def ask(inside: World, person: Somebody | None, method: str, path: str, body: Any = None) -> httpx.Response:
    inside.http.cookies.clear()
    if person is not None:
        inside.http.cookies.set(COOKIE, person.cookie)
    headers = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}
    return await inside.http.request(method, f"/api/{path}", json=body, headers=headers)


async def view(inside: World, person: Somebody) -> Json:
    answer = await ask(inside, person, "GET", "me/notifications")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def subscription(endpoint: str, **others: Any) -> Json:
    return {"endpoint": endpoint, "keys": {"p256dh": BROWSER.p256dh, "auth": BROWSER.auth}, **others}


def refused(answer: httpx.Response, status: int, code: str, part: str = "") -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert part in answer.text


# ---- what is offered -------------------------------------------------------------------------------------------------


def test_a_server_in_a_living_room_offers_nothing_and_says_so() -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await somebody(inside, "Ann")
            assert await view(inside, ann) == {
                "push": "",
                "devices": [],
                "webhooks": False,
                "webhook": "",
                "mails": False,
                "address": "",
                "mail": False,
            }
            refused(await ask(inside, ann, "POST", "me/push", subscription(f"{FCM}/1")), 400, "unavailable")
            refused(await ask(inside, ann, "PUT", "me/webhook", {"url": "https://example.org"}), 400, "unavailable")
            refused(await ask(inside, ann, "PUT", "me/notifications", {"mail": True}), 400, "unavailable")

    run(test())


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "me/notifications", None),
        ("PUT", "me/notifications", {"mail": True}),
        ("POST", "me/push", subscription(f"{FCM}/1")),
        ("DELETE", "me/push", {"endpoint": f"{FCM}/1"}),
        ("PUT", "me/webhook", {"url": "https://example.org/hook"}),
        ("DELETE", "me/webhook", None),
    ],
)
def test_nobody_is_told_nothing(method: str, path: str, body: Any) -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            refused(await ask(inside, None, method, path, body), 401, "unknown-person")

    run(test())


@pytest.mark.parametrize(
    "wrong",
    [
        {"push_contact": "mailto:me@localhost"},
        {"push_contact": "me@example.org"},
        {"push_allow": ("push.example.org",)},
        {"webhook_allow": ("http://127.0.0.1:9000/hook",)},
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(wrong: Json) -> None:
    with pytest.raises(ValueError, match="expected"):
        Senders(Settings(**wrong), None)  # type: ignore[arg-type]


def test_the_key_for_pushes_is_kept(tmp_path: Any) -> None:
    async def test() -> None:
        keys = []
        for _ in range(2):
            async with world(data=tmp_path, **OFFERS) as inside:
                ann = await somebody(inside, "Ann")
                keys.append((await view(inside, ann))["push"])
        assert keys[0] == keys[1]
        assert len(keys[0]) == 87

    run(test())


# ---- pushes ----------------------------------------------------------------------------------------------------------


def test_browsers_are_listed_replaced_and_removed() -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            first = (await ask(inside, ann, "POST", "me/push", subscription(f"{FCM}/1"))).json()
            ((device),) = first["devices"]
            assert (device["label"], device["here"], FCM in json.dumps(first)) == ("Firefox Linux", True, False)
            again = (await ask(inside, ann, "POST", "me/push", subscription(f"{FCM}/2", replaces=f"{FCM}/1"))).json()
            assert [each["id"] for each in again["devices"]] == [target_of(f"{FCM}/2")]
            gone = (await ask(inside, ann, "DELETE", "me/push", {"endpoint": f"{FCM}/1"})).json()
            assert len(gone["devices"]) == 1
            gone = (await ask(inside, ann, "DELETE", "me/push", {"device": target_of(f"{FCM}/2")})).json()
            assert gone["devices"] == []

    run(test())


def test_a_browser_belongs_to_whoever_used_it_last_and_nobody_removes_those_of_others() -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann, bob = await somebody(inside, "Ann"), await somebody(inside, "Bob")
            await ask(inside, ann, "POST", "me/push", subscription(f"{FCM}/1"))
            for wanted in ({"endpoint": f"{FCM}/1"}, {"device": target_of(f"{FCM}/1")}):
                await ask(inside, bob, "DELETE", "me/push", wanted)
            await ask(inside, bob, "POST", "me/push", subscription(f"{FCM}/2", replaces=f"{FCM}/1"))
            assert len((await view(inside, ann))["devices"]) == 1
            await ask(inside, bob, "POST", "me/push", subscription(f"{FCM}/1"))
            assert ((await view(inside, ann))["devices"], len((await view(inside, bob))["devices"])) == ([], 1)

    run(test())


def test_a_person_has_five_browsers_and_a_device_that_signs_out_takes_its_own_with_it() -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            journal, persons = inside.tables.journal, inside.tables.persons
            devices = []
            for number in range(MOST_BROWSERS + 2):
                guest = await somebody(inside, f"{number}")
                known = await persons.at_device(guest.cookie)
                assert known is not None
                devices.append(known.device)

                def move(device: str = known.device) -> Steps[None]:
                    yield Sql("UPDATE devices SET person = ? WHERE secret_hash = ?", (ann.id, device))

                await journal.write(move)
                persons.forget(known.id)
                answer = await ask(inside, guest, "POST", "me/push", subscription(f"{FCM}/{number}"))
                assert answer.status_code == 200
            listed = (await view(inside, ann))["devices"]
            assert len(listed) == MOST_BROWSERS
            assert target_of(f"{FCM}/{MOST_BROWSERS + 1}") in [each["id"] for each in listed]
            await journal.write(forget_devices, devices)
            assert (await view(inside, ann))["devices"] == []

    run(test())


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (subscription("https://push.example.org/1"), 400, "unknown-service"),
        (subscription("http://fcm.googleapis.com/1"), 400, "unknown-service"),
        (subscription("https://fcm.googleapis.com.evil.org/1"), 400, "unknown-service"),
        (subscription("https://127.0.0.1/1"), 400, "unknown-service"),
        (subscription("nonsense"), 400, "refused"),
        (subscription(f"{FCM}/{'x' * 1500}"), 400, "refused"),
        (subscription(f"{FCM}/{'x' * 3000}"), 422, "refused"),
        ({"endpoint": f"{FCM}/1", "keys": {"p256dh": "AAAA", "auth": BROWSER.auth}}, 400, "refused"),
        ({"endpoint": f"{FCM}/1", "keys": {"p256dh": BROWSER.p256dh, "auth": "x" * 101}}, 422, "refused"),
        ({"endpoint": f"{FCM}/1"}, 422, "refused"),
    ],
)
def test_subscriptions_that_cannot_be_are_refused(body: Json, status: int, code: str) -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            answer = await ask(inside, ann, "POST", "me/push", body)
            assert answer.status_code == status, answer.text
            if code != "refused":
                assert answer.json()["code"] == code
            assert answer.json()["message"]
            assert (await view(inside, ann))["devices"] == []

    run(test())


# ---- webhooks --------------------------------------------------------------------------------------------------------


def test_a_webhook_is_chosen_when_its_test_has_arrived(hook: Receiver) -> None:
    async def test() -> None:
        async with world(webhook_allow=(hook.origin,), **OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            await ask(inside, ann, "PUT", "me/notifications", {"language": "de"})
            answer = await ask(inside, ann, "PUT", "me/webhook", {"url": f"{hook.origin}/secret"})
            assert (answer.json()["webhook"], "secret" in answer.text) == (f"127.0.0.1:{hook.port}", False)
            line = json.loads((await asyncio.to_thread(hook.next)).body)
            assert line["content"] == texts("de")["test.text"]
            assert line["url"] == "https://kb.example.org/"
            hook.answer = http_answer(403)
            worse = await ask(inside, ann, "PUT", "me/webhook", {"url": f"{hook.origin}/other"})
            refused(worse, 400, "refused", "403")
            assert (await view(inside, ann))["webhook"] == f"127.0.0.1:{hook.port}"
            gone = await ask(inside, ann, "DELETE", "me/webhook")
            assert gone.json()["webhook"] == ""

    run(test())


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/hook", None),
        ("https://127.0.0.1/hook", "private"),
        ("https://10.1.2.3/hook", "private"),
        ("https://[::1]/hook", "private"),
        ("https://169.254.169.254/latest", "private"),
        ("https://intranet/hook", "private"),
        ("https://2130706433/hook", None),
        ("https://localhost.localdomain:22/hook", None),
        ("https://me:secret@example.org/", None),
        ("https://localhost/hook", "private"),
        ("javascript:alert(1)", None),
    ],
)
def test_webhooks_that_lead_nowhere_good_are_refused(url: str, code: str | None) -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            answer = await ask(inside, ann, "PUT", "me/webhook", {"url": url})
            assert answer.status_code == 400, answer.text
            assert code is None or answer.json()["code"] == code
            assert (await view(inside, ann))["webhook"] == ""

    run(test())


def test_tests_of_webhooks_are_few_for_each_person_and_each_visitor(hook: Receiver) -> None:
    async def test() -> None:
        async with world(webhook_allow=(hook.origin,), persons_per_day=1000, **OFFERS) as inside:
            accepted = 0
            for number in range(10):
                person = await somebody(inside, f"{number}")
                for _ in range(7):
                    answer = await ask(inside, person, "PUT", "me/webhook", {"url": f"{hook.origin}/x"})
                    assert answer.status_code in (200, 429)
                    accepted += answer.status_code == 200
                if number == 0:
                    assert accepted == 5
            assert accepted == 20

    run(test())


def test_changes_are_few_for_each_person() -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            answers = [await ask(inside, ann, "PUT", "me/notifications", {"language": "fr"}) for _ in range(40)]
            assert {each.status_code for each in answers} == {200, 429}
            assert sum(each.status_code == 200 for each in answers) in range(29, 33)

    run(test())


# ---- mail ------------------------------------------------------------------------------------------------------------


def test_mail_needs_an_address_and_goes_on_and_off() -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            ann = await somebody(inside, "Ann")
            assert (await view(inside, ann))["mails"]
            refused(await ask(inside, ann, "PUT", "me/notifications", {"mail": True}), 400, "malformed", "address")
            inside.tables.notifier.address_of = address_of
            assert (await ask(inside, ann, "PUT", "me/notifications", {"mail": True})).json()["mail"]
            assert (await view(inside, ann))["address"] == f"{ann.id}@example.org"
            assert (await ask(inside, ann, "PUT", "me/notifications", {"language": "de"})).json()["mail"]
            assert not (await ask(inside, ann, "PUT", "me/notifications", {"mail": False})).json()["mail"]
            wrong = await ask(inside, ann, "PUT", "me/notifications", {"language": "xx"})
            assert wrong.status_code == 422

    run(test())


@pytest.mark.parametrize("token", ["", "x", "0" * 16, f"{'0' * 16}.{'0' * 32}", "a" * 100])
def test_made_up_links_end_no_mails(token: str) -> None:
    async def test() -> None:
        async with world(**OFFERS) as inside:
            answer = await inside.http.post(f"/api/unsubscribe/{token}")
            assert answer.status_code in (404, 405, 422)

    run(test())


# ---- what is said ----------------------------------------------------------------------------------------------------


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    english = {key: holes(text) for key, text in texts("en").items()}
    assert {key: holes(text) for key, text in texts(language).items()} == english
    assert all(texts(language).values())


def test_names_are_never_read_as_something_else() -> None:
    nasty = '{names} {0} "quoted" \n @everyone <!channel>'
    said = json.loads(push_payload("en", Notice("turn", "t", (nasty, "", "Bob"))))
    assert said["body"] == f"Your game with {nasty}, somebody and Bob waits for you."
    subject, text = mail_texts("xx", [Notice("over", "t", (nasty,))] * 2, "https://kb.test/", "LINK")
    assert (subject, "LINK" in text, "https://kb.test/#/table/t" in text) == ("2 messages about your games", True, True)
