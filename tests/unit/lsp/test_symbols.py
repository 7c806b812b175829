"""Definitions as document symbols, as a tree and as a list."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from pairwright.lsp.handlers.symbols import flat, nested
from pairwright.tags.files import tags_of
from pairwright.text.document import Document

TEXT = "class A:\n    def m(self): pass\n\n    class B:\n        def n(self): pass\n\ndef größe(): pass\n"


def _tags() -> tuple[Document, Any]:
    document = Document.of("a.py", TEXT.encode())
    return document, tags_of(document.path, document.data)


def _names(symbols: list[types.DocumentSymbol]) -> list[Any]:
    return [(item.name, _names(list(item.children or []))) for item in symbols]


def test_a_tree() -> None:
    symbols = nested(*_tags(), "utf-16")
    assert _names(symbols) == [("A", [("m", []), ("B", [("n", [])])]), ("größe", [])]


def test_ranges_hold_the_name_and_are_in_the_clients_unit() -> None:
    for unit, width in (("utf-8", 7), ("utf-16", 5), ("utf-32", 5)):
        (_, last) = nested(*_tags(), unit)  # type: ignore[arg-type]
        start, end = last.selection_range.start, last.selection_range.end
        assert (start.line, start.character, end.character) == (6, 4, 4 + width)
        assert (last.range.start.line, last.range.start.character) == (6, 0)


def test_a_list_for_older_clients() -> None:
    found = flat(*_tags(), "utf-16", "file:///a.py")
    assert [(item.name, item.container_name) for item in found] == [
        ("A", None),
        ("m", "A"),
        ("B", "A"),
        ("n", "B"),
        ("größe", None),
    ]
    assert {item.location.uri for item in found} == {"file:///a.py"}
