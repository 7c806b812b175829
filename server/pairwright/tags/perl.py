"""Perl's `s{…}{…}` and `tr{…}{…}` as matches: the grammar's scanner keeps one of their delimiters for ever, and
the eighty-fifth ends the process. A match of the same length says as much of names."""

from __future__ import annotations

import re

# Behind a word or a bracket, `{s}` is a key.
_START = re.compile(rb"(?<![\w$@%&>\\-])(?<![\w)\]}>]\{)(s|tr|y)([ \t\r\n]*)(?=[({\[<])")
_CLOSING = {b"(": b")", b"{": b"}", b"[": b"]", b"<": b">"}
_BREAKS = {
    opening: re.compile(rb"\\.|[" + re.escape(opening + closing) + rb"]", re.S)
    for opening, closing in _CLOSING.items()
}
_NOT_BREAK = re.compile(rb"[^\r\n]")
_BLANKS = re.compile(rb"\s*")
_FLAGS = re.compile(rb"[a-z]*")
# What is longer is no replacement but a text whose bracket was never closed.
_MOST = 2000


def without_replacements(data: bytes) -> bytes:
    """`data` with each bracketed replacement as a match, and blanks for what is put in."""
    parts: list[bytes] = []
    at = 0
    while match := _START.search(data, at):
        parts.append(data[at : match.start()])
        end = _closed(data, match.end())
        last = _behind(data, end) if end else None
        is_name = data[max(0, match.start() - 4) : match.start()] == b"sub "
        if end is None or last is None or is_name:
            at = match.end()
            # Without its word the bracket is one like any other.
            word = match[1] if is_name else b" " * len(match[1])
            parts += (word, match[2])
            continue
        word = match[1].replace(b"tr", b" m").replace(b"s", b"m").replace(b"y", b"m")
        parts += (word, data[match.end(1) : end], _NOT_BREAK.sub(b" ", data[end:last]))
        at = last
    parts.append(data[at:])
    return b"".join(parts)


def _closed(data: bytes, start: int) -> int | None:
    """Behind the bracket that closes the one at `start`."""
    opening = data[start : start + 1]
    depth = 0
    for mark in _BREAKS[opening].finditer(data, start, start + _MOST):
        if mark[0] == opening:
            depth += 1
        elif mark[0] == _CLOSING[opening]:
            depth -= 1
        if depth == 0:
            return mark.end()
    return None


def _behind(data: bytes, start: int) -> int | None:
    """Behind the second half and the flags of a replacement whose first half ends at `start`."""
    blanks = _BLANKS.match(data, start)
    first = blanks.end() if blanks else start
    mark = data[first : first + 1]
    if mark in _CLOSING:
        end = _closed(data, first)
    elif mark and not mark.isalnum() and mark not in b";,)}]=":
        found = data.find(mark, first + 1, first + _MOST)
        end = found + 1 if found >= 0 else None
    else:
        return None
    flags = _FLAGS.match(data, end) if end else None
    return flags.end() if flags else None
