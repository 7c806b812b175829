"""Code actions: the door of every request in a client without a plugin.

Answered without a model, within a frame: each action carries a command, which does its work when it is chosen. At a
pending hunk the cursor's line offers accept and reject; an AI comment what it asks for; a diagnostic its fix; a
selection ask, edit and the presets; a request document Send.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from pairwright.engine.proposals import PENDING, Proposal, ProposedFile, place
from pairwright.engine.proposals_text import named
from pairwright.lsp import convert
from pairwright.lsp.ai_comments import find, is_at
from pairwright.lsp.documents import Open
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.instructions import Mode, is_request_document
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.text.columns import Unit

EDIT = "refactor.rewrite.pairwright"
ASK = "pairwright.ask"
REVIEW = "pairwright.review"
FIX = "quickfix.pairwright"
KINDS = (EDIT, ASK, REVIEW, FIX)

_MOST_FIXES = 8
_TITLE = 60


def code_action(call: Call, params: types.CodeActionParams) -> Job | None:
    """The actions at a position or selection, most likely first; bare commands for a client that knows no others."""
    session = call.session
    opened = session.documents.opened(params.text_document.uri)
    if opened is None:
        return None
    wanted = params.context.only
    if is_request_document(opened.document.text[:4000]):
        review = [_action("Pairwright: Send", ASK, "pairwright.send", uri=opened.at.uri)]
        others: list[types.CodeAction] = []
    else:
        review = list(_review(session, opened, params.range))
        others = [
            *_fixes(session, opened, params),
            *_undo(session, opened),
            *_requests(session, opened, params),
        ]
    span = convert.span(opened.document, params.range, session.client.encoding)
    unit, tagged = session.client.encoding, session.client.llm_tag
    literals = session.client.code_action_literals

    def run(token: CancelToken) -> list[types.CodeAction] | list[types.Command | None] | None:
        found = [*review, *_instructions(session, opened, span, unit, tagged), *others]
        if wanted:
            found = [a for a in found if any(_within(str(a.kind), str(k)) for k in wanted)]
        return (found if literals else [a.command for a in found]) or None

    return Job(run)


def _within(kind: str, wanted: str) -> bool:
    return kind == wanted or kind.startswith(wanted + ".")


def _instructions(
    session: Session, opened: Open, span: tuple[int, int], unit: Unit, tagged: bool
) -> Iterator[types.CodeAction]:
    """What the AI comments in the lines of `span` ask for."""
    lines = opened.document.lines
    first, last = lines.line_at(span[0]), lines.line_at(span[1])
    for comment in find(opened.document, opened.language):
        if comment.asks and is_at(comment, lines, first, last):
            where = convert.range_of(opened.document, comment.start, comment.start, unit)
            is_edit = comment.mark == "!"
            yield _action(
                f"Pairwright: {'Do' if is_edit else 'Answer'}: {_short(comment.text)}",
                EDIT if is_edit else ASK,
                "pairwright.instruct",
                llm=tagged,
                uri=opened.at.uri,
                range=session.converter.unstructure(where),
            )


def _fixes(
    session: Session, opened: Open, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """One action for each diagnostic the client shows here."""
    for diagnostic in params.context.diagnostics[:_MOST_FIXES]:
        action = _action(
            f"Pairwright: Fix: {_short(diagnostic.message)}",
            FIX,
            "pairwright.edit",
            llm=session.client.llm_tag,
            preset="fix",
            uri=opened.at.uri,
            range=session.converter.unstructure(diagnostic.range),
            diagnostics=[session.converter.unstructure(diagnostic)],
        )
        action.diagnostics = [diagnostic]
        yield action


def _requests(
    session: Session, opened: Open, params: types.CodeActionParams
) -> Iterator[types.CodeAction]:
    """Requests about a selection. On every move of the cursor a client asks for what is contextual only: none."""
    automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
    empty = params.range.start == params.range.end
    if automatic and empty:
        return
    where = {"uri": opened.at.uri, "range": session.converter.unstructure(params.range)}
    tagged = session.client.llm_tag

    def offered(title: str, mode: Mode, **more: str) -> types.CodeAction:
        kind, command = (ASK, "pairwright.ask") if mode == "ask" else (EDIT, "pairwright.edit")
        return _action(f"Pairwright: {title}", kind, command, llm=tagged, **where, **more)

    yield offered("Ask", "ask")
    yield offered("Edit", "edit")
    # A client of ours has these in its own menus.
    if not session.client.protocol:
        plan, choose = "Pairwright: Plan, then edit", "Pairwright: Choose files"
        yield _action(plan, EDIT, "pairwright.architect", llm=tagged, **where)
        yield _action(choose, ASK, "pairwright.context", llm=tagged, **where)
        yield _action("Pairwright: Help", ASK, "pairwright.help", llm=tagged)
    if empty:
        return
    yield offered("Explain", "ask", preset="explain")
    yield offered("Document", "edit", preset="document")
    yield offered("Write tests", "edit", preset="tests")
    for preset in session.settings.presets:
        yield offered(preset.title, preset.mode, preset=preset.title)


def _short(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def _review(session: Session, opened: Open, range_: types.Range) -> Iterator[types.CodeAction]:
    bench = session.benches.get(opened.at.root.path)
    if bench is None:
        return
    span = convert.span(opened.document, range_, session.client.encoding)
    for proposal in bench.proposals.holding(opened.at.path):
        for file in proposal.files:
            if file.at == opened.at.path and file.pending:
                yield from _choices(proposal, file, opened, span)


def _undo(session: Session, opened: Open) -> Iterator[types.CodeAction]:
    bench = session.benches.get(opened.at.root.path)
    every = bench.proposals.all() if bench is not None else ()
    if any(hunk.state == "applied" for p in every for f in p.files for hunk in f.hunks):
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
