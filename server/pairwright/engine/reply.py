"""What a reply in edit mode comes to: a plan, a retry with words for the model, or prose.

Blocks are held against the texts that stood in the prompt, and only bytes that stood there may change. Blocks that
fitted in an earlier try are kept until the rest fits too; where a newer block clashes with one of them, the newer
one counts. Works on values only: run it in a thread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pairwright.edits.feedback import feedback
from pairwright.edits.formats.markers import FENCE
from pairwright.edits.formats.registry import read
from pairwright.edits.paths import normal, unsafe
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, FileChange, Parsed, Plan, Problem, Target
from pairwright.engine.door import Manifest
from pairwright.engine.events import Retry
from pairwright.engine.moves import movable
from pairwright.engine.redaction import carried_off
from pairwright.text.document import Document
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Scope:
    """What a reply may refer to. `documents`: the texts shown, by path; `manifest`: which bytes of them.
    `within`: the bytes of a file that the request is about. `format`: how edits were asked for. `approximate`: what
    stands nowhere may go where one place alone is similar. `bounds`: the only bytes of a file that may change."""

    snapshot: Snapshot
    documents: Mapping[str, Document]
    manifest: Manifest
    within: Mapping[str, tuple[int, int]]
    format: str = "diff"
    approximate: bool = False
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """`changes`: all that the reply and the kept blocks do; empty if `retry`, or if there is no edit. `kept`:
    blocks that need not be sent again. `blocks`: all that `changes` come from. `missing`: what of a last reply
    fitted nowhere, a line each; `problems`: the same, in full."""

    changes: tuple[FileChange, ...] = ()
    retry: Retry | None = None
    kept: tuple[Block, ...] = ()
    blocks: tuple[Block, ...] = ()
    shell: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def judge(text: str, kept: tuple[Block, ...], scope: Scope) -> Judged:
    """Read `text`, the newest reply, together with the blocks `kept` from earlier ones."""
    return judge_read(read(text, scope.format, tuple(scope.documents)), text, kept, scope)


def judge_read(parsed: Parsed, text: str, kept: tuple[Block, ...], scope: Scope) -> Judged:
    """The same of a reply that was read as `parsed` already."""
    if not parsed.blocks and not parsed.problems:
        if not _holds_code(text, parsed):
            return _only_kept(kept, scope, parsed.shell)
        parsed = replace(parsed, problems=(Problem("edit-format", no_edit(scope.format)),))
    blocks, planned = _together(kept, parsed.blocks, scope)
    if not planned.problems and not parsed.problems:
        planned = _within_bounds(_within_shown(planned, scope), scope)
        planned = movable(planned, scope.snapshot)
    problems = (*parsed.problems, *planned.problems)
    if not problems:
        return Judged(planned.changes, blocks=blocks, shell=parsed.shell)
    told = feedback(replace(parsed, blocks=blocks), planned)
    signature = "\n".join(sorted(_signature(problem, blocks) for problem in problems))
    retry = Retry(problems[0].kind, told, signature)
    fitting = tuple(blocks[index] for index in planned.passed)
    missing = tuple(dict.fromkeys(problem.message.partition("\n")[0] for problem in problems))
    return Judged(retry=retry, kept=fitting, shell=parsed.shell, missing=missing, problems=problems)


def _only_kept(kept: tuple[Block, ...], scope: Scope, shell: tuple[str, ...]) -> Judged:
    """A reply of prose ends the turn with what fitted before."""
    planned = movable(_within_bounds(plan_shown(kept, scope), scope), scope.snapshot)
    if planned.problems or not planned.changes:
        return Judged(kept=kept, shell=shell)
    return Judged(planned.changes, kept=kept, blocks=kept, shell=shell)


def salvaged(text: str, kept: tuple[Block, ...], scope: Scope) -> Judged:
    """Read `text` once more when nothing further is asked: what fits, without what does not. `retry` is set if
    nothing fits."""
    judged = judge(text, kept, scope)
    if judged.retry is None or not judged.kept:
        return judged
    planned = movable(_within_bounds(plan_shown(judged.kept, scope), scope), scope.snapshot)
    if planned.problems or not planned.changes:
        return judged
    return replace(judged, changes=planned.changes, retry=None, blocks=judged.kept)


def plan_shown(blocks: Sequence[Block], scope: Scope) -> Plan:
    """The plan of `blocks` over the texts shown, and over nothing else."""
    return _within_shown(_plan(blocks, scope), scope)


def no_edit(format: str) -> str:
    """What a reply is told that holds code but no edit in the format asked for."""
    form = format.removeprefix("editor-").partition("-")[0]
    return _NO_EDIT.format(_NAMES[form], _HOW[form])


_NO_EDIT = (
    "The reply holds code but no {}, so nothing could be applied. {} If nothing has to change, say so in a "
    "sentence without code."
)
_NAMES = {
    "diff": "SEARCH/REPLACE block",
    "udiff": "unified diff",
    "whole": "listing of a file",
    "patch": "patch",
    "symbol": "definition",
}
_HOW = {
    "symbol": (
        "Send the change as blocks: the path alone on a line, a fence, <<<<<<< DEFINITION and its name, every "
        "line of it, >>>>>>> REPLACE, the closing fence."
    ),
    "diff": (
        "Send the change as blocks: the path alone on a line, a fence, <<<<<<< SEARCH, the current lines, "
        "=======, the new lines, >>>>>>> REPLACE, the closing fence."
    ),
    "udiff": (
        "Send the change as a diff: --- and +++ with the path, an @@ line before each hunk, lines that begin "
        "with a blank, - or +."
    ),
    "whole": (
        "Send the complete new text of each file: its path alone on a line, a fence, every line, the closing "
        "fence."
    ),
    "patch": (
        "Send the change as a patch: *** Begin Patch, *** Update File: with the path, @@ before each hunk, "
        "lines that begin with a blank, - or +, *** End Patch."
    ),
}


def _holds_code(text: str, parsed: Parsed) -> bool:
    """Whether a reply without blocks looks like an edit in some other form: fenced code that is no shell
    command, or an open fence."""
    fences = sum(FENCE.fullmatch(line.rstrip("\r")) is not None for line in text.split("\n"))
    return (fences + 1) // 2 > len(parsed.shell)


def _together(
    kept: tuple[Block, ...], fresh: tuple[Block, ...], scope: Scope
) -> tuple[tuple[Block, ...], Plan]:
    """`kept` and `fresh` planned as one reply, kept blocks that clash with newer ones left out."""
    planned = _plan((*kept, *fresh), scope)
    if not kept or not fresh or not planned.problems:
        return (*kept, *fresh), planned
    alone = len(_plan(fresh, scope).problems)
    still = tuple(b for b in kept if len(_plan((b, *fresh), scope).problems) <= alone)
    return (*still, *fresh), _plan((*still, *fresh), scope)


def _plan(blocks: Sequence[Block], scope: Scope) -> Plan:
    planned = plan(
        blocks,
        targets(blocks, scope),
        within=scope.within,
        allowed=scope.snapshot.allowed,
        chat=tuple(scope.documents),
        tags=scope.snapshot.tags_of,
        approximate=scope.approximate,
    )
    stray = carried_off(blocks, scope.manifest.hidden, scope.documents)
    if not stray:
        return planned
    refused = {problem.block for problem in stray}
    passed = tuple(index for index in planned.passed if index not in refused)
    return Plan((), (*planned.problems, *stray), passed)


def targets(blocks: Sequence[Block], scope: Scope) -> dict[str, Target]:
    """The files `blocks` may mean. Only texts that were shown can be changed; other files that exist are named,
    so that a block about one of them is refused by its own name and never creates it anew."""
    found: dict[str, Target] = {}
    for path, document in scope.documents.items():
        sent = scope.manifest.sent(path)
        found[path] = Target(path, document.data, editable=sent is not None and sent.editable)
    written = sorted({path for block in blocks for path in (block.path, block.to) if path})
    exact = {path for path in map(normal, written) if path not in found and not unsafe(path)}
    wanted = {path.replace("\\", "/").rpartition("/")[2].casefold() for path in written}
    for path in scope.snapshot.paths():
        if path in found or path in exact or path.rpartition("/")[2].casefold() not in wanted:
            continue
        found[path] = Target(path, None, unreadable=_NOT_SHOWN)
    for path in sorted(exact):
        if (target := unsent(path, scope.snapshot)) is not None:
            found[path] = target
    return found


def unsent(path: str, snapshot: Snapshot) -> Target | None:
    """What stands at `path`, whose text was not sent; None where nothing does, so that it may be created. An empty
    document that is open has no text to be sent: editors open what is not there yet as one."""
    opened = snapshot.buffers.get(path)
    if opened is None and snapshot.on_disk(path) is None:
        return None
    if opened is not None and not opened.document.data and not snapshot.ignored(path):
        return Target(path, b"")
    return Target(path, None, unreadable=_NOT_SHOWN)


_NOT_SHOWN = "exists but was not shown in this request"


def _within_shown(planned: Plan, scope: Scope) -> Plan:
    """`planned` unless it changes bytes that did not stand in the prompt."""
    problems = []
    for change in planned.changes:
        path = change.moved_from or change.path
        sent = scope.manifest.sent(path)
        if sent is None:
            continue
        for hunk in change.hunks:
            if not any(low <= hunk.start and hunk.end <= high for low, high in sent.spans):
                line = scope.documents[path].lines.line_at(hunk.start) + 1
                message = _OUTSIDE.format(path, line)
                problems.append(Problem("edit-path", message, path))
                break
    return Plan((), tuple(problems), ()) if problems else planned


_OUTSIDE = "{}: line {} would change, but only an excerpt of this file was shown. Change only lines of the excerpt."


def _within_bounds(planned: Plan, scope: Scope) -> Plan:
    """`planned` unless it changes more of a file than the request is about."""
    problems = []
    for change in planned.changes:
        path = change.moved_from or change.path
        low, high = scope.bounds.get(path, (0, len(change.before or b"")))
        for hunk in change.hunks:
            if hunk.start < low or high < hunk.end:
                lines = scope.documents[path].lines
                numbers = (line + 1 for line in map(lines.line_at, (hunk.start, low, high - 1)))
                problems.append(Problem("edit-match", _BEYOND.format(path, *numbers), path))
                break
    return Plan((), tuple(problems), ()) if problems else planned


_BEYOND = (
    "{}: line {} would change, but the request is about lines {}-{} of it. Change only those lines."
)


def _signature(problem: Problem, blocks: Sequence[Block]) -> str:
    """What is wrong, whatever line of the reply it stands on."""
    if problem.block is not None:
        block = blocks[problem.block]
        return "\n".join((problem.kind, block.path or "", *block.search))
    first = problem.message.partition("\n")[0]
    return f"{problem.kind} {problem.path} {re.sub(r'[0-9]+', '#', first)}"
