"""Code actions: the door of every request in a client without a plugin.

Answered without a model, within a frame: each action carries a command. At a pending hunk the cursor's line
offers accept and reject; a selection offers ask, edit and the presets; a request document offers Send.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pairwright.engine.proposals import PENDING, Proposal, ProposedFile, place
from pairwright.engine.proposals_text import named
from pairwright.lsp import convert
from pairwright.lsp.documents import Open
from pairwright.lsp.guard import Call
from pairwright.lsp.instructions import is_request_document
from pairwright.lsp.session import Session

EDIT = "refactor.rewrite.pairwright"
ASK = "pairwright.ask"
REVIEW = "pairwright.review"
KINDS = (EDIT, ASK, REVIEW)


def code_action(call: Call, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions at a position or selection, most likely first."""
    session = call.session
    opened = session.documents.opened(params.text_document.uri)
    if opened is None:
        return None
    wanted = params.context.only
    found = [
        action
        for action in _actions(session, opened, params)
        if not wanted or any(_within(str(action.kind), str(kind)) for kind in wanted)
    ]
    return found or None


def _within(kind: str, wanted: str) -> bool:
    return kind == wanted or kind.startswith(wanted + ".")


def _actions(
    session: Session, opened: Open, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    uri = opened.at.uri
    if is_request_document(opened.document.text[:4000]):
        yield _action("Pairwright: Send", ASK, "pairwright.send", uri=uri)
        return
    yield from _review(session, opened, params.range)
    # On every move of the cursor a client asks for what is contextual only.
    automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
    empty = params.range.start == params.range.end
    if automatic and empty:
        return
    where = {"uri": uri, "range": session.converter.unstructure(params.range)}
    tagged = session.client.llm_tag
    yield _action("Pairwright: Ask", ASK, "pairwright.ask", llm=tagged, **where)
    yield _action("Pairwright: Edit", EDIT, "pairwright.edit", llm=tagged, **where)
    if not empty:
        yield _action(
            "Pairwright: Explain", ASK, "pairwright.ask", llm=tagged, preset="explain", **where
        )
        yield _action(
            "Pairwright: Document", EDIT, "pairwright.edit", llm=tagged, preset="document", **where
        )


def _review(session: Session, opened: Open, range_: types.Range) -> Iterator[types.CodeAction]:
    bench = session.benches.get(opened.at.root.path)
    if bench is None:
        return
    span = convert.span(opened.document, range_, session.client.encoding)
    for proposal in bench.proposals.holding(opened.at.path):
        for file in proposal.files:
            if file.at == opened.at.path and file.pending:
                yield from _choices(proposal, file, opened, span)
    if any(
        hunk.state == "applied" for p in bench.proposals.all() for f in p.files for hunk in f.hunks
    ):
        yield _action("Pairwright: Undo last accept", REVIEW, "pairwright.undo")


def _choices(
    proposal: Proposal, file: ProposedFile, opened: Open, span: tuple[int, int]
) -> Iterator[types.CodeAction]:
    total = sum(len(f.pending) for f in proposal.files)
    ident = proposal.id
    for hunk in file.hunks:
        if hunk.state in PENDING and _touches(file, hunk.id, opened, span):
            name = named(file, hunk)
            yield _action(
                f"Pairwright: Accept {name}", REVIEW, "pairwright.accept",
                proposal=ident, hunks=[hunk.id],
            )  # fmt: skip
            yield _action(
                f"Pairwright: Reject {name}", REVIEW, "pairwright.reject",
                proposal=ident, hunks=[hunk.id],
            )  # fmt: skip
            yield _action(
                f"Pairwright: Refine {name}", EDIT, "pairwright.refine",
                proposal=ident, hunks=[hunk.id],
            )  # fmt: skip
    noun = "hunk" if total == 1 else "hunks"
    yield _action(
        f"Pairwright: Accept all ({total} {noun})", REVIEW, "pairwright.accept", proposal=ident
    )
    yield _action("Pairwright: Reject all", REVIEW, "pairwright.reject", proposal=ident)
    yield _action("Pairwright: Show proposal", REVIEW, "pairwright.show", proposal=ident)


def _touches(file: ProposedFile, ident: str, opened: Open, span: tuple[int, int]) -> bool:
    """Whether a hunk lies on a line of the selection in the text of the moment."""
    if file.kind == "delete" or ident == file.rename:
        return True
    change = place(file, opened.document.data, (ident,)).change
    if change is None or not change.hunks:
        return False
    at = change.hunks[0]
    lines = opened.document.lines
    first, last = lines.line_at(span[0]), lines.line_at(span[1])
    # A pure insertion has no line of its own: the line it comes before stands for it.
    low, high = lines.line_at(at.start), lines.line_at(max(at.start, at.end - 1))
    return low <= last and first <= high


def _action(
    title: str, kind: str, command: str, *, llm: bool = False, **args: Any
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=kind,
        command=types.Command(title=title, command=command, arguments=[{"version": 1, **args}]),
        tags=[types.CodeActionTag.LlmGenerated] if llm else None,
    )
