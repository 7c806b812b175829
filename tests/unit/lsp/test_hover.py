"""Hover cards over a real host: which name, which definition, what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.editor import uri_of
from tests.support.fixture import cursor, files

from pairwright.config.schema import Index
from pairwright.lsp.documents import Located, Root
from pairwright.lsp.handlers.hover import Card, card_of, compact, full, name_at
from pairwright.lsp.views import Views
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

SHOP = """\
-- shop.py --
class Basket:
    '''What a customer [pays](command:evil).
    ```
    <img src=x>
    '''
    def add(self, item):
        return item


def add(one, two):
    return one + two
-- app.py --
from shop import Basket


def main():
    basket = Basket()
    basket.add(1)
    return Basket()
"""


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    folder = tmp_path / "work"
    folder.mkdir()
    host = Host(str(folder), Index(workers=1), Cache(None))
    yield Root(str(folder), uri_of(folder), host)
    host.stop()


def at(root: Root, archive: str, path: str) -> Card | None:
    """The card at the mark in `path` of an archive written to disk, indexed and opened."""
    found = None
    for name, text in files(archive).items():
        if name == path:
            text, mark = cursor(text)
            found = (text, len(text[:mark].encode()))
        place = Path(root.path) / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    assert found
    root.host.scan()
    uri = uri_of(Path(root.path) / path)
    root.host.open(path, uri, 1, "", found[0].encode())
    return _card(root, Located(root, path, uri), found[1])


def _card(root: Root, located: Located, offset: int) -> Card | None:
    snapshot = root.host.snapshot()
    name = name_at(snapshot.tags(located.path), offset)
    if name is None:
        return None
    views = Views(lambda job: job())
    return card_of(snapshot, lambda: views.of(snapshot, 200), located, name)


def test_a_use_finds_its_definition_in_another_file(root: Root) -> None:
    card = at(root, SHOP.replace("basket = Basket", "basket = Bas<CURSOR>ket"), "app.py")
    assert card is not None
    assert (card.path, card.line, card.kind) == ("shop.py", 0, "class")
    assert card.rank >= 1
    assert card.of == 3
    assert dict(card.referrers)["app.py"] >= 2
    assert card.shown is True
    assert card.signature == "class Basket:"


def test_the_definition_under_the_cursor_wins_over_its_namesakes(root: Root) -> None:
    method = at(root, SHOP.replace("def add(self", "def a<CURSOR>dd(self"), "shop.py")
    assert method is not None
    assert "self, item" in method.signature


def test_the_end_of_a_name_belongs_to_it(root: Root) -> None:
    card = at(root, SHOP.replace("def main(", "def main<CURSOR>("), "app.py")
    assert card is not None
    assert card.name == "main"
    assert card.referrers == ()


def test_no_name_no_card(root: Root) -> None:
    assert at(root, SHOP.replace("return one +", "return one <CURSOR> +"), "shop.py") is None


def test_a_name_that_nothing_defines_has_no_card(root: Root) -> None:
    unknown = SHOP.replace("basket.add(1)", "pri<CURSOR>nt(1)")
    assert at(root, unknown, "app.py") is None


def test_a_buffer_outside_all_folders_is_known_by_itself(root: Root) -> None:
    uri = "untitled:Untitled-1"
    root.host.open(uri, uri, 1, "python", b"def u(): pass\nu()\n")
    card = _card(root, Located(root, uri, uri), 4)
    assert card is not None
    assert (card.path, card.line, card.rank, card.shown) == ("", 0, 0, None)
    assert card.referrers == (("this buffer", 1),)


def test_while_the_folder_is_not_indexed_there_is_no_rank(root: Root) -> None:
    path = Path(root.path) / "a.py"
    root.host.open("a.py", uri_of(path), 1, "python", b"def a(): pass\n")
    card = _card(root, Located(root, "a.py", uri_of(path)), 4)
    assert card is not None
    assert (card.rank, card.shown) == (0, None)


def test_one_line_with_the_facts(root: Root) -> None:
    card = at(root, SHOP.replace("def main(", "def ma<CURSOR>in("), "app.py")
    assert card is not None
    rich, plain = compact(card)
    assert plain.startswith("def main(): · app.py:4 · rank ")
    assert "no static references · about " in plain
    assert rich.startswith("`def main():` · `app.py:4` · ")
    assert "\n" not in rich + plain


def test_words_of_the_author_are_shown_and_are_not_live(root: Root) -> None:
    card = at(root, SHOP.replace("class Basket", "class Bas<CURSOR>ket"), "shop.py")
    assert card is not None
    assert card.doc.startswith("What a customer [pays](command:evil).")
    rich, plain = full(card)
    assert "[pays](command:evil)" in plain
    assert "[pays](command:evil)" not in rich
    assert "\n```\n" not in rich.replace("```python\nclass Basket:\n```", "")
    assert "<img" not in rich.replace("\\<img", "")


def test_decorators_are_not_the_first_line(root: Root) -> None:
    archive = "-- d.py --\n@cache\n@other(1)\ndef de<CURSOR>corated(a):\n    return a\n"
    card = at(root, archive, "d.py")
    assert card is not None
    assert compact(card)[1].startswith("def decorated(a): · ")


def test_of_several_definitions_the_imported_one_and_the_number_of_others(root: Root) -> None:
    archive = (
        "-- a/tax.py --\ndef rate(): return 1\n-- b/tax.py --\ndef rate(): return 2\n"
        "-- c.py --\nfrom b.tax import rate\nra<CURSOR>te()\n"
    )
    card = at(root, archive, "c.py")
    assert card is not None
    assert (card.path, card.others) == ("b/tax.py", 1)
    assert " · defined in 1 more file · " in compact(card)[1]
