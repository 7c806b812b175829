"""Presets: their words, and where tests of a file go."""

from __future__ import annotations

import pytest

from pairwright.config.schema import Preset
from pairwright.lsp.presets import wish

PATHS = (
    *("lib/cart.py", "lib/money.py", "tests/lib/test_cart.py", "tests/test_zoo.py"),
    *("web/app.ts", "web/app.test.ts", "web/row.ts"),
)


@pytest.mark.parametrize(
    ("path", "words", "chat"),
    [
        ("lib/cart.py", "Add them to tests/lib/test_cart.py.", ("tests/lib/test_cart.py",)),
        (
            "lib/money.py",
            "new file, named and placed as tests/lib/test_cart.py, tests/test_zoo.py.",
            (),
        ),
        ("web/app.ts", "Add them to web/app.test.ts.", ("web/app.test.ts",)),
        ("web/row.ts", "new file, named and placed as web/app.test.ts.", ()),
        ("main.go", "Put them into a new file.", ()),
        ("", "Put them into a new file", ()),
    ],
)
def test_tests_go_where_tests_are(path: str, words: str, chat: tuple[str, ...]) -> None:
    found = wish("tests", path, PATHS, ())
    assert found is not None and found.mode == "edit"
    assert words in found.words and found.chat == chat


def test_the_users_own_come_first_and_need_words() -> None:
    own = (Preset("explain", "Say it in one line.", "ask"), Preset("document", " "))
    found = wish("explain", "a.py", (), own)
    assert found is not None and (found.mode, found.words) == ("ask", "Say it in one line.")
    found = wish("document", "a.py", (), own)
    assert found is not None and "docstring" in found.words
    assert wish("nosuch", "a.py", (), own) is None
