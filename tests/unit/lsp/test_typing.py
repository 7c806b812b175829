"""Typing, from the client's positions to the graph: whatever is typed, the server's text is the
client's, and tags and graph are those of that text.

The client here is a `str` and the rules of LSP 3.17 in `tests.support.editor`; nothing of the
product helps it. One law for each family of languages over all samples of `tests/unit/tags`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from tests.support.editor import offset_of, position_of, uri_of

from pairwright.config.schema import Index
from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow, Focus
from pairwright.lsp.client import Folder
from pairwright.lsp.documents import Documents
from pairwright.tags.files import is_isolated, tags_of
from pairwright.tags.languages import language_of
from pairwright.text.columns import Unit
from pairwright.text.document import Document
from pairwright.workspace.apart import Apart
from pairwright.workspace.cache import Cache
from pairwright.workspace.derive import words_of
from pairwright.workspace.disk import row_of
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

SAMPLES = Path(__file__).parents[1] / "tags" / "samples"
UNITS: list[Unit] = ["utf-8", "utf-16", "utf-32"]
EXAMPLES = 300
_FAMILIES = {
    "python-like": "python starlark nim gdscript ruby elixir julia lua crystal",
    "functional": "haskell ocaml ocaml_interface elm fsharp gleam erlang scala nix purescript "
    "prolog",
    "markup and template": "html vue svelte css scss less twig xml latex typst astro",
    "data and query": "sql proto graphql ql properties hcl terraform toml chatito thrift",
    "shell and build": "bash fish powershell make cmake meson dockerfile r udev groovy vim tcl awk",
    "lisp": "commonlisp elisp clojure scheme racket fennel janet",
}
_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names.split()}
# Texts are cut to this many characters: what matters is in the variety, not in the length.
_LENGTH = 1000

PIECES = [
    *["\n", "\r\n", "\r", "\n\n", "\f", "\u2028", "\u0085", "\u2029", " ", "\t", "    "],
    *["é", "e\u0301", "日本", "😀", "👩‍👩‍👧", "𝒳", "\ud83e", "\ufeff", "\0", "x", "Foo", "1"],
    *["(", ")", "{", "}", "[", "]", ";", ",", "=", ":", ".b(c)", "'", '"', "`", "//", "#", "/*"],
    *["def x():\n    y()\n", "class Z {\n}\n", "function f() { g() }\r\n", "end\n", "<a id='b'>"],
    *["(defun f (x) (g x))\n", "int m(void) { return n(); }\n", "let f x = g x\n"],
]


@dataclass(frozen=True)
class Typed:
    """One edit: where (share of the text), how many characters go, what comes. `past`: the client
    names the end by a position far behind it. `whole`: it sends the whole text instead."""

    place: float
    removed: int
    new: str
    past: bool = False
    whole: bool = False


_places = st.floats(0, 1, exclude_max=True)
_removed = st.sampled_from([0, 0, 0, 1, 2, 7, 60])
_new = st.sampled_from(["", "", *PIECES, *(one + other for one, other in pairwise(PIECES))])
_small = st.builds(Typed, _places, _removed, _new)
_odd = st.builds(Typed, _places, _removed, _new, st.just(True)) | st.builds(
    Typed, _places, _removed, _new, st.just(False), st.just(True)
)
_edits = st.lists(st.one_of(_small, _small, _small, _small, _odd), min_size=1, max_size=4)
_rounds = st.lists(_edits, min_size=1, max_size=3)
TWENTY = [[Typed(number / 20, number % 3, "x\r\n😀"[number % 4 :]) for number in range(20)]]


def samples() -> dict[str, list[Path]]:
    """The sample files by family."""
    found: dict[str, list[Path]] = {}
    for path in sorted(SAMPLES.iterdir()):
        language = language_of(path.name, path.read_bytes()) or ""
        found.setdefault(_FAMILY_OF.get(language, "c-like"), []).append(path)
    return found


class Desk:
    """A client and its server's documents. `text`: what the client shows."""

    def __init__(self, folder: Path, unit: Unit, cache: Cache, apart: Apart) -> None:
        folder.mkdir()
        self.apart = apart
        (folder / "core.py").write_text("def x():\n    return g(Foo)\n\nclass Foo:\n    pass\n")
        self.unit = unit
        self.documents = Documents(unit, lambda root: Host(root, Index(), cache))
        self.documents.add([Folder(uri_of(folder), "work")])
        self.host = self.documents.main().host
        self.host.scan()
        self._folder = folder

    def open(self, name: str, text: str) -> None:
        self.path, self.uri, self.text, self.version = name, uri_of(self._folder / name), text, 1
        # A language of its own choice, as a client's languageId is.
        self.documents.open(types.TextDocumentItem(self.uri, "", 1, text))

    def close(self) -> None:
        self.documents.close(self.uri)

    def type(self, edits: list[Typed]) -> None:
        """One didChange: each edit lies on the text the one before it left."""
        self.version += 1
        ident = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        self.documents.change(ident, [self._event(edit) for edit in edits])

    def _event(self, edit: Typed) -> types.TextDocumentContentChangeEvent:
        text = self.text
        start = int(edit.place * (len(text) + 1))
        end = len(text) if edit.past else min(len(text), start + edit.removed)
        # A position inside a line end does not exist for a client.
        start -= text[start - 1 : start + 1] == "\r\n"
        end += text[end - 1 : end + 1] == "\r\n"
        self.text = text[:start] + edit.new + text[end:]
        if edit.whole:
            return types.TextDocumentContentChangeWholeDocument(self.text)
        low, high = self._position(text, start), self._position(text, end)
        if edit.past:
            high = types.Position(high.line + 7, 3)
        return types.TextDocumentContentChangePartial(types.Range(low, high), edit.new)

    def _position(self, text: str, at: int) -> types.Position:
        found = position_of(text, at, self.unit)
        assert offset_of(text, found["line"], found["character"], self.unit) == at
        return types.Position(**found)

    def check(self) -> None:
        """The text is the client's, and every row of the graph is that of the tags there are."""
        item = self.documents.opened(self.uri)
        assert item is not None
        document = item.document
        assert (document.text, document.version) == (self.text, self.version)
        assert document.lines == Document.of(self.path, document.data).lines
        snapshot = self.host.snapshot()
        assert snapshot.document(self.path) == document
        graph = snapshot.graph()
        assert graph.paths == snapshot.paths()
        for path in graph.paths:
            assert graph.row(path) == fresh_row(snapshot, path)

    def check_idle(self) -> None:
        """After the re-parse of an idle moment everything is as if the text had just been
        opened."""
        self.host.settle_fresh().result()
        self.check()
        snapshot = self.host.snapshot()
        data = self.text.encode("utf-8", "surrogatepass")
        tags = snapshot.tags(self.path)
        fresh = self.apart.tags if is_isolated(tags.language) else tags_of
        assert tags == fresh(self.path, data, tags.language)
        rows = [fresh_row(snapshot, path) for path in snapshot.paths()]
        assert snapshot.graph().rank(Focus()) == Graph.build(rows).rank(Focus())


def fresh_row(snapshot: Snapshot, path: str) -> FileRow:
    """The row of the tags and the text that are there."""
    tags, document = snapshot.tags(path), snapshot.document(path)
    return row_of(path, tags, words_of(document.data if document else b"", tags.language))


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Desk]]:
    """One desk for each unit of positions."""
    folder, cache = tmp_path_factory.mktemp("desks"), Cache(None)
    with Apart() as apart:
        made = [Desk(folder / unit, unit, cache, apart) for unit in UNITS]
        yield made
    for desk in made:
        desk.host.stop()


@pytest.mark.parametrize("family", sorted(samples()))
def test_text_tags_and_graph_follow_the_client(desks: list[Desk], family: str) -> None:
    paths = samples()[family]
    texts = {path.name: path.read_bytes().decode()[:_LENGTH] for path in paths}

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(
        rounds=_rounds,
        name=st.sampled_from(sorted(texts)),
        desk=st.sampled_from(desks),
        ends=st.sampled_from(["\n", "\n", "\r\n", "\r"]),
    )
    @example(TWENTY, min(texts), desks[0], "\r\n")
    @example(TWENTY, max(texts), desks[1], "\r")
    @example(TWENTY, min(texts), desks[2], "\n")
    def holds(rounds: list[list[Typed]], name: str, desk: Desk, ends: str) -> None:
        desk.open(name, texts[name].replace("\n", ends))
        try:
            for edits in rounds:
                desk.type(edits)
                desk.check()
            desk.check_idle()
        finally:
            desk.close()

    holds()


def test_every_family_of_the_samples_is_a_known_one() -> None:
    """A family without a sample would silently not be tested."""
    assert {"c-like", "python-like"} <= set(samples()) <= {"c-like", *_FAMILIES}
