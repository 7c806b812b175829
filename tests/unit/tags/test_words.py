"""Terms of words and of texts, and counts that follow an edit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.tags.words import (
    MOST,
    NO_WORDS,
    bag,
    bag_of,
    key,
    keys_of,
    retally,
    split,
    tally,
    terms,
)


def check(word: str, expected: str) -> None:
    """`word` has exactly the terms `expected`, which are counted in a text too."""
    assert split(word) == tuple(expected.split())
    found = dict.fromkeys(expected.split(), 1)
    assert terms(f"({word})") == found
    assert tally(f"+{word};\n".encode()) == {key(term): 1 for term in found}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("parse_invoice", "parse invoice"),
        ("parseHTTPReply", "parse http reply"),
        ("HTTP2Server", "http server"),
        ("sha256sum", "sha sum"),
        ("collectIDs", "collect ids"),
        ("URLString", "url string"),
        ("__init__", "init"),
        ("MAX_SIZE", "max size"),
        ("x", ""),
        ("a_b", ""),
        ("0xdeadbeef", ""),
        ("404", ""),
        ("straßeÜberUns", "straße über uns"),
        ("ЖурналСобытий", "журнал событий"),
        ("计算总额", "计算 算总 总额"),
        ("額", ""),
        ("“quoted”", "quoted"),
        ("a" * 41, ""),
        ("ab_" * 34, ""),
    ],
)
def test_terms_of_a_word(word: str, expected: str) -> None:
    check(word, expected)


def test_a_text_counts_code_comments_and_strings() -> None:
    text = "def get_user(id): # the user's id\n    return 'no such user'\r\n"
    once = dict.fromkeys(("def", "get", "the", "return", "no", "such"), 1)
    assert terms(text) == {**once, "user": 3, "id": 2}


def test_a_bag_says_how_often_and_no_further_than_it_can() -> None:
    made = bag_of(b"alpha beta " * 200 + b"alpha " * 100)
    assert [made.count(key(term)) for term in ("alpha", "beta", "gamma")] == [MOST, 200, 0]
    assert made.total == 500
    assert bag_of(b"") == NO_WORDS == bag({key("gone"): 0})


def test_any_bytes_have_words() -> None:
    assert tally(b"caf\xe9 \xff\xfe\x00 word") == tally(b"caf\xe9") | {key("word"): 1}


pieces = st.lists(
    st.sampled_from(
        [
            "fooBar",
            "foo",
            "B",
            "ar_",
            "\n",
            "\r\n",
            "\r",
            " ",
            "é",
            "计算",
            "总额",
            "\u2028",
            "9",
            "x" * 99,
        ]
    ),
    max_size=12,
).map(lambda parts: "".join(parts).encode())


@given(pieces, pieces, pieces, pieces)
def test_counts_after_an_edit_are_those_of_the_new_text(
    head: bytes, old: bytes, new: bytes, tail: bytes
) -> None:
    before, after = head + old + tail, head + new + tail
    counts = tally(before)
    retally(counts, before, after)
    assert counts == tally(after)
    assert bag(counts) == bag_of(after)


words = st.lists(st.text("aBc_9é计\n ", max_size=6) | st.sampled_from(["", "x" * 41, "y" * 120]))


@given(words)
def test_keys_of_many_words_are_those_of_each(words: list[str]) -> None:
    keys, sizes = keys_of(word.encode() for word in words)
    each = [[key(term) for term in split(word)] for word in words]
    assert sizes == [len(found) for found in each]
    assert keys == [number for found in each for number in found]
