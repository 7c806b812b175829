"""Names in a stretch of text that the grammar hands over unread: expressions of a template, class lists.

Every line is read by itself, so an edit changes the names of its own lines only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_IDENTIFIER = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_TOKEN = re.compile(
    rb'"[^"\r\n]*"|'
    + rb"'[^'\r\n]*'"
    + rb"|\d[\w.]*|(?P<dot>(?<!\.)\.)?(?P<name>"
    + _IDENTIFIER
    + rb")"
    rb"(?P<key>:(?!:))?(?P<call>[ \t]*\()?"
)
_KEYWORDS = frozenset(
    b"as async await break case catch class const continue default delete do else export extends false"
    b" finally for from function if import in instanceof let new null of return static super switch this"
    b" throw true try typeof undefined var void while with yield".split()
)
_WORD = re.compile(rb"[^\s\"'{}<>$%#@;,]+")


def code_names(source: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The names an expression of JavaScript's kind uses: variables and calls, no keys, no fields."""
    for match in _TOKEN.finditer(source, start, end):
        name = match["name"]
        if not name or name in _KEYWORDS or match["key"]:
            continue
        if match["dot"] is None or match["call"]:
            yield match.span("name")


def words(source: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The words of a list parted by blanks."""
    for match in _WORD.finditer(source, start, end):
        yield match.span()


def component(source: bytes, start: int, end: int) -> tuple[int, int] | None:
    """The name of a component that a tag uses: the last part of `<Row.Cell>`; None for a host element."""
    name = source[start:end]
    first = start + name.rfind(b".") + 1
    if b":" in name or not first < end:
        return None
    if b"-" in name or first > start or name[:1].isupper():
        return first, end
    return None
