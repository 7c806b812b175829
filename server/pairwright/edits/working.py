"""One file while blocks are put into it: its lines, each with the place it came from.

Every line has a key: 2 * i for line i of the text before, odd ones between for new lines. Keys
never descend, so a line of the text before is found by bisection, or known to be gone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pairwright.edits import diff
from pairwright.edits.diff import Change
from pairwright.edits.lines import body, end_of, is_blank, majority
from pairwright.edits.match import Fit, Text
from pairwright.edits.types import Hunk


def encoded(lines: Sequence[str]) -> tuple[bytes, ...]:
    """Lines of a reply as UTF-8. A carriage return inside one ends a line there, as it does in a
    file."""
    found: list[bytes] = []
    for line in lines:
        data = line.encode("utf-8", "surrogatepass")
        if b"\r" in data:
            *heads, data = data.split(b"\r")
            found.extend(head + b"\r" for head in heads)
        found.append(data)
    return tuple(found)


class Working:
    """`original`: the text before the reply. `touched`: whether any block was done here."""

    def __init__(self, data: bytes | None) -> None:
        self.original = Text.of(data or b"")
        self.touched = False
        self._lines = list(self.original.lines)
        self._keys = list(range(0, 2 * len(self._lines), 2))
        # Keys of new lines, also of those that are gone again.
        self._new: set[int] = set()
        self._gone: set[int] = set()
        self._claims = _Claims()
        self._guessed: list[tuple[int, int]] = []
        self._end = majority(self._lines) if data and b"\r" in data else b"\n"
        self._is_open = bool(self._lines) and not end_of(self._lines[-1])
        self._current: Text | None = None

    def can_fill(self) -> bool:
        """Whether the text before holds nothing but blanks."""
        return all(map(is_blank, self.original.lines))

    def current(self) -> Text:
        """The text with all blocks so far done."""
        if self._current is None:
            self._current = Text.of_lines(self._lines)
        return self._current

    def fill(self, new: Sequence[bytes]) -> bool:
        """Make `new` the whole text; False if an earlier block wrote here."""
        if self.touched:
            return False
        self._lines = [line + (b"" if end_of(line) else self._end) for line in new]
        self._keys = [-1] * len(self._lines)
        self._new = {-1}
        self._gone = set(range(len(self.original.lines)))
        self._is_open = False
        self._touch()
        return True

    def put(self, fit: Fit, *, is_guess: bool = False) -> bool:
        """Do a block that matched `original`; False if it meets what an earlier block changed. `is_guess`:
        its hunks are approximate."""
        changes = diff.changes(fit.search, fit.replace)
        start = fit.start
        claims = _Claims.of(fit, changes)
        if claims.meet(self._claims) or not self._gone.isdisjoint(range(start, fit.stop)):
            return False
        last = len(fit.search) - 1
        for a0, a1, _, _ in changes:
            low, high = max(a0 - 1, 0), min(a1, last)
            if self._at(start + high) - self._at(start + low) != high - low:
                return False
        for change in reversed(changes):
            a0, a1, b0, b1 = change
            if a0 < a1:
                at = self._at(start + a0)
            elif a0 > 0:
                at = bisect_right(self._keys, 2 * (start + a0 - 1))
            else:
                at = bisect_left(self._keys, 2 * start)
            self._splice(at, at + a1 - a0, fit.replace[b0:b1], 2 * (start + a0) - 1)
            if is_guess:
                self._guessed.append((start + a0, start + a1))
        self._claims.add(claims)
        self._touch()
        return True

    def put_current(self, fit: Fit) -> None:
        """Do a block that matched `current()`."""
        for a0, a1, b0, b1 in reversed(diff.changes(fit.search, fit.replace)):
            at = fit.start + a0
            left = self._keys[at - 1] if at else -2
            self._splice(at, at + a1 - a0, fit.replace[b0:b1], left if left % 2 else left + 1)
        self._touch()

    def result(self) -> tuple[bytes, tuple[Hunk, ...]]:
        """The text after, and the hunks that make it from `original`."""
        changed = self._close()
        new, at = self._lines, self.original.starts
        return b"".join(new), tuple(
            Hunk(at[a0], at[a1], b"".join(new[b0:b1]), self._is_guess(a0, a1))
            for a0, a1, b0, b1 in self._changes(changed)
        )

    def _is_guess(self, start: int, stop: int) -> bool:
        return any(first <= stop and start <= behind for first, behind in self._guessed)

    def _at(self, line: int) -> int:
        """Where `line` of the text before stands now; it must not be gone."""
        return bisect_left(self._keys, 2 * line)

    def _touch(self) -> None:
        self.touched = True
        self._current = None

    def _splice(self, start: int, stop: int, new: Sequence[bytes], key: int) -> None:
        """Lines `start:stop` as they stand now become `new`, with the line ends of those they
        replace."""
        ends = [end_of(line) or self._end for line in self._lines[start:stop]] or [self._end]
        self._gone.update(old // 2 for old in self._keys[start:stop] if old % 2 == 0)
        self._lines[start:stop] = [
            line if end_of(line) else line + ends[min(index, len(ends) - 1)]
            for index, line in enumerate(new)
        ]
        self._keys[start:stop] = [key] * len(new)
        self._new.add(key)

    def _close(self) -> list[int]:
        """Give the last line an end or none, as the text before had it; the kept lines this changes."""
        changed: list[int] = []
        last = len(self.original.lines) - 1
        if not self._lines:
            return changed
        if self._is_open:
            at = self._at(last)
            if last not in self._gone and at < len(self._lines) - 1:
                self._lines[at] += self._end
                changed.append(last)
            if end_of(self._lines[-1]) and self._keys[-1] % 2 == 0:
                changed.append(self._keys[-1] // 2)
            self._lines[-1] = body(self._lines[-1])
        return changed

    def _changes(self, changed: Sequence[int]) -> list[Change]:
        """What differs from the text before: lines gone, new ones, and kept ones that are `changed`."""
        spans = {(line, line + 1) for line in (*self._gone, *changed)}
        spans |= {((key + 1) // 2, (key + 1) // 2) for key in self._new}
        found: list[Change] = []
        for a0, a1 in _united(sorted(spans)):
            b0, b1 = bisect_right(self._keys, 2 * a0 - 2), bisect_left(self._keys, 2 * a1)
            found += (
                (a0 + i0, a0 + i1, b0 + j0, b0 + j1)
                for i0, i1, j0, j1 in diff.changes(self.original.lines[a0:a1], self._lines[b0:b1])
            )
        return found


def _united(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted `spans` with those that touch made one."""
    united: list[tuple[int, int]] = []
    for start, stop in spans:
        if united and start <= united[-1][1]:
            start, stop = united[-1][0], max(stop, united[-1][1])
            united.pop()
        united.append((start, stop))
    return united


@dataclass(slots=True)
class _Claims:
    """What blocks need of the text before: lines they change and lines they only quote, gaps (g is before
    line g) they insert into and gaps that must stay closed, and the sides of lines new text holds on to."""

    changed: set[int] = field(default_factory=set)
    quoted: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    anchors: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, fit: Fit, changes: Sequence[Change]) -> _Claims:
        """The claims of one block; a block without changes has none."""
        claims = cls()
        start, size = fit.start, fit.stop - fit.start
        for a0, a1, _, _ in changes:
            claims.changed.update(range(start + a0, start + a1))
            if a0 == a1:
                claims.opened.add(start + a0)
                # 2 * i + 1 is behind line i, 2 * i before it.
                claims.anchors.add(2 * (start + a0) - 1 if a0 > 0 else 2 * start)
            claims.closed.update(start + at for at in (a0, a1) if 0 < at < size)
        if changes:
            claims.quoted = set(range(start, fit.stop)) - claims.changed
        return claims

    def meet(self, other: _Claims) -> bool:
        """Whether both cannot be had; the same in either order."""
        pairs = (
            (self.changed, other.changed),
            (self.changed, other.quoted),
            (self.quoted, other.changed),
            (self.opened, other.closed),
            (self.closed, other.opened),
            (self.anchors, other.anchors),
        )
        return any(not mine.isdisjoint(theirs) for mine, theirs in pairs)

    def add(self, other: _Claims) -> None:
        """Take over the claims of `other`."""
        self.changed |= other.changed
        self.quoted |= other.quoted
        self.opened |= other.opened
        self.closed |= other.closed
        self.anchors |= other.anchors
