"""Definitions and references by name over a real host: order, place, bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.support.editor import uri_of
from tests.support.fixture import cursor, files

from pairwright.config.schema import Index
from pairwright.lsp.documents import Located, Root
from pairwright.lsp.handlers.hover import name_at
from pairwright.lsp.handlers.navigation import definitions, uses
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

SHOP = """\
-- app/main.py --
from app.till import pay


def run():
    return pay(1) + pay(2)
-- app/till.py --
def pay(amount):
    return amount
-- app/beside.py --
def pay(amount):
    return 0
-- other/far.py --
from app import till
def pay(amount):
    return pay(amount - 1)
"""


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    folder = tmp_path / "work"
    host = Host(str(folder), Index(workers=1), Cache(None))
    folder.mkdir()
    yield Root(str(folder), uri_of(folder), host)
    host.stop()


def at(root: Root, path: str, mark: str) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """(path, line) of the definitions and of the uses of the name at the mark in `path`."""
    found = None
    for name, text in files(SHOP).items():
        if name == path:
            text, offset = cursor(text.replace(mark.replace("<CURSOR>", ""), mark, 1))
            found = offset
        place = Path(root.path) / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)
    assert found is not None
    root.host.scan()
    snapshot = root.host.snapshot()
    document = snapshot.document(path)
    name = name_at(snapshot.tags(path), found)
    assert document and name
    where = Located(root, path, uri_of(Path(root.path) / path))
    made = definitions(snapshot, where, document, name, lambda: None)
    used = uses(snapshot, where, document, name.text, lambda: None)
    return (
        [(path, text.lines.line_at(item.name_start)) for path, text, item in islice(made, 9)],
        [(path, text.lines.line_at(start)) for path, text, start in islice(used, 9)],
    )


def test_the_imported_definition_first_then_the_one_beside(root: Root) -> None:
    made, used = at(root, "app/main.py", "return p<CURSOR>ay")
    assert made == [("app/till.py", 0), ("app/beside.py", 0), ("other/far.py", 1)]
    assert used[:3] == [("app/main.py", 0), ("app/main.py", 4), ("app/main.py", 4)]
    assert ("other/far.py", 2) in used


def test_on_a_definition_it_comes_first_itself(root: Root) -> None:
    made, used = at(root, "other/far.py", "def p<CURSOR>ay")
    assert made[0] == ("other/far.py", 1)
    assert {path for path, _ in made} == {"app/till.py", "app/beside.py", "other/far.py"}
    assert used[0] == ("other/far.py", 2)


def test_a_buffer_outside_all_folders_knows_itself_alone(root: Root) -> None:
    uri = "untitled:Untitled-1"
    text = b"def u(): pass\nu()\n"
    root.host.open(uri, uri, 1, "python", text)
    snapshot = root.host.snapshot()
    document = snapshot.document(uri)
    name = name_at(snapshot.tags(uri), text.index(b"u()\n"))
    assert document and name
    where = Located(root, uri, uri)
    made = [item.name for _, _, item in definitions(snapshot, where, document, name, lambda: None)]
    used = [start for _, _, start in uses(snapshot, where, document, "u", lambda: None)]
    assert (made, used) == (["u"], [14])
