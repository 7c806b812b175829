"""A text at one version: frozen, UTF-8 bytes as the truth.

Offsets inside Pairwright are byte offsets into `data`, tree-sitter's own unit. A lone surrogate that a
client sends is kept as its three bytes (`surrogatepass`), so that server text == client text always.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pairwright.text.hashing import digest
from pairwright.text.lines import LineIndex

Point = tuple[int, int]
"""Row and column in bytes as tree-sitter counts them: rows end with LF only."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement, in bytes: `start:old_end` became `start:new_end`, with tree-sitter's points."""

    start: int
    old_end: int
    new_end: int
    start_point: Point
    old_end_point: Point
    new_end_point: Point


@dataclass(frozen=True, slots=True)
class Document:
    """`path`: workspace-relative with `/`, or the URI of a buffer that is no file. `version`: the client's
    number, None for text read from disk. `data`: UTF-8 without a byte order mark."""

    path: str
    version: int | None
    data: bytes
    lines: LineIndex
    _digest: list[str] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, path: str, data: bytes, version: int | None = None) -> Document:
        """A document of `data`, its lines indexed from scratch."""
        return cls(path, version, data, LineIndex.of(data))

    @property
    def digest(self) -> str:
        """SHA-256 of the text, computed at first read (1 MB costs about a millisecond)."""
        if not self._digest:
            self._digest.append(digest(self.data))
        return self._digest[0]

    @property
    def text(self) -> str:
        """The text decoded anew at each call."""
        return self.data.decode("utf-8", "surrogatepass")

    def splice(
        self, start: int, old_end: int, new: bytes, version: int | None
    ) -> tuple[Document, Edit]:
        """The document with bytes `start:old_end` replaced by `new`, and the edit for a syntax tree."""
        data = self.data[:start] + new + self.data[old_end:]
        lines = self.lines.splice(start, old_end, data)
        new_end = start + len(new)
        edit = Edit(
            start,
            old_end,
            new_end,
            point(self.data, start),
            point(self.data, old_end),
            point(data, new_end),
        )
        return Document(self.path, version, data, lines), edit


def coalesced(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """`edits`, one applied after another, as fewer that do the same: each that touches what the one
    before wrote becomes one with it, as when a word is typed or taken back."""
    found: list[Edit] = []
    for edit in edits:
        if found and found[-1].start <= edit.old_end and edit.start <= found[-1].new_end:
            found[-1] = _both(found[-1], edit)
        else:
            found.append(edit)
    return tuple(found)


def _both(one: Edit, two: Edit) -> Edit:
    """The edit that does what `one` and then `two` does, which touches what `one` wrote."""
    first = one if one.start <= two.start else two
    old_end, old_point = one.old_end, one.old_end_point
    if two.old_end > one.new_end:
        # What `two` took away beyond `one` stood as far behind its end before.
        old_end += two.old_end - one.new_end
        old_point = _carried(two.old_end_point, one.new_end_point, one.old_end_point)
    new_end, new_point = two.new_end, two.new_end_point
    if one.new_end > two.old_end:
        new_end += one.new_end - two.old_end
        new_point = _carried(one.new_end_point, two.old_end_point, two.new_end_point)
    return Edit(first.start, old_end, new_end, first.start_point, old_point, new_point)


def _carried(place: Point, before: Point, after: Point) -> Point:
    """Where `place` comes to when `before`, which is not behind it, comes to `after`."""
    row, column = place
    if row == before[0]:
        return after[0], after[1] + column - before[1]
    return after[0] + row - before[0], column


def point(data: bytes, offset: int) -> Point:
    """tree-sitter's point of byte `offset`: LF alone ends a row, also in a file of lone CRs."""
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)
