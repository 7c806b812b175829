"""Which definition a request names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.engine.context import Turn
from pairwright.engine.named import names, placed
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

SOURCE = """\
LIMIT = 3


def load(path):
    return path


def load_all(paths):
    def load_one(path):
        return load(path)

    return [load_one(p) for p in paths]


class Box:
    def size(self):
        return 0

    def get_value(self):
        return 1


class Bag:
    def size(self):
        return 1
"""


def of(root: Path, text: str) -> Snapshot:
    """A folder with `a.py`."""
    (root / "a.py").write_text(text)
    host = Host(str(root.resolve()), Index(workers=1), Cache(None))
    host.scan()
    return host.snapshot()


@pytest.mark.parametrize(
    ("request_", "start"),
    [
        ("In `load`, rename `path` to `place`.", "def load(path)"),
        ("make load_all return a tuple", "def load_all"),
        ("let load() strip blanks", "def load(path)"),
        ("`Bag.size` shall be 2", "def size(self):\n        return 1"),
        ("in get_value return 2", "def get_value"),
        ("`load_all` and its `load_one` shall take strings", "def load_all"),
        # Two of one name, two different ones, a word of prose, a name of no definition, a constant.
        ("`size` shall be 2", None),
        ("use load() in get_value", None),
        ("load it all", None),
        ("`lode` is misspelled", None),
        ("make `LIMIT` 4", None),
    ],
)
def test_a_request_that_names_one_definition_is_about_it(
    request_: str, start: str | None, tmp_path: Path
) -> None:
    turn = placed(Turn("edit", request_, chat=("a.py",)), of(tmp_path, SOURCE))
    if start is None:
        assert turn.selection is None
    else:
        assert turn.path == "a.py" and turn.selection is not None
        assert SOURCE[turn.selection[0] :].startswith(start)


def test_a_selection_of_the_user_s_and_a_question_stay(tmp_path: Path) -> None:
    snapshot = of(tmp_path, SOURCE)
    for turn in (
        Turn("edit", "`load`", "a.py", (0, 5)),
        Turn("ask", "`load`", chat=("a.py",)),
        Turn("edit", "`load`", chat=("a.py",), read_only=("a.py",)),
    ):
        assert placed(turn, snapshot) is turn


def test_a_definition_that_is_too_long_is_no_place(tmp_path: Path) -> None:
    long = "def long():\n" + "    x = 1\n" * 80
    turn = Turn("edit", "`long` shall be short", chat=("a.py",))
    assert placed(turn, of(tmp_path, long)) is turn


def test_names_are_what_no_word_of_prose_looks_like() -> None:
    assert names("In `a b`, call Open() and read_all for fooBar of x.y in The end") == (
        "a",
        "Open",
        "read_all",
        "fooBar",
        "x.y",
    )
