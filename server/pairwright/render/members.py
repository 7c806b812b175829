"""Which lines of a type say what it holds: those of its body that are neither comments nor brackets alone.

A guess by how lines begin, since a map may not parse. Knows no tags, no rows and no budget.
"""

from __future__ import annotations

from pairwright.text.lines import LineIndex

_LOOKED_AT = 64
"""Lines of a body that are looked at."""

_BLOCKS = ((b"/*", b"*/"), (b'"""', b'"""'), (b"'''", b"'''"), (b"{-", b"-}"))
_SKIPPED = (b"//", b"--", b"#", b"@", b"*", b"{", b"}", b"(", b")", b"[", b"]")


def members(data: bytes, lines: LineIndex, first: int, last: int, most: int) -> list[int]:
    """The first `most` telling lines from `first` to `last`, both included, by their numbers."""
    found: list[int] = []
    closing = b""
    for line in range(first, min(last + 1, first + _LOOKED_AT)):
        if len(found) >= most:
            break
        text = data[lines.start(line) : lines.end(line, data)].strip()
        if closing:
            closing = b"" if closing in text else closing
            continue
        opened = next((pair for pair in _BLOCKS if text.startswith(pair[0])), None)
        if opened is not None:
            closing = b"" if opened[1] in text[len(opened[0]) :] else opened[1]
        elif text and not text.startswith(_SKIPPED):
            found.append(line)
    return found
