"""Code lenses above pending hunks: accept, reject, all of it, show; and at AI comments: what they ask for.

Only for a client that runs our commands itself; a plugin that keeps the command ids to itself draws its own. The
lines are those of the text of the moment, so a lens moves with what is typed above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pairwright.engine.proposals import Proposal, ProposedFile
from pairwright.engine.proposals_text import named
from pairwright.lsp import convert
from pairwright.lsp.ai_comments import find
from pairwright.lsp.documents import Open
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.lsp.standing import standing
from pairwright.text.columns import Unit


def code_lens(call: Call, params: types.CodeLensParams) -> Job | None:
    """The lenses of an open document, from its top to its end, those of hunks first."""
    session = call.session
    opened = session.documents.opened(params.text_document.uri)
    if opened is None or not session.settings.apply.lenses or not session.client.commands:
        return None
    bench = session.benches.get(opened.at.root.path)
    held = bench.proposals.holding(opened.at.path) if bench is not None else ()
    unit = session.client.encoding

    def run(token: CancelToken) -> list[types.CodeLens]:
        found: list[types.CodeLens] = []
        for proposal in held:
            for file in proposal.files:
                token.check()
                if file.at == opened.at.path and file.pending:
                    found += _of_file(proposal, file, opened, unit)
        return [*found, *_of_comments(session, opened, unit)]

    return Job(run)


def _of_comments(session: Session, opened: Open, unit: Unit) -> Iterator[types.CodeLens]:
    """What the AI comments of a document ask for."""
    for comment in find(opened.document, opened.language):
        if comment.asks:
            range_ = convert.range_of(opened.document, comment.start, comment.start, unit)
            args = {"uri": opened.at.uri, "range": session.converter.unstructure(range_)}
            title = "Do this" if comment.mark == "!" else "Answer this"
            yield _lens(range_, f"Pairwright: {title}", "pairwright.instruct", args)


def _of_file(
    proposal: Proposal, file: ProposedFile, opened: Open, unit: Unit
) -> Iterator[types.CodeLens]:
    places = standing(file, opened.document.data)
    total = sum(len(each.pending) for each in proposal.files)
    for hunk in file.hunks:
        if hunk.id not in places:
            continue
        start, _, is_stale = places[hunk.id]
        range_ = convert.range_of(opened.document, start, start, unit)
        ident: dict[str, Any] = {"proposal": proposal.id}
        one = {**ident, "hunks": [hunk.id]}
        if is_stale:
            title, command, args = (
                f"{named(file, hunk)}: its lines were changed since",
                "show",
                ident,
            )
        else:
            title, command, args = f"✓ Accept {named(file, hunk)}", "accept", one
        yield _lens(range_, title, f"pairwright.{command}", args)
        yield _lens(range_, "✗ Reject", "pairwright.reject", one)
        yield _lens(range_, "Refine", "pairwright.refine", one)
        if hunk is file.pending[0]:
            if total > 1:
                yield _lens(range_, f"Accept all {total}", "pairwright.accept", ident)
            yield _lens(range_, "Show", "pairwright.show", ident)


def _lens(range_: types.Range, title: str, command: str, args: dict[str, Any]) -> types.CodeLens:
    arguments = [{"version": 1, **args}]
    return types.CodeLens(range=range_, command=types.Command(title, command, arguments=arguments))
