"""Words and paths of a request."""

from __future__ import annotations

import pytest

from pairwright.graph.focus import focus_words, mentioned_paths
from pairwright.graph.paths import PathIndex

PATHS = (
    "Makefile",
    "README",
    "a/util.py",
    "b/util.py",
    "docs/my notes.md",
    "lib/http_client",
    "lib/server",
    "src/app.js",
    "src/计算.py",
)


def check(text: str, expected: list[str]) -> None:
    """`text` names exactly the expected paths."""
    assert mentioned_paths(text, PATHS) == tuple(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/app.js", ["src/app.js"]),
        ("see app.js", ["src/app.js"]),
        ("fix (app.js), please", ["src/app.js"]),
        ("fix `src/app.js`!", ["src/app.js"]),
        ("fix 'app.js'.", ["src/app.js"]),
        ('"app.js"?', ["src/app.js"]),
        ("at src/app.js:12", ["src/app.js"]),
        ("at src/app.js:12:5: error", ["src/app.js"]),
        ("at src/app.js#L12-L15.", ["src/app.js"]),
        ("run ./src/app.js now", ["src/app.js"]),
        ("[app](src/app.js)", ["src/app.js"]),
        ("In app.js...", ["src/app.js"]),
        ("util.py is ambiguous", []),
        ("but a/util.py is not", ["a/util.py"]),
        ("the server is slow", []),
        ("lib/server is slow", ["lib/server"]),
        ("http_client is slow", ["lib/http_client"]),
        ("the Makefile", ["Makefile"]),
        ("open 'docs/my notes.md'", ["docs/my notes.md"]),
        ("open docs/my notes.md now", ["docs/my notes.md"]),
        ("看看 计算.py。", ["src/计算.py"]),
        ("myapp.js and app.jsx", []),
        ("src/app.js and a/util.py, b/util.py", ["a/util.py", "b/util.py", "src/app.js"]),
        ("", []),
    ],
)
def test_mentioned_paths(text: str, expected: list[str]) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rename get_user to fetchUser.", ("Rename", "fetchUser", "get_user", "to")),
        ("my-widget or my-widget", ("my", "my-widget", "or", "widget")),
        ("f7 7f 12", ("f7",)),
        ("计算总额 fehlt", ("fehlt", "计算总额")),
        ("a.b().c", ("a", "b", "c")),
        ("", ()),
    ],
)
def test_focus_words(text: str, expected: tuple[str, ...]) -> None:
    assert focus_words(text) == expected


def test_parts_of_paths_are_folders_base_names_and_stems() -> None:
    parts = PathIndex(("a/util.py", "b/util.py", ".bashrc")).parts
    assert parts["util"] == (0, 1) and parts["util.py"] == (0, 1)
    assert parts["a"] == (0,) and parts[".bashrc"] == (2,)
