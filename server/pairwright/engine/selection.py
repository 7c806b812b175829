"""Edits of a selection by a small model: the host fixes SEARCH, the model writes only the new lines.

Measured with the embedded model on six varied edits: 3 of 6 right when it writes the whole block, 6 of 6 when
SEARCH is fixed. The answer begins with a fence that is ours, and a grammar lets it end with nothing but the
closing fence; marker lines and that fence are the only lines the model cannot write.
"""

from __future__ import annotations

from dataclasses import dataclass

from pairwright.edits.types import Block
from pairwright.llm.grammar import DIVIDER, MARKERS, REPLACE, SEARCH, replace_lines
from pairwright.prompts.fence import fence
from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Document

MOST_LINES = 60
MOST_BYTES = 3_000
"""The longest selection a small model rewrites within its patience and the user's: about 750 tokens to read and
as many to write, a minute on two cores."""

_ONE_LINERS = frozenset({"constant", "variable", "field", "property"})


@dataclass(frozen=True, slots=True)
class Region:
    """Whole lines in bytes `start:end`, from `first` (0-based); `lines`: their text without line ends."""

    start: int
    end: int
    first: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def region(document: Document, tags: Tags, start: int, end: int) -> Region | None:
    """The lines a selection edit may rewrite: the innermost definition around the selection if it is short
    enough, else the selected lines; None when they are too many."""
    index = document.lines
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    around = enclosing(document, tags, start, end)
    if around:
        low, high = _rows(document, around[-1])
        if _is_short(document, low, high):
            first, last = low, high
    if not _is_short(document, first, last):
        return None
    lines = tuple(
        document.data[index.start(n) : index.end(n, document.data)].decode("utf-8", "replace")
        for n in range(first, last + 1)
    )
    return Region(index.start(first), index.start(last + 1), first, lines)


def bounds(document: Document, tags: Tags, start: int, end: int) -> tuple[int, int]:
    """The bytes that an edit of the selection `start:end` may change: its lines, and those of the innermost
    definition around it."""
    index = document.lines
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    for item in enclosing(document, tags, start, end)[-1:]:
        low, high = _rows(document, item)
        first, last = min(first, low), max(last, high)
    return index.start(first), index.start(last + 1)


def enclosing(document: Document, tags: Tags, start: int, end: int) -> tuple[Definition, ...]:
    """The definitions whose lines hold all lines of `start:end`, outermost first; single variables and
    fields are no place of their own."""
    index = document.lines
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    found = []
    for item in tags.defs:
        low, high = _rows(document, item)
        if low <= first and last <= high and (item.kind not in _ONE_LINERS or low < high):
            found.append(item)
    return tuple(sorted(found, key=lambda item: (item.start - item.end, item.start)))


def signature(document: Document, item: Definition) -> str:
    """The line that names `item`, without its indentation."""
    line = document.lines.line_at(item.name_start)
    data = document.data
    row = data[document.lines.start(line) : document.lines.end(line, data)]
    return row.decode("utf-8", "replace").strip()


def begun(chosen: Region, language: str) -> str:
    """How the answer begins: with a fence that `chosen` does not hold."""
    return f"{fence([chosen.text])}{language}\n"


def grammar(chosen: Region) -> str:
    """Any lines that are neither a marker nor the closing fence, then the closing fence."""
    marks = fence([chosen.text])
    return replace_lines("", marks, (*MARKERS, marks))


def block(path: str, chosen: Region, reply: str) -> Block | None:
    """The block whose new lines the model wrote; None if the closing fence never came."""
    marks = fence([chosen.text])
    body = f"\n{reply.rstrip()}"
    if not body.endswith(f"\n{marks}"):
        return None
    lines = [line.rstrip("\r") for line in body[: -len(marks) - 1].split("\n")[1:]]
    return Block(path, chosen.lines, _indented(lines, chosen.lines), 1)


def shown(made: Block) -> str:
    """`made` as a model would have written it whole."""
    marks = fence([*made.search, *made.replace])
    rows = (made.path or "", marks, SEARCH, *made.search, DIVIDER, *made.replace, REPLACE, marks)
    return "\n".join(rows)


def _indented(new: list[str], old: tuple[str, ...]) -> tuple[str, ...]:
    """`new` moved as a whole to where `old` stands, if its first line is the first of `old` but for
    indentation, or if it reaches further left than any line of `old`."""
    filled, before = [n for n in new if n.strip()], [o for o in old if o.strip()]
    if not filled or not before:
        return tuple(new)
    there, here = _indent(before[0]), _indent(filled[0])
    if before[0].strip() != filled[0].strip():
        there, here = _least(before), _least(filled)
        if len(here) >= len(there):
            return tuple(new)
    if there == here or not all(line.startswith(here) for line in filled):
        return tuple(new)
    return tuple(there + line[len(here) :] if line.strip() else line for line in new)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _least(lines: list[str]) -> str:
    return min((_indent(line) for line in lines), key=len)


def _rows(document: Document, item: Definition) -> tuple[int, int]:
    index = document.lines
    return index.line_at(item.start), index.line_at(max(item.start, item.end - 1))


def _is_short(document: Document, first: int, last: int) -> bool:
    size = document.lines.start(last + 1) - document.lines.start(first)
    return last - first < MOST_LINES and size <= MOST_BYTES
