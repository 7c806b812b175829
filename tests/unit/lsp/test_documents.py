"""Documents and folders over a real host: server text == client text, whatever happens."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types
from tests.support.editor import offset_of, position_of, uri_of

from pairwright.config.schema import Index
from pairwright.lsp.client import Folder
from pairwright.lsp.documents import Documents
from pairwright.text.columns import Unit
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Documents]:
    yield from _made(tmp_path, "utf-16")


def _made(tmp_path: Path, unit: Unit) -> Iterator[Documents]:
    cache = Cache(None)
    made = Documents(unit, lambda root: Host(root, Index(), cache))
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    made.add([Folder(uri_of(folder), "work")])
    yield made
    for root in made.hosts():
        root.host.stop()


def opened(documents: Documents, uri: str, text: str, version: int = 1) -> None:
    documents.open(types.TextDocumentItem(uri, "python", version, text))


Place = dict[str, int]


def change(documents: Documents, uri: str, version: int, *edits: tuple[Place, Place, str]) -> None:
    events = [
        types.TextDocumentContentChangePartial(
            range=types.Range(types.Position(**start), types.Position(**end)), text=new
        )
        for start, end, new in edits
    ]
    ident = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
    documents.change(ident, events)


_PIECES = [
    "x",
    "\n",
    "\r\n",
    "\r",
    "\f",
    "\u2028",
    "\u0085",
    "😀",
    "日本",
    "é",
    "\t",
    "def f(): pass\n",
]


@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
def test_a_storm_of_edits_leaves_both_sides_equal(tmp_path: Path, unit: Unit) -> None:
    """Set STORM for more edits; at 10,000 it takes about two minutes for all three units."""
    rng = random.Random(7)
    rows = [
        rng.choice(["def f{0}(): return '😀'\r\n", "x{0} = 1\n", "\f# {0} \u2028\n"])
        for _ in range(5000)
    ]
    text = "".join(row.format(number) for number, row in enumerate(rows))
    uri = uri_of(tmp_path / "work" / "storm.py")
    for documents in _made(tmp_path, unit):
        opened(documents, uri, text)
        for version in range(2, 2 + int(os.environ.get("STORM", "150"))):
            text = _storm(rng, documents, uri, version, text, unit)
            item = documents.opened(uri)
            assert item is not None
            assert item.document.text == text
            assert item.document.version == version
        snapshot = item.at.host.snapshot()
        host_text = snapshot.document("storm.py")
        assert host_text is not None and host_text.text == text
        fresh = Host(None, Index(), Cache(None))
        fresh.open("storm.py", uri, 1, "python", text.encode())
        snapshot.refresh()
        assert snapshot.tags("storm.py").defs == fresh.snapshot().tags("storm.py").defs
        fresh.stop()


def _storm(
    rng: random.Random, documents: Documents, uri: str, version: int, text: str, unit: Unit
) -> str:
    edits = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 0, 1, 5, 40]))
        # A position inside a line end does not exist for a client.
        start -= text[start - 1 : start + 1] == "\r\n"
        end += text[end - 1 : end + 1] == "\r\n"
        new = "".join(rng.choices(_PIECES, k=rng.randrange(4)))
        edits.append((position_of(text, start, unit), position_of(text, end, unit), new))
        assert offset_of(text, **_named(edits[-1][0]), encoding=unit) == start
        text = text[:start] + new + text[end:]
    change(documents, uri, version, *edits)
    return text


def _named(position: dict[str, int]) -> dict[str, int]:
    return {"line": position["line"], "column": position["character"]}


def test_a_change_of_what_is_not_open_is_ignored(documents: Documents, tmp_path: Path) -> None:
    uri = uri_of(tmp_path / "work" / "m.py")
    change(documents, uri, 2, ({"line": 0, "character": 0}, {"line": 0, "character": 0}, "x"))
    assert documents.opened(uri) is None
    opened(documents, uri, "a = 1\n", 3)
    assert documents.opened(uri) is not None


def test_spellings_of_a_uri_are_one_document(documents: Documents, tmp_path: Path) -> None:
    plain = uri_of(tmp_path / "work") + "/sp%20ace%23.py"
    sloppy = uri_of(tmp_path / "work") + "/sp ace#.py"
    opened(documents, plain, "one\n")
    change(documents, sloppy, 2, ({"line": 0, "character": 0}, {"line": 0, "character": 3}, "two"))
    item = documents.opened(plain)
    assert item is not None
    assert item.document.text == "two\n"
    assert item.at.path == "sp ace#.py"
    assert item.at.uri == plain, "the client's own spelling is echoed"
    assert documents.uri_of(item.at.root, "sp ace#.py") == plain
    documents.close(sloppy)
    assert documents.opened(plain) is None


def test_documents_outside_are_buffers_under_their_uri(
    documents: Documents, tmp_path: Path
) -> None:
    outside = uri_of(tmp_path / "elsewhere.py")
    for uri in (outside, "untitled:Untitled-1", "file://"):
        opened(documents, uri, "def u(): pass\n")
        item = documents.opened(uri)
        assert item is not None and not item.at.indexed
        snapshot = item.at.host.snapshot()
        assert [d.name for d in snapshot.tags(uri).defs] == ["u"]
        assert uri not in snapshot.paths()
        assert snapshot.definers("u") == ()
        assert documents.uri_of(item.at.root, item.at.path) == uri


def test_other_schemes_are_ignored(documents: Documents) -> None:
    opened(documents, "git:/x/m.py?ref", "def old(): pass\n")
    assert documents.locate("git:/x/m.py?ref") is None
    assert list(documents.all_open()) == []


def test_the_innermost_folder_owns_a_document(documents: Documents, tmp_path: Path) -> None:
    inner = tmp_path / "work" / "inner"
    inner.mkdir()
    uri = uri_of(inner / "a.py")
    opened(documents, uri, "x = 1\n")
    assert documents.opened(uri).at.path == "inner/a.py"  # type: ignore[union-attr]
    (added,) = documents.add([Folder(uri_of(inner), "inner")])
    item = documents.opened(uri)
    assert item is not None
    assert (item.at.root, item.at.path, item.document.text) == (added, "a.py", "x = 1\n")
    assert documents.add([Folder(uri_of(inner), "again")]) == ()
    for gone in documents.remove([uri_of(inner)]):
        gone.host.stop()
    item = documents.opened(uri)
    assert item is not None
    assert (item.at.path, item.document.text) == ("inner/a.py", "x = 1\n")


def test_what_is_no_folder_is_skipped(documents: Documents, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    names = ["git:/x", "file://", uri_of(tmp_path / "missing"), uri_of(tmp_path / "file")]
    assert documents.add([Folder(name, "") for name in names]) == ()
    assert len(documents.roots) == 1
