"""What checks say of an edit: findings, and how they are told to the model and to the user. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pairwright.edits.types import FileChange
from pairwright.engine.events import Retry
from pairwright.prompts.fence import fence
from pairwright.tags.flaws import Flaw, Swap, introduced
from pairwright.text.lines import LineIndex

MOST = 10
"""Findings that are told at once; what is broken hides what follows anyway."""
_AROUND = 2
_WIDEST = 160
_OUTPUT = 6_000
"""Characters of one command's words that the model gets."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check has against an edit. `line`: in the text as the edit leaves it, from 1; 0 = none.
    `excerpt`: lines of the text with numbers, or of a command's output."""

    reason: Literal["lint", "test"]
    path: str
    line: int
    message: str
    excerpt: str = ""

    @property
    def told(self) -> str:
        """One line for the user."""
        where = f"{self.path}, line {self.line}: " if self.line else f"{self.path}: "
        return f"{where if self.path else ''}{self.message}"


# --- syntax


def broken(
    change: FileChange, before: Sequence[Flaw], after: Sequence[Flaw]
) -> tuple[Finding, ...]:
    """The flaws that `change` brings in, one a line."""
    old, new = change.before or b"", change.after or b""
    swaps = [Swap(hunk.start, hunk.end, len(hunk.new)) for hunk in change.hunks]
    lines = LineIndex.of(new)
    found: dict[int, Finding] = {}
    for flaw in introduced(before, after, old, new, swaps):
        row = lines.line_at(flaw.start)
        found.setdefault(
            row, Finding("lint", change.path, row + 1, _words(flaw), _excerpt(new, lines, flaw))
        )
    return tuple(found.values())[:MOST]


def _words(flaw: Flaw) -> str:
    if flaw.note:
        return flaw.note
    return f"`{flaw.missing}` is missing" if flaw.missing else "a syntax error"


def _excerpt(data: bytes, lines: LineIndex, flaw: Flaw) -> str:
    """The lines around a flaw, numbered, with a mark at its own."""
    row = lines.line_at(flaw.start)
    count = lines.count - (data.endswith((b"\n", b"\r")) and row < lines.count - 1)
    shown = range(max(0, row - _AROUND), min(count, row + _AROUND + 1))
    width = len(str(shown[-1] + 1))
    rows = []
    for number in shown:
        text = data[lines.start(number) : lines.end(number, data)].decode("utf-8", "replace")
        mark = ">" if number == row else " "
        rows.append(f"{mark} {number + 1:>{width}} | {text[:_WIDEST]}".rstrip())
    return "\n".join(rows)


# --- what commands say


def fresh(before: str, after: str, moved: Mapping[int, int] | None = None) -> tuple[str, ...]:
    """The lines of `after` that are not in `before` but for numbers, both being what one command said of two
    texts. `moved`: see line_map; what is said of the same place is old before what only reads alike."""
    known = Counter(map(_bare, before.splitlines()))
    placed = Counter(before.splitlines())
    rows = [line for line in after.splitlines() if line.strip()]
    is_old = [False] * len(rows)
    for index, row in enumerate(rows):
        old = _moved(row, moved or {})
        if old is not None and placed[old] and known[_bare(row)]:
            placed[old] -= 1
            known[_bare(row)] -= 1
            is_old[index] = True
    for index, row in enumerate(rows):
        if not is_old[index] and known[_bare(row)]:
            known[_bare(row)] -= 1
            is_old[index] = True
    return tuple(row for row, old in zip(rows, is_old, strict=True) if not old)


def line_map(change: FileChange) -> dict[int, int]:
    """The line of the old text (from 1) for each line of the new one that the change left alone."""
    old, new = change.before or b"", change.after or b""
    before, after = LineIndex.of(old), LineIndex.of(new)
    found: dict[int, int] = {}
    at, shift = 0, 0
    for hunk in (*change.hunks, None):
        end = hunk.start if hunk else len(old)
        first, last = before.line_at(at), before.line_at(end)
        for row in range(first, last + (hunk is None)):
            found[after.line_at(before.start(row) + shift) + 1] = row + 1
        if hunk:
            at, shift = hunk.end, shift + len(hunk.new) - (hunk.end - hunk.start)
    return found


_NUMBER = re.compile(r"[0-9]+")
_PLACE = re.compile(r"(?<=:)[0-9]+(?=:)|^[ \t]*[0-9]+(?=:)")


def _bare(line: str) -> str:
    return _NUMBER.sub("#", line.strip())


def _moved(row: str, lines: Mapping[int, int]) -> str | None:
    """`row` as it would read of the old text; None if it is about a line that is new."""
    found = _PLACE.search(row)
    if found is None or not lines:
        return row
    old = lines.get(int(found[0]))
    return None if old is None else f"{row[: found.start()]}{old}{row[found.end() :]}"


# --- told to the model


def retry(findings: Sequence[Finding]) -> Retry:
    """What the model is told about an edit that fits and has these faults."""
    told = [_told(finding) for finding in findings[:MOST]]
    if len(findings) > MOST:
        told.append(f"(and {len(findings) - MOST} more)")
    reason = findings[0].reason
    parts = (_LEAD[reason], *told, _AGAIN)
    signature = "\n".join(sorted(f"{f.path} {_bare(f.message)}" for f in findings))
    return Retry(reason, "\n\n".join(parts) + "\n", signature)


def asked_again(finding: Finding, request: str) -> str:
    """The request that follows a failure of what was accepted already."""
    words = request.strip().partition("\n")[0]
    return f"{_ACCEPTED.format(words)}\n\n{_told(finding)}\n\n{_SET_RIGHT}"


_ACCEPTED = (
    "The edit for this request was accepted: {}\nWith it tests fail that did not fail before:"
)
_SET_RIGHT = (
    "Change the files so that the tests pass and the request is still met. If the edit is right and the tests are "
    "not, change the tests where they are shown, or say so in a sentence without code."
)
_LEAD = {
    "lint": "The edit fits, but checks of the text as it would be then have found something that was not there "
    "before:",
    "test": "The edit fits, but with it tests fail that did not fail before:",
}
_AGAIN = (
    "Your edit is kept; do not send it again. Send only further edits, in the same format, that set this right: they "
    "may quote lines as your edit leaves them. If everything is right as it is, say so in a sentence without code."
)


def _told(finding: Finding) -> str:
    if not finding.excerpt:
        return finding.told
    excerpt = finding.excerpt
    if len(excerpt) > _OUTPUT:
        half = _OUTPUT // 2
        excerpt = f"{excerpt[:half]}\n... (left out) ...\n{excerpt[-half:]}"
    marks = fence([excerpt])
    return f"{finding.told}\n{marks}\n{excerpt}\n{marks}"
