"""What a failed SEARCH was probably meant to be: the real lines, with numbers, for a message.

Only explains; nothing found here is ever applied. Linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pairwright.edits.alike import ALIKE, folded
from pairwright.edits.lines import BLANKS, body, is_blank
from pairwright.edits.match import Text, flush, places

_MOST_ROWS = 12
_MOST_LINES = 5_000
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")


def explain(text: Text, search: Sequence[bytes], replace: Sequence[bytes]) -> str:
    """One or more paragraphs for a SEARCH that stands nowhere in `text`."""
    parts = [
        _odd_characters(text, search)
        or _only_blanks_differ(text, search)
        or _part_of_a_line(text, search)
        or _closest(text, search),
        already_there(text, search, replace),
    ]
    return "\n".join(part for part in parts if part)


def already_there(text: Text, search: Sequence[bytes], replace: Sequence[bytes]) -> str:
    """A note if the REPLACE lines stand in `text` as they are."""
    wanted = _trimmed(replace)
    if not wanted or wanted == _trimmed(search):
        return ""
    if len(wanted) == 1 and len(wanted[0].strip()) < 3:
        return ""
    at = next(places(text, wanted, flush), None)
    if at is None:
        return ""
    where = _range(at, at + len(wanted))
    return f"The REPLACE lines already stand there, {where}: leave the block out if that is all it does."


def rows(text: Text, start: int, stop: int, marked: Sequence[int] = ()) -> str:
    """Lines `start:stop` of `text` with their numbers; `marked` ones get a `>`."""
    shown = [
        f"{'>' if at in marked else ' '}{at + 1:>5} | {_readable(text.lines[at])}"
        for at in range(max(start, 0), min(stop, len(text.lines), start + _MOST_ROWS))
    ]
    return "\n".join(row.rstrip() for row in shown)


def _odd_characters(text: Text, search: Sequence[bytes]) -> str:
    at = next(places(text, search, folded), None)
    if at is None:
        return ""
    notes = []
    for offset, sought in enumerate(search):
        line = _decoded(text.lines[at + offset])
        odd = sorted({char for char in line if char in ALIKE and char not in _decoded(sought)})
        other = sorted({char for char in _decoded(sought) if char in ALIKE and char not in line})
        if odd or other:
            notes.append(f"line {at + offset + 1} has {_named(odd)}, SEARCH has {_named(other)}")
    if not notes:
        return ""
    where = "; ".join(notes[:3])
    return (
        "The lines differ only in characters that look alike: "
        f"{where}.\n{rows(text, at, at + len(search))}\nCopy these characters exactly."
    )


def _only_blanks_differ(text: Text, search: Sequence[bytes]) -> str:
    at = next(places(text, search, _squeezed), None)
    if at is None or not any(_squeezed(line) for line in search):
        return ""
    stop = at + len(search)
    marked = [
        at + offset for offset, line in enumerate(search) if body(text.lines[at + offset]) != line
    ]
    return (
        f"Only blanks differ from {_range(at, stop)} (indentation, tabs or trailing blanks; "
        f"→ is a tab, · a trailing blank):\n{rows(text, at, stop, marked)}"
    )


def _part_of_a_line(text: Text, search: Sequence[bytes]) -> str:
    if len(search) != 1 or not search[0].strip():
        return ""
    part = search[0].strip()
    at = [index for index, line in enumerate(text.lines) if part in line][:3]
    if not at:
        return ""
    shown = "\n".join(rows(text, index, index + 1) for index in at)
    return f"SEARCH is only a part of a line; it must hold whole lines:\n{shown}"


def _closest(text: Text, search: Sequence[bytes]) -> str:
    if not text.lines:
        return "The file is empty: leave SEARCH empty to fill it."
    start = _by_votes(text, search)
    if start is None:
        return _by_words(text, search)
    # A window of many lines shows its first difference.
    first = max(start, 0)
    stop = min(start + len(search), len(text.lines))
    marked = [at for at in range(first, stop) if flush(text.lines[at]) != flush(search[at - start])]
    if marked and marked[0] >= first + _MOST_ROWS:
        first = marked[0] - 2
    return (
        f"The closest are {_range(max(start, 0), stop)} (> marks what SEARCH has differently):\n"
        f"{rows(text, first, stop, marked)}"
    )


def _by_votes(text: Text, search: Sequence[bytes]) -> int | None:
    """The start at which most lines of `search` agree with the text; words count, punctuation
    hardly."""
    at: dict[bytes, list[int]] = {}
    for offset, line in enumerate(search):
        held = at.setdefault(flush(line), [])
        if len(held) < 4:
            held.append(offset)
    at.pop(b"", None)
    votes: dict[int, int] = {}
    for index, bare in enumerate(_flushed(text)):
        for offset in at.get(bare, ()):
            weight = 10 if _WORD.search(bare) else 1
            votes[index - offset] = votes.get(index - offset, 0) + weight
    best = max(votes, key=lambda start: (votes[start], -start), default=None)
    return best if best is not None and votes[best] >= 10 else None


def _by_words(text: Text, search: Sequence[bytes]) -> str:
    """The line most like the longest line of `search`; all of a short text if none is."""
    longest = flush(max(search, key=len, default=b""))
    sought = set(_WORD.findall(longest))
    best, score = -1, 0.4
    for index, line in enumerate(_flushed(text)[:_MOST_LINES]):
        alike = _likeness(line, longest, sought)
        if alike > score:
            best, score = index, alike
    if best >= 0:
        return f"The closest is line {best + 1}:\n{rows(text, best - 2, best + 3, (best,))}"
    if len(text.lines) <= _MOST_ROWS:
        return f"Nothing in it is similar; the whole file is:\n{rows(text, 0, len(text.lines))}"
    return "Nothing in it is similar: look at its present text again."


def _flushed(text: Text) -> list[bytes]:
    return text.view(flush).split(b"\n")[1:-1]


def _likeness(line: bytes, sought: bytes, words: set[bytes]) -> float:
    """From 0 to 1: shared words, or the common head and tail of the lines, whichever says more."""
    if not line or not sought:
        return 0.0
    found = set(_WORD.findall(line))
    shared = len(found & words) / len(found | words) if found and words else 0.0
    head, tail = _common(line, sought), _common(line[::-1], sought[::-1])
    return max(shared, min(head + tail, len(line), len(sought)) / max(len(line), len(sought)))


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with, up to 200."""
    size = min(len(one), len(other), 200)
    return next((at for at in range(size) if one[at] != other[at]), size)


def _trimmed(lines: Sequence[bytes]) -> tuple[bytes, ...]:
    kept = [line for line in lines if not is_blank(line)]
    return (
        tuple(lines[lines.index(kept[0]) : len(lines) - lines[::-1].index(kept[-1])])
        if kept
        else ()
    )


def _range(start: int, stop: int) -> str:
    return f"line {start + 1}" if stop - start == 1 else f"lines {start + 1}-{stop}"


def _named(chars: Sequence[str]) -> str:
    if not chars:
        return "plain characters"
    return ", ".join(
        f"{unicodedata.name(char, 'a control character').lower()} (U+{ord(char):04X})"
        for char in chars[:3]
    )


def _readable(line: bytes) -> str:
    shown = _decoded(body(line))
    bare = shown.rstrip(" \t")
    indent = bare[: len(bare) - len(bare.lstrip(" \t"))].replace("\t", "→   ")
    tail = shown[len(bare) :].replace(" ", "·").replace("\t", "→")
    shown = indent + bare.lstrip(" \t") + tail
    return shown if len(shown) <= 160 else shown[:160] + "…"


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _squeezed(line: bytes) -> bytes:
    return bytes(body(line).translate(None, BLANKS))
