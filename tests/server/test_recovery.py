"""Codes that people type, and mail addresses."""

import math
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.message import Refusal
from kingdom_builder.server import recovery
from kingdom_builder.server.recovery import (
    ALPHABET,
    MAILED_SECONDS,
    MAILED_TRIES,
    MailedCode,
    new_mailed_code,
    new_recovery_codes,
    normal_address,
    recovery_hash,
    try_mailed_code,
)

CODES = st.text(ALPHABET, min_size=16, max_size=16)
MAILED = st.text(ALPHABET, min_size=6, max_size=6)
ADDRESS, SECRET, NOW = "ann@example.org", "secret", 1_000

GAPS = st.sampled_from(["", " ", "-", "\u2013", "\u00a0", "\u200b", "\t", " - ", "."])
MISREAD = {"0": "0Oo", "1": "1IiLl", "V": "VvUu"}


@st.composite
def typings(draw: st.DrawFn, code: str) -> str:
    """What somebody may type who reads a code."""
    typed = draw(GAPS)
    for character in code:
        typed += draw(st.sampled_from(MISREAD.get(character, character + character.lower())))
        typed += draw(GAPS) if len(typed) < 40 else ""
    return typed


def test_recovery_codes_are_many_and_have_eighty_bits() -> None:
    codes = new_recovery_codes()
    assert len(set(codes)) == recovery.RECOVERY_CODES
    assert recovery.RECOVERY_LENGTH * math.log2(len(set(ALPHABET))) == 80
    for code in codes:
        groups = code.split("-")
        assert [len(group) for group in groups] == [4, 4, 4, 4]
        assert set("".join(groups)) <= set(ALPHABET)


def test_codes_use_the_whole_alphabet() -> None:
    assert set("".join("".join(new_recovery_codes()) for _ in range(30))) - {"-"} == set(ALPHABET)


def test_the_alphabet_has_no_two_characters_that_look_alike() -> None:
    assert not set(ALPHABET) & set("ILOU")
    assert set("ILOU".translate(recovery.MEANT)) <= set(ALPHABET)


@given(st.data(), CODES)
def test_a_code_fits_however_it_is_typed(data: st.DataObject, code: str) -> None:
    assert recovery_hash(data.draw(typings(code)), "salt") == recovery_hash(code, "salt")


@given(CODES, CODES)
def test_different_codes_have_different_hashes(one: str, other: str) -> None:
    assert (recovery_hash(one, "salt") == recovery_hash(other, "salt")) == (one == other)


@given(CODES)
def test_the_hash_of_a_code_does_not_show_it_and_depends_on_the_salt(code: str) -> None:
    found = recovery_hash(code, "salt")
    assert code.lower() not in found
    assert found != recovery_hash(code, "other salt")


@given(st.text(max_size=12) | st.text(ALPHABET, max_size=15) | st.text(ALPHABET, min_size=17, max_size=30))
def test_what_is_no_code_is_refused_in_one_sentence(typed: str) -> None:
    with pytest.raises(Refusal) as caught:
        recovery_hash(typed, "salt")
    assert str(caught.value) == "This is not a code: expected 16 letters and digits, such as 3456-789A-BCDE-FGHJ."


@pytest.mark.parametrize("typed", ["A" * 10_000_000, "-" * 10_000_000, "\ufdfa" * 60, "3456-789A-BCDE-FGHJ" + "-" * 60])
def test_an_endless_code_is_refused(typed: str) -> None:
    with pytest.raises(Refusal):
        recovery_hash(typed, "salt")


def mailed() -> tuple[str, MailedCode]:
    return new_mailed_code(ADDRESS, SECRET, NOW)


MAILED_CODE, KEPT = mailed()


@given(typings(MAILED_CODE))
def test_a_mailed_code_fits_once_however_it_is_typed(typed: str) -> None:
    assert try_mailed_code(KEPT, typed, ADDRESS, SECRET, NOW) == (True, None)


def test_a_mailed_code_is_for_one_address_and_device() -> None:
    code, kept = mailed()
    assert not try_mailed_code(kept, code, "bob@example.org", SECRET, NOW).fits
    assert not try_mailed_code(kept, code, ADDRESS, "another", NOW).fits
    assert try_mailed_code(kept, code, ADDRESS, SECRET, NOW).fits


def test_a_mailed_code_ends_after_ten_minutes() -> None:
    code, kept = mailed()
    assert try_mailed_code(kept, code, ADDRESS, SECRET, NOW + MAILED_SECONDS - 1).fits
    assert try_mailed_code(kept, code, ADDRESS, SECRET, NOW + MAILED_SECONDS) == (False, None)


@given(st.lists(MAILED, max_size=8))
def test_a_mailed_code_has_so_many_tries_whatever_they_are(tries: list[str]) -> None:
    code, first = mailed()
    kept: MailedCode | None = first
    for number, typed in enumerate([each for each in tries if each != code], 1):
        assert kept is not None
        tried = try_mailed_code(kept, typed, ADDRESS, SECRET, NOW)
        assert not tried.fits
        kept = tried.kept
        assert (kept is None) == (number >= MAILED_TRIES)
        if kept is None:
            break
    if kept is not None:
        assert try_mailed_code(kept, code, ADDRESS, SECRET, NOW).fits


def test_a_slip_costs_no_try() -> None:
    _, kept = mailed()
    with pytest.raises(Refusal, match="expected 6 letters"):
        try_mailed_code(kept, "12345", ADDRESS, SECRET, NOW)


def test_what_is_kept_shows_neither_code_nor_address() -> None:
    code, kept = mailed()
    assert code.lower() not in repr(kept).lower()
    assert "ann" not in repr(kept)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ann@example.org", "ann@example.org"),
        (" Ann@Example.ORG\n", "Ann@example.org"),
        ("a.b+c_d@mail.example.co.uk", "a.b+c_d@mail.example.co.uk"),
        ("o'neil@example.org", "o'neil@example.org"),
        ("ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("ann@1and1.example", "ann@1and1.example"),
    ],
)
def test_an_address_is_kept_with_its_domain_in_small_letters(text: str, address: str) -> None:
    assert normal_address(text) == address
    assert normal_address(address) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "ann",
        "ann@",
        "@example.org",
        "ann@example",
        "ann@example.",
        "ann@.example.org",
        "ann@exa mple.org",
        "ann@-example.org",
        "ann@127.0.0.1",
        "ann@[127.0.0.1]",
        "ann bob@example.org",
        "ann@bob@example.org",
        ".ann@example.org",
        "ann.@example.org",
        "ann..b@example.org",
        '"ann"@example.org',
        "Ann <ann@example.org>",
        "ann@example.org, bob@example.org",
        "ann@example.org\r\nBcc: bob@example.org",
        "ann\n@example.org",
        "änn@example.org",
        "a" * 65 + "@example.org",
        "ann@" + "a" * 64 + ".org",
        "ann@" + "a." * 124 + "org",
        "ann@" + "ü." * 100_000 + "org",
        "ann@example.org" + " " * 300,
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="is not a mail address"):
        normal_address(text)


@given(st.text(max_size=300) | st.from_regex(r"[^@]{1,20}@[^@]{1,20}\.[a-zü]{2,9}", fullmatch=True))
def test_an_address_is_safe_in_a_header_and_stays_as_it_is(text: str) -> None:
    try:
        address = normal_address(text)
    except Refusal:
        return
    local, _, domain = address.partition("@")
    assert len(address) <= 254
    assert set(domain) <= set(ascii_letters.lower() + digits + ".-")
    assert local in text
    assert not set(address) & set(' <>,;:"()[]\\\r\n\t')
    assert normal_address(address) == address
