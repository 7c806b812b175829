"""Which names in a model's prose are confirmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.memory.claims import FLOOR, names, verified

KNOWN = frozenset(("Cart", "total", "round_up", "rows", "shop/money.py", "money.py", "asyncio"))


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("Adds up the prices of a cart, e.g. with tax and/or rebate.", ()),
        ("Reads JSON from GitHub over HTTP; needs Node.js and SQLite.", ()),
        (
            "`total` calls round_up and parsePrice(), then HttpServer.",
            ("total", "round_up", "parsePrice", "HttpServer"),
        ),
        ("Cart.total rounds; see shop/money.py.", ("Cart.total", "shop/money.py")),
        ("`Cart(rows, key='no_name').total()`", ("Cart", "rows", "key", "total")),
        ("``a`b``", ("a", "b")),
        (
            "`std::vector` and `obj->field` of `my-file.py`",
            ("std::vector", "obj->field", "my-file.py"),
        ),
        ("It returns `None` or `True`, and self.total.", ("self.total",)),
        ("A client/server design, 2.5 times faster, v1.2.", ()),
    ],
)
def test_names(prose: str, expected: tuple[str, ...]) -> None:
    assert names(prose) == expected


def check(
    purpose: str, notes: tuple[str, ...], left: tuple[str, tuple[str, ...]], *dropped: str
) -> None:
    found = verified(purpose, notes, KNOWN)
    assert (found.purpose, found.notes) == left
    assert found.dropped == dropped
    assert found.claimed - found.confirmed == len(dropped)


def test_a_sentence_that_names_what_is_not_there_goes() -> None:
    purpose = "`Cart` holds rows. `Cart.total` uses `round_up`. `Basket` is older."
    notes = ("`total` is rounded", "`rows` are `asyncio` tasks")
    check(purpose, notes, ("`Cart` holds rows. `Cart.total` uses `round_up`.", notes), "Basket")
    check(
        purpose,
        ("`rows` first; `Cart` second; see shop/money.py",),
        (
            "`Cart` holds rows. `Cart.total` uses `round_up`.",
            ("`rows` first; `Cart` second; see shop/money.py",),
        ),
        "Basket",
    )


def test_below_the_floor_all_of_it_goes() -> None:
    check("`Cart` adds up.", ("`Basket` and `pay` follow.",), ("", ()), "Basket", "pay")


def test_the_floor_itself_is_enough() -> None:
    text = "`Cart` `total` `round_up` `rows`."
    found = verified(f"{text} `nothing`!", (), KNOWN)
    assert (found.confirmed, found.claimed) == (4, 5)
    assert found.confirmed == FLOOR * found.claimed
    assert found.purpose == text


def test_words_alone_claim_nothing_and_stay() -> None:
    check(
        "Adds up. Rounds once.",
        ("Prices are cents.",),
        ("Adds up. Rounds once.", ("Prices are cents.",)),
    )


def test_a_path_is_confirmed_by_its_last_part() -> None:
    check(
        "Uses `shop/money.py` and src/shop/money.py.",
        (),
        ("Uses `shop/money.py` and src/shop/money.py.", ()),
    )


def test_a_sentence_does_not_end_inside_of_code() -> None:
    check(
        "Use `rows. Cart` only. `Cart` stays. `total` and `round_up` too. See `gone`.",
        (),
        ("Use `rows. Cart` only. `Cart` stays. `total` and `round_up` too.", ()),
        "gone",
    )


_WORDS = st.sampled_from(
    ("`Cart`", "total()", "Basket()", "gone_by", "holds", "`", ".", ";", "Adds", "\n", "round_up")
)
_PROSE = st.lists(_WORDS, max_size=12).map(" ".join)


@given(_PROSE, st.lists(_PROSE, max_size=4).map(tuple))
def test_nothing_unconfirmed_is_left(purpose: str, notes: tuple[str, ...]) -> None:
    found = verified(purpose, notes, KNOWN)
    for text in (found.purpose, *found.notes):
        assert not set(names(text)) & set(found.dropped)
    assert len(found.notes) <= len(notes)
    again = verified(found.purpose, found.notes, KNOWN)
    assert (again.purpose, again.notes) == (found.purpose, found.notes)
