"""Which files a reply names, and which it asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.mentions import meant, mentions

PATHS = (
    ".gitignore",
    "Makefile",
    "docs/my notes.md",
    "lib/run.py",
    "run",
    "shop/cart.py",
    "shop/money.py",
    "tests/cart.py",
    "tests/test_money.py",
)


def check(text: str, named: list[str], asked: list[str] | None = None) -> None:
    found = mentions(text, PATHS)
    assert [one.path for one in found] == named
    if asked is not None:
        assert [one.path for one in found if one.asks or one.changes] == asked


@pytest.mark.parametrize(
    "text",
    [
        "See shop/money.py:12 there.",
        "It rounds (shop/money.py).",
        "It rounds ([money](shop/money.py)).",
        "In ./shop/money.py it rounds.",
        "In `money.py` it rounds.",
        "In 'shop/money.py', it rounds.",
        "In **money.py** it rounds.",
        "In shop\\money.py it rounds.",
        "In `shop\\money.py:3-9` it rounds.",
        "It is money.py's job.",
        "Is it <shop/money.py>?",
        "It is shop/money.py#L3-L9.",
        "It is Shop/Money.py.",
        "- money.py: rounds",
        "1. `shop/money.py`",
        "It is in money.py... or not.",
        'In "shop/money.py" it rounds',
        "`from shop/money.py import *`",
    ],
)
def test_every_way_to_write_a_path_is_a_mention(text: str) -> None:
    check(text, ["shop/money.py"], [])


@pytest.mark.parametrize(
    "text",
    [
        "You run it with make.",
        "The Makefile and run are fine.",
        "cart.py is one of two files.",
        "nothing.py is no file, and shop/cash.py neither.",
        "my_money.py is another file.",
        "shop/money is no path.",
        "shop is a folder; so is shop/.",
        "About my notes.md nothing is known.",
        "money.pyc",
        "",
    ],
)
def test_a_plain_word_is_no_file(text: str) -> None:
    check(text, [])


def test_marked_words_and_paths_are_files() -> None:
    check("Look at `run`.", ["run"])
    check("Look at ./run and ./Makefile.", ["run", "Makefile"])
    check("Look at `my notes.md`.", ["docs/my notes.md"])
    check('Look at "docs/my notes.md:4".', ["docs/my notes.md"])
    check("Look at .gitignore!", [".gitignore"])
    check("`tests/cart.py` and `shop/cart.py`", ["tests/cart.py", "shop/cart.py"])


@pytest.mark.parametrize(
    "text",
    [
        "Please add shop/money.py to the chat.",
        "Could you share `money.py`?",
        "I need to see shop/money.py first.",
        "I'd like to look at `money.py` before I change this.",
        "To finish this, `shop/money.py` has to be changed too.",
        "Also money.py needs an update.",
        "`money.py` must change too: it calls the old name.",
        "Without seeing shop/money.py I cannot say.",
        "shop/money.py was not shown.",
        "Please add these files to the chat:\n\n- shop/money.py",
        "Please provide the following:\n```\nshop/money.py\n```",
        "I do not know `money.py`. Please show it: `money.py`",
    ],
)
def test_a_sentence_that_asks(text: str) -> None:
    check(text, ["shop/money.py"], ["shop/money.py"])


@pytest.mark.parametrize(
    "text",
    [
        "I have changed the call, and `money.py` stays as it is.",
        "round_up comes from shop/money.py. Please tell me if that is wrong.",
        "I will update the total as shop/money.py does.",
        "Please note:\n\nIt is as in the other.\n\n- shop/money.py",
    ],
)
def test_a_sentence_that_only_names(text: str) -> None:
    check(text, ["shop/money.py"], [])


def test_to_see_and_to_change_are_told_apart() -> None:
    (seen,) = mentions("I need to see money.py.", PATHS)
    (changed,) = mentions("You should update money.py.", PATHS)
    assert (seen.asks, seen.changes, changed.asks, changed.changes) == (True, False, False, True)


def test_code_names_nothing() -> None:
    check("```python\n# please add shop/money.py\n```\n", [])
    check("<<<<<<< SEARCH\nshop/money.py\n=======\n```\nmoney.py\n>>>>>>> REPLACE\n", [])
    check(
        "*** Begin Patch\n*** Update File: shop/money.py\n*** End Patch\nmoney.py",
        ["shop/money.py"],
    )
    check("--- shop/cart.py\n+++ shop/cart.py\n@@ @@\n+# see shop/money.py\n", [])


def test_a_name_by_itself() -> None:
    assert meant("run", PATHS) == "run"
    assert meant("./shop/money.py", PATHS) == "shop/money.py"
    assert meant("MONEY.PY", PATHS) == "shop/money.py"
    assert meant("cart.py", PATHS) is None
    assert meant("/etc/passwd", PATHS) is None


@given(st.text(alphabet="shop/money.py cart run`'\"()[]<>*:#\n-.Lpleaseadd ", max_size=200))
def test_only_files_that_exist_are_named_and_each_once(text: str) -> None:
    found = [one.path for one in mentions(text, PATHS)]
    assert set(found) <= set(PATHS)
    assert len(found) == len(set(found))


def test_floods_are_read_in_one_go() -> None:
    """Nothing is searched in the square of its length."""
    for flood in ("please ", "`", '"', "add to the ", "I need ", "a/b.py:1:", "](", "**", "' "):
        assert mentions(flood * 4_000, PATHS) == ()
