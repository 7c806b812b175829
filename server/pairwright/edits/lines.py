r"""Whole lines of a text, and how they are put together again.

A line ends with `\n`, `\r\n` or `\r` and nothing else; its end belongs to it. Knows bytes only, no
formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

_WITH_END = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
BLANKS = b" \t"


def split(data: bytes) -> list[bytes]:
    """The lines of `data`, ends kept; `b"".join(split(data)) == data`. The empty text has none."""
    if b"\r" in data:
        return _WITH_END.findall(data)
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    if last:
        lines.append(last)
    return lines


def end_of(line: bytes) -> bytes:
    """The line end of `line`, empty for a last line without one."""
    if line.endswith(b"\r\n"):
        return b"\r\n"
    return line[-1:] if line[-1:] in (b"\n", b"\r") else b""


def body(line: bytes) -> bytes:
    """`line` without its end."""
    return line.rstrip(b"\r\n")


def offsets(lines: Sequence[bytes]) -> list[int]:
    """Start of each line in bytes, and the size of the whole behind the last."""
    return list(accumulate(map(len, lines), initial=0))


def majority(lines: Iterable[bytes]) -> bytes:
    """The line end most lines have; LF where none has one; on a tie the one seen first."""
    counts: dict[bytes, int] = {}
    for line in lines:
        end = end_of(line)
        if end:
            counts[end] = counts.get(end, 0) + 1
    return max(counts, key=lambda end: counts[end]) if counts else b"\n"


def is_blank(line: bytes) -> bool:
    """Whether `line` holds nothing but blanks and its end."""
    return not line.strip(b" \t\r\n")
