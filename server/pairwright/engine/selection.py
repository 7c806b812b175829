"""Edits of a selection by a small model: the host fixes SEARCH, the model writes only the new lines.

Measured with the embedded model on six varied edits: 3 of 6 right when it writes the whole block, 6 of 6 when
SEARCH is fixed. The answer begins with a fence that is ours, and a grammar lets it end with nothing but the
closing fence; marker lines and that fence are the only lines the model cannot write.
"""

from __future__ import annotations

from dataclasses import dataclass

from pairwright.edits.types import Block
from pairwright.llm.grammar import MARKERS, replace_lines
from pairwright.llm.types import Message
from pairwright.prompts.build import template
from pairwright.prompts.fence import fence
from pairwright.tags.types import Tags
from pairwright.text.document import Document

MOST_LINES = 60
"""Lines of the longest selection a small model rewrites well within its patience and the user's."""


@dataclass(frozen=True, slots=True)
class Region:
    """Whole lines `start:end` in bytes; `lines`: their text without line ends."""

    start: int
    end: int
    lines: tuple[str, ...]


def region(document: Document, tags: Tags, start: int, end: int) -> Region | None:
    """The lines a selection edit may rewrite: the innermost definition around the selection if it is short
    enough, else the selected lines; None when they are too many."""
    index = document.lines
    first, last = index.line_at(start), index.line_at(max(start, end - 1))
    for item in sorted(tags.defs, key=lambda d: (d.end - d.start, d.start)):
        low, high = index.line_at(item.start), index.line_at(max(item.start, item.end - 1))
        if low <= first and last <= high and high - low < MOST_LINES:
            first, last = low, high
            break
    if last - first >= MOST_LINES:
        return None
    return Region(index.start(first), index.start(last + 1), _lines(document, first, last))


def _lines(document: Document, first: int, last: int) -> tuple[str, ...]:
    index, data = document.lines, document.data
    return tuple(
        data[index.start(n) : index.end(n, data)].decode("utf-8", "surrogatepass")
        for n in range(first, last + 1)
    )


def messages(path: str, chosen: Region, request: str, map_text: str) -> tuple[Message, ...]:
    """The prompt: what stays the same first; the last message is the beginning of the answer."""
    code = "\n".join(chosen.lines)
    marks = fence([code])
    stable = f"Definitions elsewhere in the repository:\n\n{map_text}\n\n" if map_text else ""
    asked = f"{stable}{path}\n{marks}\n{code}\n{marks}\n\nRequest: {request.strip()}"
    return (
        Message("system", template("small_edit").strip(), cache=True),
        Message("user", asked),
        Message("assistant", f"{marks}\n"),
    )


def grammar(chosen: Region) -> str:
    """Any lines that are neither a marker nor the closing fence, then the closing fence."""
    marks = fence(["\n".join(chosen.lines)])
    return replace_lines("", marks, (*MARKERS, marks))


def block(path: str, chosen: Region, reply: str) -> Block | None:
    """The block whose new lines the model wrote; None if the closing fence never came."""
    marks = fence(["\n".join(chosen.lines)])
    body, mark, _ = f"\n{reply}".partition(f"\n{marks}")
    if not mark:
        return None
    lines = tuple(line.removesuffix("\r") for line in body.split("\n")[1:])
    return Block(path, chosen.lines, lines, 1)
