"""Characters that look alike: which they are, and how a rewritten line keeps those of the file.

Models lose typographic quotes, dashes and odd blanks. Where SEARCH has the plain character and the
file another, the file's stays in everything the model did not change.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairwright.edits.diff import Change, changes
from pairwright.edits.lines import BLANKS, body

# In the order of how often models lose them.
ALIKE = {
    **dict.fromkeys(
        "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
        " ",
    ),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    "\u2026": "...",
}
_FOLD = str.maketrans(ALIKE)
_LONGEST = 1000


def plain(line: bytes) -> bytes:
    """`line` without its end and trailing blanks, look-alikes as the characters they look like."""
    if line.isascii():
        return body(line).rstrip(BLANKS)
    text = body(line).decode("utf-8", "surrogateescape").translate(_FOLD)
    return text.encode("utf-8", "surrogateescape").rstrip(BLANKS)


def folded(line: bytes) -> bytes:
    """`line` as `plain` has it, without blanks in front."""
    return plain(line).lstrip(BLANKS)


def carried(
    found: Sequence[bytes], search: Sequence[bytes], replace: Sequence[bytes]
) -> tuple[bytes, ...]:
    """`replace` with the file's own characters (`found`, line by line what `search` means) in all
    that it keeps of `search`."""
    new = list(replace)
    at = 0
    for a0, a1, b0, b1 in (*changes(search, replace), (len(search), len(search), len(replace), 0)):
        # Lines that both have are the file's as they stand.
        new[b0 - (a0 - at) : b0] = map(body, found[at:a0])
        for old, now in zip(range(a0, a1), range(b0, b1), strict=False):
            new[now] = _line(body(found[old]), search[old], replace[now])
        at = a1
    return tuple(new)


def _line(there: bytes, sought: bytes, now: bytes) -> bytes:
    """`now`, a new version of `sought`, with the characters of `there` where it kept them."""
    old, new = sought.decode("utf-8", "replace"), now.decode("utf-8", "replace")
    file = there.decode("utf-8", "replace")
    if "\ufffd" in old + new + file or max(len(old), len(new), len(file)) > _LONGEST:
        return now
    at = _positions(file, old)
    pieces: list[str] = []
    kept = 0
    for i0, i1, j0, j1 in _steps(old, new):
        pieces += (file[at[kept] : at[i0]], new[j0:j1])
        kept = i1
    return "".join((*pieces, file[at[kept] : at[-1]])).encode()


def _steps(old: str, new: str) -> list[Change]:
    """The characters that differ. A new piece that could stand on either side of the same
    characters goes before them."""
    found: list[Change] = []
    end = 0
    for i0, i1, j0, j1 in changes(*([char.encode() for char in text] for text in (old, new))):
        while i0 == i1 > end and old[i0 - 1] == new[j1 - 1]:
            i0, i1, j0, j1 = i0 - 1, i1 - 1, j0 - 1, j1 - 1
        found.append((i0, i1, j0, j1))
        end = i1
    return found


def _positions(file: str, old: str) -> list[int]:
    """For each character of `old`, and its end, where it stands in `file`; both fold alike."""
    folded: list[int] = []
    for index, char in enumerate(file):
        folded += [index] * len(ALIKE.get(char, char))
    folded.append(len(file))
    at, count = [], 0
    for char in old:
        at.append(folded[min(count, len(folded) - 1)])
        count += len(ALIKE.get(char, char))
    at.append(folded[min(count, len(folded) - 1)])
    return at
