"""From blocks to a plan: every block has its one place, or nothing of the reply is done.

Blocks match the text before the reply, in any order. A block absent there may match, uniquely, what
earlier blocks of the same reply wrote. Knows texts and targets, no disk and no format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pairwright.edits import messages, nearest, screen
from pairwright.edits.formats.markers import NEVER_WRITTEN
from pairwright.edits.match import Fit, Miss, Text, find
from pairwright.edits.paths import Allowed, Refused, Resolver
from pairwright.edits.types import Block, FileChange, Plan, Problem, ProblemKind, Target
from pairwright.edits.working import Working, encoded

Range = tuple[int, int]
Lines = tuple[bytes, ...]
Reading = tuple[Lines, Lines]

# Bytes of other files searched for a SEARCH that its own file lacks.
_HINT_BYTES = 20_000_000
# Misses explained with the closest lines; later ones are only named.
_MOST_EXPLAINED = 10


def plan(
    blocks: Sequence[Block],
    targets: Mapping[str, Target],
    *,
    within: Mapping[str, Range] | None = None,
    allowed: Allowed = lambda _: None,
    chat: Sequence[str] = (),
) -> Plan:
    """What `blocks` do to `targets`, or why not.

    `targets`: every file a block may mean, by path, read-only ones and existing ones outside the
    chat included. `within`: bytes of a file that the request is about; they settle which of several
    places is meant. `allowed`: why a path may not be written. `chat`: the paths that loosely
    written names count for.
    """
    return _Planner(targets, within or {}, allowed, chat).run(blocks)


@dataclass(frozen=True, slots=True)
class _No:
    kind: ProblemKind
    message: str


@dataclass(frozen=True, slots=True)
class _Hit:
    """A reading with its place; `fit` None: it is the whole of an empty file. `is_later`: the place
    is in what earlier blocks wrote."""

    reading: Reading
    fit: Fit | None
    is_later: bool = False


class _Planner:
    """One run: the resolver, the files under work, and what went wrong so far."""

    def __init__(
        self,
        targets: Mapping[str, Target],
        within: Mapping[str, Range],
        allowed: Allowed,
        chat: Sequence[str],
    ) -> None:
        self._targets, self._within, self._allowed = targets, within, allowed
        self._chat = tuple(chat)
        self._resolver = Resolver(targets, chat)
        self._files: dict[str, Working] = {}
        self._texts: dict[str, Text] = {}
        self._hint_budget = _HINT_BYTES
        self._explained = 0
        self._done: set[tuple[str, Lines, Lines]] = set()

    def run(self, blocks: Sequence[Block]) -> Plan:
        problems: list[Problem] = []
        passed: list[int] = []
        for index, block in enumerate(blocks):
            path, refusal = self._block(block)
            if refusal is None:
                passed.append(index)
            else:
                problems.append(Problem(refusal.kind, refusal.message, path, index))
        changes = () if problems else tuple(self._changes())
        if blocks and not problems and not changes:
            path = next(iter(self._files), None)
            problems.append(Problem("edit-match", messages.NOTHING.format(path), path))
        return Plan(changes, tuple(problems), tuple(passed))

    def _block(self, block: Block) -> tuple[str | None, _No | None]:
        """Do one block; its path, and the refusal if it cannot be done."""
        readings = [
            (encoded(search), encoded(replace))
            for search, replace in block.splits or ((block.search, block.replace),)
        ]
        creates = any(_is_empty(search) for search, _ in readings)
        written = block.path
        if written is None:
            if creates or len(self._chat) != 1:
                return None, _No("edit-format", messages.NAMELESS.format(block.line))
            written = self._chat[0]
        made = [path for path, file in self._files.items() if file.touched]
        found = self._resolver.resolve(written, creates, made)
        if isinstance(found, Refused):
            hint = "" if creates else self._elsewhere(readings[0][0], None)
            return written, _No("edit-path", f"{found.reason}\n{hint}" if hint else found.reason)
        path = found.path
        if refusal := self._forbidden(path) or self._unusable(path):
            return path, refusal
        if path not in self._files:
            self._files[path] = Working(self._data(path))
        return path, self._place(path, block, readings)

    def _forbidden(self, path: str) -> _No | None:
        if reason := self._allowed(path):
            return _No("edit-path", messages.FORBIDDEN.format(path, reason.rstrip(".")))
        above = path.rpartition("/")[0]
        while above:
            if above in self._targets:
                return _No("edit-path", messages.BELOW_A_FILE.format(path, above))
            above = above.rpartition("/")[0]
        return None

    def _unusable(self, path: str) -> _No | None:
        target = self._targets.get(path)
        if target is None:
            return None
        if not target.editable:
            return _No(
                "edit-path", f"{path} is read-only here: edits of it are not allowed, leave it out."
            )
        if target.data is None:
            reason = target.unreadable or "has no text in a known encoding"
            return _No("edit-path", f"{path} {reason}; it cannot be edited.")
        return None

    def _data(self, path: str) -> bytes | None:
        target = self._targets.get(path)
        return target.data if target is not None else None

    def _place(self, path: str, block: Block, readings: Sequence[Reading]) -> _No | None:
        """Find the one reading of `block` that has a place and do it."""
        if any((path, *reading) in self._done for reading in readings):
            return None
        hit = self._hit(path, block, readings)
        if isinstance(hit, _No):
            return hit
        refusal = self._screen(path, block, hit) or self._do(path, block, hit)
        if refusal is None:
            self._done.add((path, *hit.reading))
        return refusal

    def _do(self, path: str, block: Block, hit: _Hit) -> _No | None:
        file = self._files[path]
        if hit.fit is None:
            done = file.fill(hit.reading[1])
            return None if done else _No("edit-match", messages.FILLED.format(path, block.line))
        if not hit.is_later:
            done = file.put(hit.fit)
            return None if done else _No("edit-match", messages.OVERLAP.format(path, block.line))
        file.put_current(hit.fit)
        return None

    def _hit(self, path: str, block: Block, readings: Sequence[Reading]) -> _Hit | _No:
        """The only reading that stands anywhere in the file, in one place; else why there is
        none."""
        file = self._files[path]
        hits: list[_Hit] = []
        several: list[str] = []
        for reading in readings:
            search, replace = reading
            if _is_empty(search):
                if file.can_fill():
                    hits.append(_Hit(reading, None))
                continue
            text, is_later = file.original, False
            result = find(text, search, replace, self._within.get(path))
            if isinstance(result, Miss) and not result.places and file.touched:
                text, is_later = file.current(), True
                result = find(text, search, replace)
            if isinstance(result, Fit):
                hits.append(_Hit(reading, result, is_later))
            elif result.places:
                several.append(messages.ambiguous(path, block.line, result, text, len(search)))
        hits = _whole_conflicts(hits)
        if len(hits) == 1 and not several:
            return hits[0]
        if hits:
            return _No("edit-match", messages.DIVIDERS.format(path, block.line, len(readings)))
        if several:
            return _No("edit-match", several[0])
        return self._missed(path, block, readings)

    def _missed(self, path: str, block: Block, readings: Sequence[Reading]) -> _No:
        search, replace = readings[0]
        if len(readings) == 1 and _is_empty(search):
            return _No("edit-match", messages.NOT_EMPTY.format(path, block.line))
        lead = messages.ABSENT.format(path, block.line)
        if len(readings) > 1:
            lead += messages.NO_DIVIDER_FITS.format(len(readings))
        text = self._files[path].original
        if path not in self._targets:
            text = self._files[path].current()
        self._explained += 1
        if self._explained > _MOST_EXPLAINED:
            return _No("edit-match", lead)
        parts = (lead, nearest.explain(text, search, replace), self._elsewhere(search, path))
        return _No("edit-match", "\n".join(part for part in parts if part))

    def _elsewhere(self, search: Lines, path: str | None) -> str:
        """Which other file has these lines exactly once. Only said, never acted on."""
        if len(search) == 1 and len(search[0].strip()) < 4:
            return ""
        for name in dict.fromkeys((*self._chat, *sorted(self._targets))):
            target = self._targets.get(name)
            if name == path or target is None or target.data is None or not target.editable:
                continue
            self._hint_budget -= len(target.data)
            if self._hint_budget < 0:
                return ""
            if name not in self._texts:
                self._texts[name] = Text.of(target.data)
            fit = find(self._texts[name], search, ())
            if isinstance(fit, Fit) and fit.rung in ("exact", "trailing blanks"):
                return messages.ELSEWHERE.format(name, fit.start + 1)
        return ""

    def _screen(self, path: str, block: Block, hit: _Hit) -> _No | None:
        """Refuse what must never be written, whatever matched."""
        search, replace = (hit.fit.search, hit.fit.replace) if hit.fit else hit.reading
        kept = set(search)
        new = [line for line in replace if line not in kept]
        # Also as the reply has them: a shift of indentation must not carry a marker past the screen.
        written = encoded([line for line in block.replace if line not in block.search])
        new += [line for line in written if NEVER_WRITTEN.match(line)]
        lead = f"{path}: the block on line {block.line} of the reply is refused:"
        before = self._files[path].original.lines
        if reason := screen.marker_written(path, before, replace, new):
            return _No("edit-format", f"{lead} {reason}.")
        if found := screen.placeholder(search, replace):
            return _No("edit-match", f"{lead} {messages.PLACEHOLDER.format(found)}")
        return None

    def _changes(self) -> Iterator[FileChange]:
        for path, file in self._files.items():
            after, hunks = file.result()
            before = self._data(path)
            if before is None or after != before:
                yield FileChange(path, before, after, hunks if before is not None else ())


def _is_empty(search: Sequence[str] | Sequence[bytes]) -> bool:
    """Whether SEARCH has no line, or blank ones only, which name no place."""
    return not any(line.strip() for line in search)


def _whole_conflicts(hits: list[_Hit]) -> list[_Hit]:
    """Of several readings those that take a merge conflict as a whole, if there is any conflict."""
    if len(hits) < 2:
        return hits
    whole = [hit for hit in hits if not any(map(screen.tears_conflict, hit.reading))]
    has_conflict = any(line.startswith(b"<<<<<<< ") for half in hits[0].reading for line in half)
    return whole if whole and has_conflict else hits
