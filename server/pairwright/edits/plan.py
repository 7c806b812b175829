"""From blocks to a plan: every block has its one place, or nothing of the reply is done.

Blocks match the text before the reply, in any order. A block absent there may match, uniquely, what
earlier blocks of the same reply wrote. Knows texts and targets, no disk and no format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced

from pairwright.edits import definitions, marks, messages, nearest, screen, similar
from pairwright.edits.formats.markers import NEVER_WRITTEN
from pairwright.edits.lines import body
from pairwright.edits.match import Fit, Miss, Text, find
from pairwright.edits.narrow import anchors
from pairwright.edits.paths import Allowed, Refused, Resolver, normal, unsafe
from pairwright.edits.types import Block, FileChange, Plan, Problem, ProblemKind, Target, Where
from pairwright.edits.working import Working, encoded
from pairwright.tags.files import tags_here
from pairwright.tags.types import Tags

Range = tuple[int, int]
Tagger = Callable[[str, bytes], Tags]
Lines = tuple[bytes, ...]
Reading = tuple[Lines, Lines]

_DIVIDER = re.compile(rb"[ \t]*={5,9}[ \t]*")
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
    tags: Tagger = tags_here,
    approximate: bool = False,
) -> Plan:
    """What `blocks` do to `targets`, or why not.

    `targets`: every file a block may mean, by path, read-only ones and existing ones outside the
    chat included. `within`: bytes of a file that the request is about; they settle which of several
    places is meant. `allowed`: why a path may not be written. `chat`: the paths that loosely
    written names count for. `tags`: the tags of a path's text, asked for where a block names a
    definition. `approximate`: what stands nowhere may go where one place alone is similar; its hunks
    are marked so and must be shown before they are applied.
    """
    behind = marks.marked(targets)
    bare, within = marks.bare(targets, behind), marks.moved(within or {}, behind)
    planned = _Planner(bare, within, allowed, chat, tags, approximate).run(blocks)
    return marks.restored(planned, behind)


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
        tags: Tagger,
        approximate: bool,
    ) -> None:
        self._targets, self._within, self._allowed = targets, within, allowed
        self._chat = tuple(chat)
        self._tags = tags
        self._approximate = approximate
        self._resolver = Resolver(targets, chat)
        self._files: dict[str, Working] = {}
        self._texts: dict[str, Text] = {}
        self._hint_budget = _HINT_BYTES
        self._explained = 0
        self._done: set[tuple[str, Lines, Lines, Where]] = set()
        self._below: dict[str, int] = {}
        self._gone: set[str] = set()
        self._moved: dict[str, str] = {}

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
        creates = _creates(block, readings)
        written = block.path
        if written is None:
            if (creates and block.operation != "whole") or len(self._chat) != 1:
                return None, _No("edit-format", messages.NAMELESS.format(block.line))
            written = self._chat[0]
        # A renamed file may be named by either path.
        written = next((old for old, new in self._moved.items() if new == written), written)
        made = [path for path, file in self._files.items() if file.touched]
        found = self._resolver.resolve(written, creates, made)
        if isinstance(found, Refused):
            hint = "" if creates else self._elsewhere(readings[0][0], None)
            return written, _No("edit-path", f"{found.reason}\n{hint}" if hint else found.reason)
        path = found.path
        if refusal := self._forbidden(path) or self._unusable(path) or self._unfit(path, block):
            return path, refusal
        if block.operation in ("delete", "move"):
            return path, self._as_a_whole(path, block, readings[0][0])
        self._working(path)
        return path, self._place(path, block, readings)

    def _working(self, path: str) -> Working:
        if path not in self._files:
            self._files[path] = Working(self._data(path))
        return self._files[path]

    def _unfit(self, path: str, block: Block) -> _No | None:
        """Why the file as a whole does not allow the operation."""
        exists = path in self._targets
        if path in self._gone:
            return _No("edit-match", messages.GONE.format(path, block.line))
        if block.operation == "create" and exists and not self._working(path).can_fill():
            return _No("edit-path", messages.EXISTS.format(path, block.line))
        is_guess = block.path is not None and not block.path.startswith("./")
        guessed = block.operation == "whole" and not exists and is_guess
        if guessed and (other := self._resolver.similar(path)) is not None:
            return _No("edit-path", messages.SIMILAR.format(path, other, path))
        return None

    def _as_a_whole(self, path: str, block: Block, shown: Lines) -> _No | None:
        """Delete or rename the file `path`."""
        if path not in self._targets:
            return _No("edit-path", messages.NO_TARGET.format(path, block.line))
        file = self._working(path)
        if file.touched or path in self._moved:
            return _No("edit-match", messages.TOUCHED.format(path, block.line))
        if block.operation == "delete":
            has = tuple(map(body, file.original.lines))
            if shown and shown != has:
                return _No("edit-match", messages.OTHER_LINES.format(path, block.line))
            self._gone.add(path)
            return None
        to = normal(block.to or "")
        if reason := unsafe(block.to or ""):
            return _No("edit-path", f"{block.to}: {reason}")
        if to in self._targets or to in self._files or to in self._moved.values():
            return _No("edit-path", messages.TAKEN.format(path, block.line, to))
        if refusal := self._forbidden(to):
            return refusal
        self._moved[path] = to
        return None

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
        if any((path, *reading, block.where) in self._done for reading in readings):
            return None
        hit = self._hit(path, block, readings)
        if isinstance(hit, _No):
            return hit
        refusal = self._screen(path, block, hit) or self._do(path, block, hit)
        if refusal is None:
            self._done.add((path, *hit.reading, block.where))
            if hit.fit is not None and not hit.is_later:
                self._below[path] = hit.fit.stop
        return refusal

    def _do(self, path: str, block: Block, hit: _Hit) -> _No | None:
        file = self._files[path]
        if hit.fit is None:
            done = file.fill(hit.reading[1])
            return None if done else _No("edit-match", messages.FILLED.format(path, block.line))
        if not hit.is_later:
            done = file.put(hit.fit, is_guess=hit.fit.rung == similar.RUNG)
            return None if done else _No("edit-match", messages.OVERLAP.format(path, block.line))
        file.put_current(hit.fit)
        return None

    def _hit(self, path: str, block: Block, readings: Sequence[Reading]) -> _Hit | _No:
        """The only reading that stands anywhere in the file, in one place; else why there is
        none."""
        file = self._files[path]
        if block.operation == "whole" and not file.can_fill():
            bodies = tuple(map(body, file.original.lines))
            fit = Fit(0, len(bodies), bodies, readings[0][1], "whole")
            return _Hit(readings[0], fit)
        if block.operation == "symbol":
            found = self._definition(path, block, readings[0][1])
            return found if isinstance(found, _No) else _Hit(readings[0], found)
        hits: list[_Hit] = []
        several: list[str] = []
        for reading in readings:
            search, replace = reading
            if _is_empty(search):
                if file.can_fill():
                    hits.append(_Hit(reading, None))
                elif (at := _insertion(file.original, block.where)) is not None:
                    hits.append(_Hit(reading, Fit(at, at, (), replace, "anchor")))
                continue
            text, is_later = file.original, False
            within, below = self._within.get(path), self._below.get(path, 0)
            result = find(text, search, replace, within, block.where, below)
            if isinstance(result, Miss) and not result.places and file.touched:
                text, is_later = file.current(), True
                result = find(text, search, replace)
            if isinstance(result, Fit):
                hits.append(_Hit(reading, result, is_later))
            elif result.places:
                several.append(messages.ambiguous(path, block.line, result, text, len(search)))
        hits = _whole_conflicts(hits)
        # Of several readings the one that fits may be only the head of the one that was meant.
        is_sure = len(readings) == 1 or not any(self._goes_on(path, hit) for hit in hits)
        if len(hits) == 1 and not several and is_sure:
            return hits[0]
        if hits:
            return _No("edit-match", messages.DIVIDERS.format(path, block.line, len(readings)))
        if several:
            return _No("edit-match", several[0])
        guess = self._similar(path, readings)
        return guess if guess is not None else self._missed(path, block, readings)

    def _goes_on(self, path: str, hit: _Hit) -> bool:
        """Whether the file goes on behind the place of `hit` with what was read as the divider: then that line is
        most likely text, and SEARCH longer."""
        if hit.fit is None:
            return False
        file = self._files[path]
        lines = (file.current() if hit.is_later else file.original).lines
        return (
            hit.fit.stop < len(lines) and _DIVIDER.fullmatch(body(lines[hit.fit.stop])) is not None
        )

    def _similar(self, path: str, readings: Sequence[Reading]) -> _Hit | None:
        """The place of a SEARCH that stands nowhere, if guesses are allowed and one leads clearly."""
        if not self._approximate or len(readings) != 1 or path not in self._targets:
            return None
        text, (search, replace) = self._files[path].original, readings[0]
        if nearest.already_there(text, search, replace):
            return None
        fit = similar.similar(text, search, replace)
        return None if fit is None else _Hit(readings[0], fit)

    def _definition(self, path: str, block: Block, new: Lines) -> Fit | _No:
        """The lines of the definition that `block` names."""
        data = self._data(path)
        if data is None:
            return _No("edit-path", messages.NO_TARGET.format(path, block.line))
        text, where = self._files[path].original, block.where
        if not where.symbol:
            alone = definitions.dedented(new)
            symbol = definitions.only(alone, self._tags(path, alone))
            if symbol is None:
                return _No("edit-format", messages.NO_NAME.format(path, block.line))
            where = replaced(where, symbol=symbol)
        found = definitions.find(text, data, self._tags(path, data), where, new)
        if isinstance(found, Fit):
            return found
        return _No("edit-match", messages.NO_DEFINITION.format(path, block.line, found.reason))

    def _missed(self, path: str, block: Block, readings: Sequence[Reading]) -> _No:
        search, replace = readings[0]
        if len(readings) == 1 and _is_empty(search):
            message = messages.NO_ANCHOR if block.where.scopes else messages.NOT_EMPTY
            return _No("edit-match", message.format(path, block.line))
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
            before, to = self._data(path), self._moved.get(path)
            if path in self._gone:
                yield FileChange(path, before, None, ())
                continue
            after, hunks = file.result()
            if before is None or after != before or to is not None:
                is_new = before is None
                yield FileChange(
                    to or path, before, after, () if is_new else hunks, path if to else None
                )


def _creates(block: Block, readings: Sequence[Reading]) -> bool:
    """Whether `block` may name a file that is not there."""
    if block.operation == "replace":
        placed = block.where.scopes or block.where.at_end or block.where.there
        return not placed and any(_is_empty(search) for search, _ in readings)
    return block.operation in ("create", "whole")


def _insertion(text: Text, where: Where) -> int | None:
    """The line in front of which lines without old ones go; None if nothing says so."""
    if where.scopes:
        found = anchors(text.lines, where.scopes)
        return found[0] + 1 if len(found) == 1 else None
    return len(text.lines) if where.at_end else None


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
