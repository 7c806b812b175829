"""What a client gives with a request, as the engine knows it: names of files, diagnostics, addresses of web pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairwright.engine.diagnostics import Diagnostic
from pairwright.lsp.documents import Root
from pairwright.lsp.session import Session
from pairwright.lsp.uris import place

_SEVERITY = {1: "error", 2: "warning", 3: "information", 4: "hint"}


def names_of(session: Session, root: Root, names: object) -> tuple[str, ...]:
    """Paths, globs and folders as they are; URIs as paths, absolute where they lie outside `root`."""
    found: dict[str, None] = {}
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and name.strip():
            found[_path(session, root, name.strip())] = None
    return tuple(found)


def diagnostics_of(raw: object) -> tuple[Diagnostic, ...]:
    """LSP diagnostics; what is none of that form is left out."""
    found = []
    for one in raw if isinstance(raw, list) else ():
        if not isinstance(one, Mapping):
            continue
        message = one.get("message")
        if isinstance(message, Mapping):
            message = message.get("value")
        line = _line(one.get("range"))
        if isinstance(message, str) and message.strip() and line is not None:
            severity = one.get("severity")
            word = _SEVERITY.get(severity, "error") if isinstance(severity, int) else "error"
            found.append(
                Diagnostic(line, message, word, _word(one.get("source")), _word(one.get("code")))
            )
    return tuple(found)


def urls_of(raw: object) -> tuple[str, ...]:
    """Addresses of web pages, each once."""
    urls = raw if isinstance(raw, list) else ()
    return tuple(dict.fromkeys(url.strip() for url in urls if isinstance(url, str) and url.strip()))


def _path(session: Session, root: Root, name: str) -> str:
    if "://" not in name:
        return name
    at = session.documents.locate(name)
    if at is not None and at.root is root and at.indexed:
        return at.path
    where = place(name)
    return where.path if where is not None and where.path.startswith("/") else name


def _line(raw: Any) -> int | None:
    start = raw.get("start") if isinstance(raw, Mapping) else None
    line = start.get("line") if isinstance(start, Mapping) else None
    return line if isinstance(line, int) and line >= 0 else None


def _word(raw: object) -> str:
    return str(raw) if isinstance(raw, str | int) else ""
