"""What a request to a model is about: a place in a document with the comments that ask there, and the files beside
it; also as a request document remembers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import cattrs
from lsprotocol import types

from pairwright.lsp import convert
from pairwright.lsp.ai_comments import Comment, find, near
from pairwright.lsp.client import Folder
from pairwright.lsp.documents import Located, Root
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.given import diagnostics_of, names_of, urls_of
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.handlers.status import start_scan
from pairwright.lsp.instructions import About, Mode
from pairwright.lsp.session import Session
from pairwright.lsp.uris import from_path
from pairwright.lsp.workbench import Asked, workbench
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Subject:
    """What a request is about. `at`: None for the whole workspace. `start:end`: the selection in bytes, equal
    for a cursor; `placed` says that there is one. `comments`: the AI comments that ask, which an edit takes out."""

    root: Root
    at: Located | None
    document: Document | None
    start: int
    end: int
    comments: tuple[Comment, ...] = ()
    placed: bool = False


def understood(session: Session, mode: Mode, args: Mapping[str, Any]) -> tuple[Root, Asked]:
    """The request that `args` would make, and the folder it is for. Raises Refused, InvalidParams."""
    subject = subject_of(session, args)
    words = str(args.get("text") or "")
    return subject.root, asked_for(session, mode, words, subject, args)


def asked_for(
    session: Session, mode: Mode, words: str, subject: Subject, args: Mapping[str, Any]
) -> Asked:
    """The request of `words` about `subject`, with the files and choices of `args`."""
    chat = [subject.at.path] if subject.at and subject.at.indexed else []
    chat += names_of(session, subject.root, args.get("chat"))
    return Asked(
        mode,
        words,
        subject.root.path,
        subject.at.path if subject.at else None,
        (subject.start, subject.end) if subject.placed else None,
        tuple(dict.fromkeys(chat)),
        names_of(session, subject.root, args.get("read")),
        str(args.get("session") or ""),
        subject.comments,
        fresh=args.get("freshMap") is True,
        diagnostics=diagnostics_of(args.get("diagnostics")),
        urls=urls_of(args.get("urls")),
        # Tests go into a file of their own.
        elsewhere=args.get("preset") == "tests",
    )


def subject_of(session: Session, args: Mapping[str, Any]) -> Subject:
    """The place that `uri` and `range` of `args` mean, the folder without. Raises Refused, InvalidParams."""
    uri = args.get("uri")
    if not isinstance(uri, str) or not uri:
        return Subject(chosen_root(session, args.get("root")), None, None, 0, 0)
    at = session.documents.locate(uri)
    document = _text(session, at) if at else None
    if at is None or document is None:
        raise Refused(f"{uri} is no file of this workspace that can be read.")
    start, end = selection(session, document, args.get("range"))
    return Subject(at.root, at, document, start, end, placed=args.get("range") is not None)


async def commented(session: Session, subject: Subject) -> Subject:
    """`subject` with the AI comments in its selection or right above; it begins below them."""
    document = subject.document
    if document is None or subject.at is None or not subject.placed:
        return subject
    opened = session.documents.opened(subject.at.uri)
    language = opened.language if opened else ""
    found = await session.pool.run(lambda: find(document, language))
    comments = near(found, document, subject.start, subject.end)
    if not comments:
        return subject
    start, behind = subject.start, comments[-1].end
    if comments[0].start <= start < behind:
        start = min(behind, subject.end)
    return replace(subject, start=start, comments=comments)


def selection(session: Session, document: Document, raw: object) -> tuple[int, int]:
    """The bytes of `document` that an LSP range means; nothing is its beginning. Raises InvalidParams."""
    if raw is None:
        return 0, 0
    try:
        where = session.converter.structure(raw, types.Range)
    except cattrs.BaseValidationError as error:
        raise InvalidParams(f"`range` is no LSP range: {error}") from error
    return convert.span(document, where, session.client.encoding)


def _text(session: Session, at: Located) -> Document | None:
    opened = session.documents.opened(at.uri)
    return opened.document if opened else at.host.snapshot().document(at.path)


def remembered(session: Session, about: About) -> Subject:
    """The subject of a request document, found again in today's text. Raises Refused if it moved."""
    root = session.documents.root_at(about.root)
    if root is None:
        # Some clients start one more server for a document without a root: it serves the folder too.
        added = session.documents.add((Folder(from_path(about.root), ""),))
        root = added[0] if added else session.documents.main()
        start_scan(session)
    at = session.documents.locate(about.uri) if about.uri else None
    if at is None:
        return Subject(root, None, None, 0, 0)
    document = _text(session, at)
    if document is None:
        raise Refused(f"{about.path} is gone: ask again from a file that exists.")
    if document.digest == about.digest or about.start == about.end:
        return Subject(at.root, at, document, about.start, about.end, placed=True)
    raise Refused(
        f"{about.path} changed since this request was begun: select the code again and choose "
        "Pairwright: Ask or Edit."
    )


def talk(session: Session, subject: Subject, named: str) -> str:
    """The conversation a request document belongs to, also after a restart."""
    return workbench(session, subject.root).chats.key(named)


def about_of(mode: Mode, subject: Subject, chat: str) -> About:
    """The subject as a request document keeps it; `chat`: the conversation."""
    if subject.at is None or subject.document is None:
        return About(mode, subject.root.path, session=chat)
    return About(
        mode,
        subject.root.path,
        subject.at.uri,
        subject.at.path,
        subject.start,
        subject.end,
        subject.document.digest,
        chat,
    )


def excerpt(subject: Subject) -> str:
    """The selected text; empty without a document."""
    if subject.document is None:
        return ""
    return convert.decode(subject.document.data[subject.start : subject.end])
