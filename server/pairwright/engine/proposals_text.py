"""A proposal as plain text: a unified diff by file, each hunk with its id and state. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairwright.edits.diff import apply
from pairwright.edits.types import FileChange
from pairwright.edits.unified import unified
from pairwright.engine.proposals import PENDING, Clash, Proposal, ProposedFile, ProposedHunk

_SIDE = 60
_VERBS = {"create": "new file", "delete": "deleted file", "modify": "", "move": "renamed file"}


def named(file: ProposedFile, hunk: ProposedHunk) -> str:
    """What a choice is called: `hunk 2 of 3`, or what happens to the file as a whole."""
    if file.kind == "create":
        return f"the new file {file.path}"
    if file.kind == "delete":
        return f"the deletion of {file.path}"
    if hunk.id == file.rename:
        return f"the rename to {file.path}"
    texts = [one.id for one in file.hunks if one.id != file.rename]
    return f"hunk {texts.index(hunk.id) + 1} of {len(texts)}"


def preview(proposal: Proposal) -> str:
    """What is left to choose as diffs against the text the proposal lies on, and what became of the
    rest."""
    return "\n".join(_lines(proposal)) + "\n"


def conflicts(clashes: Sequence[Clash]) -> str:
    """Both sides of every hunk that cannot be placed; empty if there is none."""
    if not clashes:
        return ""
    lines = ["Conflicts. Nothing of these hunks is applied; refine or reject them, or ask again."]
    for clash in clashes:
        where = f", line {clash.line + 1}" if clash.line >= 0 else ""
        lines += ("", f"{clash.path}{where}, hunk {clash.id}: {clash.reason}")
        lines += _side("made for", clash.old)
        if clash.now is not None:
            lines += _side("there now", clash.now)
        lines += _side("proposed", clash.new)
    return "\n".join(lines) + "\n"


def _side(name: str, text: bytes) -> list[str]:
    rows = text.decode("utf-8", "replace").splitlines() if text else ["(no lines)"]
    more = [f"    ... {len(rows) - _SIDE} more lines"] if len(rows) > _SIDE else []
    return [f"  {name}:", *(f"    {row}" for row in rows[:_SIDE]), *more]


def _lines(proposal: Proposal) -> Iterator[str]:
    request = proposal.request.strip().split("\n")[0]
    yield f"Proposal {proposal.id}: {proposal.state}"
    yield f"Request: {request}"
    if proposal.findings:
        yield "Checks have against it:"
        yield from (f"  {line}" for line in proposal.findings)
    if proposal.missing:
        few = len(proposal.missing)
        noun = "part" if few == 1 else "parts"
        yield f"Incomplete. {few} {noun} of the answer could not be placed:"
        yield from (f"  {line}" for line in proposal.missing)
    for file in proposal.files:
        yield ""
        yield from _file(file)


def _file(file: ProposedFile) -> Iterator[str]:
    for index, hunk in enumerate(file.hunks):
        # A hunk at a time, so that each keeps its own header even where contexts meet.
        header, rows = _hunk(file, hunk)
        if index == 0:
            verb = _VERBS[file.kind]
            yield from (*header, *([verb] if verb else []))
        mark = f"{hunk.id} {hunk.state}{', approximate' if hunk.hunk.approximate else ''}"
        if hunk.id == file.rename:
            yield f"@@ {mark}, rename @@"
        elif hunk.state not in PENDING:
            yield f"@@ {mark} @@"
        elif rows:
            yield f"{rows[0]} {mark}"
            yield from rows[1:]
        else:
            yield f"@@ {mark}, empty @@"


def _hunk(file: ProposedFile, hunk: ProposedHunk) -> tuple[list[str], list[str]]:
    """Header and rows of the diff that holds this hunk alone."""
    if file.kind == "create":
        change = FileChange(file.path, None, hunk.hunk.new, ())
    elif file.kind == "delete":
        change = FileChange(file.path, hunk.old, None, ())
    else:
        before = file.before or b""
        one = (hunk.hunk,) if hunk.state in PENDING else ()
        change = FileChange(file.path, before, apply(before, one), one)
    lines = unified(change).removesuffix("\n").split("\n")
    if file.moved_from is not None:
        lines[0] = f"--- a/{file.moved_from}"
    return lines[:2], lines[2:]
