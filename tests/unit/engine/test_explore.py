"""What a model looks up: answers from a real index, bounded, with places."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.expect import golden
from tests.support.fixture import files

from pairwright.config.schema import Index
from pairwright.edits.looks import wishes
from pairwright.engine.explore import MOST_IN_FILE, Answered, look_up
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def total(self):
        return round_up(sum(self.rows))

    def tax(self):
        return round_up(self.total() * 0.2)
-- shop/money.py --
def round_up(value):
    # Rounded up to whole coins.
    return int(value + 0.99)
-- shop/basket.py --
class Basket:
    def total(self):
        return 0
-- web/cart.py --
CARTS = []
-- notes.md --
Prices are rounded up.
-- hidden/key.py --
def round_up_secretly(): "rounded up"
-- .gitignore --
hidden/
"""


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    root = tmp_path_factory.mktemp("explored")
    for path, text in files(REPO).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (root / "big.py").write_text("".join(f"def f{n}(): return needle\n" for n in range(400)))
    host = Host(str(root.resolve()), Index(workers=1), Cache(None))
    host.scan()
    yield host.snapshot()
    host.stop()


def looked(snapshot: Snapshot, *lines: str, room: int = 4000, shown: tuple[str, ...] = ()):
    found = wishes("\n".join(("```look", *lines, "```")))
    assert found.unread == ()
    return look_up(found.looks, snapshot, shown, room)


def one(snapshot: Snapshot, line: str, **more: object) -> Answered:
    (answer,) = looked(snapshot, line, **more)  # type: ignore[arg-type]
    return answer


def test_every_kind_of_answer(snapshot: Snapshot) -> None:
    found = looked(
        snapshot,
        "file shop/money.py",
        "file shop/cart.py:4-6",
        "symbol Cart.total",
        "symbol total",
        "references round_up",
        "search rounded up",
        "map rounding coins",
        "file cart.py",
        room=700,
    )
    told = (f"# {a.asked} -> {a.found} {a.paths} {a.joins}\n{a.text}" for a in found)
    golden("looked_up.txt", "\n\n".join(told) + "\n")


def test_a_whole_file_joins_and_one_that_is_shown_does_not(snapshot: Snapshot) -> None:
    assert one(snapshot, "file money.py").joins == "shop/money.py"
    again = one(snapshot, "file money.py", shown=("shop/money.py",))
    assert (again.joins, again.found) == ("", "shop/money.py stands in this request already.")


def test_what_is_ignored_is_not_found(snapshot: Snapshot) -> None:
    for line in ("file hidden/key.py", "symbol round_up_secretly", "search secretly"):
        found = one(snapshot, line)
        assert found.paths == () and found.joins == "" and "def round" not in found.text
    assert one(snapshot, "search rounded up").paths == ("shop/money.py", "notes.md")


def test_a_search_in_small_letters_is_for_any_case(snapshot: Snapshot) -> None:
    assert one(snapshot, "search carts").found == "1 place"
    assert one(snapshot, "search Carts").found == "nothing found."


def test_answers_stay_within_their_room(snapshot: Snapshot) -> None:
    wanted = ["file big.py", "search needle", "references needle", "symbol f7", "map needle"]
    for room in (60, 300, 1500):
        found = looked(snapshot, *wanted, room=room)
        assert not any(answer.joins for answer in found)
        assert sum(estimate(answer.text) for answer in found) <= room + 40 * len(found)
    (whole,) = looked(snapshot, "file big.py", room=100_000)
    assert whole.joins == "big.py"
    cut = one(snapshot, "file big.py", room=200)
    assert "(cut:" in cut.text and "def f0(): return needle" in cut.text


def test_a_file_gives_only_some_lines_of_a_search(snapshot: Snapshot) -> None:
    found = one(snapshot, "search needle")
    assert found.text.count("big.py:") == MOST_IN_FILE
    assert f"{MOST_IN_FILE} of 400 places shown" in found.text


def test_what_is_not_there_is_said(snapshot: Snapshot) -> None:
    assert "more than one file" in one(snapshot, "file cart.py").found
    assert one(snapshot, "file shop/cash.py").found == "no file of the workspace is called so."
    assert one(snapshot, "file shop/money.py:90-99").found == "shop/money.py has 3 lines only."
    assert one(snapshot, "references nobody").found == "nothing found."
    assert "nothing of that name" in one(snapshot, "symbol Nobody.total").found


def test_the_same_question_has_the_same_answer(snapshot: Snapshot) -> None:
    lines = ("search round", "references round_up", "symbol total", "map cart")
    assert looked(snapshot, *lines) == looked(snapshot, *lines)
