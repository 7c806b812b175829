r"""Line starts of a UTF-8 text, spliced and never split anew.

Lines end with `\n`, `\r\n` or `\r` and nothing else (LSP 3.17, "Text Documents"): a form feed, NEL or
U+2028 is content, so `str.splitlines` must not be used anywhere near a position. Knows bytes only; columns
in the client's unit are the business of `columns`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

# 256 lines a block: an edit rescans one block (about 10 KB), a look-up bisects a few hundred bases.
_BLOCK = 256


class LineIndex:
    """Immutable line starts, in blocks of relative offsets so that an edit shares the rest.

    Lines count from 0. A text has one line more than it has line ends; the empty text has one line.
    """

    __slots__ = ("_base", "_blocks", "_first", "count", "size")

    def __init__(self, blocks: tuple[tuple[tuple[int, ...], int], ...]) -> None:
        self._blocks = blocks
        self._base: list[int] = [0, *accumulate(size for _, size in blocks)]
        self._first: list[int] = [0, *accumulate(len(starts) for starts, _ in blocks)]
        self.size: int = self._base[-1]
        self.count: int = self._first[-1]

    @classmethod
    def of(cls, data: bytes) -> LineIndex:
        """Index `data` from scratch."""
        return cls(tuple(_blocks_of(data)))

    def start(self, line: int) -> int:
        """Byte offset at which `line` starts; the text's size for any line past the last."""
        if line >= self.count:
            return self.size
        block = bisect_right(self._first, line) - 1
        return self._base[block] + self._blocks[block][0][line - self._first[block]]

    def end(self, line: int, data: bytes) -> int:
        """Byte offset behind the last byte of `line`, its line end left out."""
        stop = self.start(line + 1)
        if line + 1 >= self.count:
            return self.size
        if data[stop - 1 : stop] == b"\n":
            stop -= 2 if stop - 2 >= self.start(line) and data[stop - 2 : stop - 1] == b"\r" else 1
        else:
            stop -= 1
        return stop

    def line_at(self, offset: int) -> int:
        """The line that holds byte `offset`; an offset past the end belongs to the last line."""
        if offset >= self.size:
            return self.count - 1
        block = bisect_right(self._base, offset) - 1
        starts, _ = self._blocks[block]
        return self._first[block] + bisect_right(starts, offset - self._base[block]) - 1

    def splice(self, start: int, old_end: int, data: bytes) -> LineIndex:
        """The index of `data`, which is the indexed text with bytes `start:old_end` replaced.

        Costs a rescan of the touched blocks and one pass over the block bases.
        """
        delta = len(data) - self.size
        first = self._block_of(max(start - 1, 0))
        # One byte past the edit, so that a block never ends between a kept \r and a kept \n.
        last = self._block_of(min(old_end + 1, self.size))
        low = self._base[first]
        is_tail = last + 1 == len(self._blocks)
        high = self._base[last + 1] + delta
        fresh = _blocks_of(data[low:high], is_tail)
        return LineIndex((*self._blocks[:first], *fresh, *self._blocks[last + 1 :]))

    def _block_of(self, offset: int) -> int:
        return min(bisect_right(self._base, offset) - 1, len(self._blocks) - 1)

    def starts(self) -> Iterator[int]:
        """All line starts, ascending."""
        for base, (starts, _) in zip(self._base, self._blocks, strict=False):
            for start in starts:
                yield base + start

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineIndex):
            return NotImplemented
        return self.size == other.size and list(self.starts()) == list(other.starts())

    def __hash__(self) -> int:
        return hash((self.size, self.count))


def _line_starts(data: bytes) -> list[int]:
    # That of bytes knows no other line ends, unlike that of str.
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    if data and not data.endswith((b"\n", b"\r")):
        starts.pop()
    return starts


def _blocks_of(data: bytes, is_tail: bool = True) -> Iterable[tuple[tuple[int, ...], int]]:
    """Blocks of the lines of `data`; only the tail of a text owns the line behind its last line end."""
    starts = _line_starts(data)
    if not is_tail:
        starts.pop()
    for at in range(0, len(starts), _BLOCK):
        chunk = starts[at : at + _BLOCK]
        low = chunk[0]
        high = starts[at + _BLOCK] if at + _BLOCK < len(starts) else len(data)
        yield tuple([start - low for start in chunk]) if low else tuple(chunk), high - low
