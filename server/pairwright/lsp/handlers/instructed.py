"""AI comments as requests: listing those of open documents, carrying one out, and at a save those that are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pairwright.lsp import convert
from pairwright.lsp.ai_comments import Comment, find, is_at, request
from pairwright.lsp.documents import Open
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Job, Route
from pairwright.lsp.handlers.subjects import Subject, selection
from pairwright.lsp.handlers.turns import put
from pairwright.lsp.instructions import Mode
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.text.document import Document

_NONE = "There is no comment that asks for something: begin or end one with AI! for an edit, AI? for an answer."


def _instructions(call: Call, args: Mapping[str, Any]) -> Job:
    """Every AI comment of the open documents, by document and line."""
    session = call.session
    documents = sorted(session.documents.all_open(), key=lambda opened: opened.at.uri)
    unit = session.client.encoding

    def run(token: CancelToken) -> dict[str, Any]:
        found = []
        for opened in documents:
            token.check()
            for comment in find(opened.document, opened.language):
                if comment.mark:
                    where = convert.range_of(opened.document, comment.start, comment.end, unit)
                    found.append(
                        {
                            "uri": opened.at.uri,
                            "range": session.converter.unstructure(where),
                            "mark": comment.mark,
                            "text": comment.text,
                        }
                    )
        return {"instructions": found}

    return Job(run)


async def _instruct(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Carry out the comments that ask in the document `uri`, or only those that `range` touches; remarks of the
    file (`AI:`) belong to them."""
    session, uri = call.session, args.get("uri")
    opened = session.documents.opened(uri) if isinstance(uri, str) else None
    if opened is None:
        raise InvalidParams("pairwright.instruct needs `uri`: a document that is open")
    found = await session.pool.run(lambda: find(opened.document, opened.language))
    asking = [comment for comment in found if comment.asks]
    if args.get("range") is not None:
        low, high = selection(session, opened.document, args.get("range"))
        lines = opened.document.lines
        first, last = lines.line_at(low), lines.line_at(high)
        asking = [c for c in asking if is_at(c, lines, first, last)]
    if not asking:
        raise Refused(_NONE)
    return await _carried_out(session, opened, asking, found, args)


async def _carried_out(
    session: Session,
    opened: Open,
    asking: Sequence[Comment],
    found: Sequence[Comment],
    args: Mapping[str, Any],
) -> dict[str, Any]:
    """Start the turn of `asking`, an edit if one of them wants one, with the remarks among `found`."""
    used = tuple(c for c in found if c in asking or (c.mark == ":" and c.text))
    mode: Mode = "edit" if any(c.mark == "!" for c in asking) else "ask"
    document, is_one = opened.document, len(asking) == 1
    at = min(asking[0].end, document.lines.size) if is_one else 0
    subject = Subject(opened.at.root, opened.at, document, at, at, used, placed=is_one)
    return await put(session, mode, request(opened.at.path, used), subject, args)


def saved(session: Session, uri: str) -> None:
    """A document was saved: where the settings say so, what it asks for that it did not before is carried out."""
    opened = session.documents.opened(uri)
    if opened is None:
        return
    fresh = session.marks.saved(opened.at.uri, opened.document.data)
    if fresh and session.settings.watch.auto:
        session.guard.spawn(_of_a_save(session, opened, fresh))


async def _of_a_save(session: Session, opened: Open, fresh: frozenset[bytes]) -> None:
    found = await session.pool.run(lambda: find(opened.document, opened.language))
    asking = [c for c in found if c.asks and not fresh.isdisjoint(_lines(opened.document, c))]
    # A question is answered by itself: in an edit its answer would not be seen.
    for mark in ("?", "!"):
        if some := [c for c in asking if c.mark == mark]:
            try:
                await _carried_out(session, opened, some, found, {})
            except (Refused, OSError) as error:
                session.show("warning", f"Pairwright: {error}")


def _lines(document: Document, comment: Comment) -> list[bytes]:
    """The lines `comment` stands in, without the blanks around them."""
    lines = document.lines
    last = lines.line_at(max(comment.start, comment.end - 1))
    rows = range(comment.line, last + 1)
    return [document.data[lines.start(n) : lines.end(n, document.data)].strip() for n in rows]


COMMANDS: dict[str, Route] = {
    "pairwright.instruct": Route("task", _instruct),
    "pairwright.instructions": Route("pool", _instructions),
}
