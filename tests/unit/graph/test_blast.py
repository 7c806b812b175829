"""Who leads to a change: steps, names that many define, bounds; and which definitions a range
changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fixture import files

from pairwright.graph import blast as module
from pairwright.graph.blast import Blast, Index, Site, blast, touched
from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow
from pairwright.tags.files import tags_of
from pairwright.tags.names import row
from pairwright.tags.types import Tags

SHOP = """\
-- shop.py --
class Basket:
    def add(self, item):
        return check(item)

def check(item):
    def inner():
        return check(None)
    return inner

LIMIT = check(3)
-- app.py --
from shop import Basket, check

def main():
    def local():
        return check(1) + check(2)
    return local

main()
-- cli.py --
def start():
    main()
"""


class Texts:
    """An index over texts."""

    def __init__(self, archive: str, shuffle: int = 0) -> None:
        texts = list(files(archive).items())
        random.Random(shuffle).shuffle(texts)
        self.data = {path: text.encode() for path, text in texts}
        self.tags = {path: tags_of(path, data) for path, data in self.data.items()}
        self.graph = Graph.build(FileRow(path, *row(tags)) for path, tags in self.tags.items())
        self.read: list[str] = []

    def index(self) -> Index:
        return Index(self._tags, self.graph.referrers, self.graph.definers)

    def _tags(self, path: str) -> Tags:
        self.read.append(path)
        return self.tags[path]

    def site(self, path: str, name: str) -> Site:
        item = next(item for item in self.tags[path].defs if item.name == name)
        return Site(path, name, item.start)


def check(
    texts: Texts, *sites: Site, depth: int = 2
) -> list[tuple[str, str, int, int, tuple[str, ...]]]:
    return shown(blast(sites, texts.index(), depth=depth))


def shown(found: Blast) -> list[tuple[str, str, int, int, tuple[str, ...]]]:
    return [
        (
            item.path,
            item.definition.name if item.definition else "",
            item.depth,
            item.references,
            item.via,
        )
        for item in found.reached
    ]


def test_callers_and_their_callers() -> None:
    texts = Texts(SHOP)
    assert check(texts, texts.site("shop.py", "check")) == [
        ("app.py", "", 1, 1, ("check",)),
        ("app.py", "main", 1, 2, ("check",)),
        ("shop.py", "add", 1, 1, ("check",)),
        ("shop.py", "LIMIT", 1, 1, ("check",)),
        ("cli.py", "start", 2, 1, ("main",)),
    ]


def test_one_step_only() -> None:
    texts = Texts(SHOP)
    found = check(texts, texts.site("shop.py", "check"), depth=1)
    assert {item[0] for item in found} == {"app.py", "shop.py"}


def test_recursion_is_no_caller_and_nothing_is_reached_twice() -> None:
    texts = Texts(
        "-- a.py --\ndef one():\n    return two() + one()\n\ndef two():\n    return one()\n"
    )
    assert check(texts, texts.site("a.py", "one"), depth=5) == [("a.py", "two", 1, 1, ("one",))]


def test_a_name_that_many_define_is_followed_where_its_class_is_named() -> None:
    many = "".join(
        f"-- m{n}.py --\nclass C{n}:\n    def run(self): pass\n\ndef f{n}(c):\n    c.run()\n"
        for n in range(8)
    )
    texts = Texts(many + "-- user.py --\nfrom m0 import C0\n\ndef use():\n    C0().run()\n")
    found = blast([texts.site("m0.py", "run")], texts.index(), depth=1)
    assert [item[:2] for item in shown(found)] == [("m0.py", "f0"), ("user.py", "use")]
    assert found.unclear == (("run", 7),)


def test_a_file_with_its_own_definition_means_its_own() -> None:
    texts = Texts(
        "-- a.py --\ndef pay(): pass\n-- b.py --\ndef pay(): pass\n\ndef use_b():\n    pay()\n"
        "-- c.py --\ndef use_c():\n    pay()\n"
    )
    assert [item[:2] for item in check(texts, texts.site("a.py", "pay"))] == [("c.py", "use_c")]


def test_bounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 3)
    users = "".join(f"-- u{n}.py --\ndef u{n}():\n    rare()\n" for n in range(9))
    texts = Texts("-- a.py --\ndef rare(): pass\n" + users)
    found = blast([texts.site("a.py", "rare")], texts.index())
    assert ([item.path for item in found.reached], found.more) == (["u0.py", "u1.py", "u2.py"], 6)


def test_cancel_is_asked_for_each_file() -> None:
    class Enough(Exception):
        pass

    def stop() -> None:
        raise Enough

    texts = Texts(SHOP)
    with pytest.raises(Enough):
        blast([texts.site("shop.py", "check")], texts.index(), check=stop)


@given(st.integers(1, 50))
def test_the_order_of_files_does_not_show(seed: int) -> None:
    plain, mixed = Texts(SHOP), Texts(SHOP, seed)
    sites = plain.site("shop.py", "check"), plain.site("shop.py", "Basket")
    assert blast(sites, plain.index()) == blast(reversed(sites), mixed.index())


TOUCHED = """\
class Basket(Base):
    size = 3

    def add(self):
        def inner():
            return 1
        return inner

    def drop(self): pass


def free():
    return 2
"""


@pytest.mark.parametrize(
    ("old", "insert", "expected"),
    [
        ("return 1", False, ["add"]),
        ("(Base)", False, ["Basket"]),
        ("size = 3", False, ["Basket"]),
        ("return 2", False, ["free"]),
        ("    def drop(self): pass\n\n\ndef free():\n    return 2", False, ["drop", "free"]),
        ("\n    def drop", True, []),
        ("\n\ndef free", True, []),
        ("return inner", True, ["add"]),
        ("Base)", True, ["Basket"]),
    ],
)
def test_what_a_range_changes(old: str, insert: bool, expected: list[str]) -> None:
    data = TOUCHED.encode()
    low = data.index(old.encode())
    span = (low, low if insert else low + len(old))
    found = touched(tags_of("a.py", data), data, [span])
    assert [item.name for item in found] == expected
