"""Code lenses above pending hunks: accept, reject, all of it, show.

Only for a client that runs our commands itself; a plugin that keeps the command ids to itself draws its own. The
lines are those of the text of the moment, so a lens moves with what is typed above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pairwright.edits.rebase import rebase
from pairwright.engine.proposals import PENDING, Proposal, ProposedFile, ProposedHunk, place
from pairwright.lsp import convert
from pairwright.lsp.documents import Open
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.schedule import CancelToken
from pairwright.text.columns import Unit


def code_lens(call: Call, params: types.CodeLensParams) -> Job | None:
    """The lenses of an open document, from its top to its end."""
    session = call.session
    opened = session.documents.opened(params.text_document.uri)
    if opened is None or not session.settings.apply.lenses or not session.client.commands:
        return None
    bench = session.benches.get(opened.at.root.path)
    if bench is None:
        return None
    held = bench.proposals.holding(opened.at.path)
    unit = session.client.encoding

    def run(token: CancelToken) -> list[types.CodeLens]:
        found: list[types.CodeLens] = []
        for proposal in held:
            for file in proposal.files:
                token.check()
                if file.path == opened.at.path and file.pending:
                    found += _of_file(proposal, file, opened, unit)
        return found

    return Job(run)


def _of_file(
    proposal: Proposal, file: ProposedFile, opened: Open, unit: Unit
) -> Iterator[types.CodeLens]:
    is_first = True
    for number, hunk in enumerate(file.hunks, 1):
        if hunk.state not in PENDING:
            continue
        start, stale = _where(file, hunk, opened)
        range_ = convert.range_of(opened.document, start, start, unit)
        ident = {"proposal": proposal.id}
        one = {**ident, "hunks": [hunk.id]}
        if stale:
            yield _lens(
                range_, f"hunk {number}: its lines were changed since", "pairwright.show", ident
            )
        else:
            yield _lens(
                range_, f"✓ Accept hunk {number} of {len(file.hunks)}", "pairwright.accept", one
            )
        yield _lens(range_, "✗ Reject", "pairwright.reject", one)
        if is_first:
            total = sum(len(each.pending) for each in proposal.files)
            if total > 1:
                yield _lens(range_, f"Accept all {total}", "pairwright.accept", ident)
            yield _lens(range_, "Show", "pairwright.show", ident)
        is_first = False


def _where(file: ProposedFile, hunk: ProposedHunk, opened: Open) -> tuple[int, bool]:
    """The byte the hunk begins at in the text of the moment, and whether it can no longer be placed."""
    if file.kind != "modify" or file.before is None:
        return 0, bool(place(file, opened.document.data, (hunk.id,)).conflicts)
    moved = rebase(file.before, opened.document.data, (hunk.hunk,))
    if moved.conflicts:
        return moved.conflicts[0].start, True
    placed = moved.hunks[0]
    return (placed.start if placed is not None else 0), False


def _lens(range_: types.Range, title: str, command: str, args: dict[str, Any]) -> types.CodeLens:
    arguments = [{"version": 1, **args}]
    return types.CodeLens(range=range_, command=types.Command(title, command, arguments=arguments))
