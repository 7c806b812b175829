"""`pairwright.blast`: what static references lead to a definition, a range or a proposal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import cattrs
from lsprotocol import types

from pairwright.engine.impact import (
    UNSEEN,
    Changed,
    Impact,
    impact,
    notes,
    of_names,
    of_proposal,
    of_spans,
    told,
)
from pairwright.engine.proposals import Proposal
from pairwright.lsp import convert
from pairwright.lsp.documents import Root
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Job, Route
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.places import Places
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.lsp.workbench import workbench
from pairwright.workspace.types import Snapshot

_DEEPEST = 5
_USAGE = (
    "pairwright.blast needs `names`, or `uri` with an LSP `range`, or `proposal`: what would change"
)

Changes = Callable[[Snapshot], Iterable[Changed]]


def _blast(call: Call, args: Mapping[str, Any]) -> Job:
    session = call.session
    root, changes = _asked(session, args)
    snapshot, depth = root.host.snapshot(), _depth(args.get("depth"))
    places = Places.of(session.documents, session.client.encoding)

    def run(token: CancelToken) -> dict[str, Any]:
        found = impact(snapshot, changes(snapshot), depth=depth, check=token.check)
        return as_json(snapshot, root, places, found)

    return Job(run)


def _asked(session: Session, args: Mapping[str, Any]) -> tuple[Root, Changes]:
    """The folder meant, and how to find what changes in it. Raises InvalidParams, Refused."""
    names, uri, ident = args.get("names"), args.get("uri"), args.get("proposal")
    if isinstance(ident, str):
        root, proposal = _proposal(session, args, ident)
        return root, lambda snapshot: of_proposal(snapshot, proposal)
    if isinstance(names, list):
        words = [name for name in names if isinstance(name, str)]
        return chosen_root(session, args.get("root")), lambda snapshot: of_names(snapshot, words)
    if isinstance(uri, str):
        return _range(session, uri, args.get("range"))
    raise InvalidParams(_USAGE)


def _proposal(session: Session, args: Mapping[str, Any], ident: str) -> tuple[Root, Proposal]:
    named = args.get("root")
    roots = (chosen_root(session, named),) if named else session.documents.roots
    for root in roots:
        found = workbench(session, root).proposals.get(ident)
        if found is not None:
            return root, found
    raise Refused(
        f"There is no proposal {ident} any more: pairwright.proposals lists what there is."
    )


def _range(session: Session, uri: str, raw: object) -> tuple[Root, Changes]:
    at = session.documents.locate(uri)
    if at is None or not at.indexed:
        raise Refused(f"{uri} is no file of this workspace.")
    opened = session.documents.opened(uri)
    document = opened.document if opened else at.host.snapshot().document(at.path)
    if document is None:
        raise Refused(f"{uri} has no text that can be read.")
    span = (0, document.lines.size)
    if raw is not None:
        try:
            where = session.converter.structure(raw, types.Range)
        except (cattrs.BaseValidationError, TypeError) as error:
            raise InvalidParams(f"`range` is no LSP range: {error}") from error
        span = convert.span(document, where, session.client.encoding)
        # A bare cursor means the character under it, so that it touches what it stands in.
        span = span if span[0] < span[1] else (span[0], min(span[0] + 1, document.lines.size))
    return at.root, lambda snapshot: of_spans(snapshot, at.path, [span])


def _depth(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return max(1, min(value, _DEEPEST))
    return 2


def as_json(snapshot: Snapshot, root: Root, places: Places, found: Impact) -> dict[str, Any]:
    """`found` for the wire: definitions that change, and by file what leads to them."""
    files: dict[str, list[dict[str, Any]]] = {}
    for item in found.blast.reached:
        definition = item.definition
        name = definition.name if definition else ""
        files.setdefault(item.path, []).append(
            {
                "name": name,
                "kind": definition.kind if definition else "file",
                "range": _range_of(snapshot, places, item.path, item.at, name),
                "depth": item.depth,
                "references": item.references,
                "via": list(item.via),
            }
        )
    return {
        "changed": [_changed(snapshot, places, item) for item in found.changed],
        "files": [
            {"path": path, "uri": places.uri(root, path), "referrers": referrers}
            for path, referrers in files.items()
        ],
        "notes": [*notes(found.blast), UNSEEN],
        "text": told(snapshot, found),
    }


def _changed(snapshot: Snapshot, places: Places, item: Changed) -> dict[str, Any]:
    definition, at = item.definition, item.now.name_start
    return {
        "path": item.path,
        "name": definition.name,
        "kind": definition.kind,
        "range": _range_of(snapshot, places, item.path, at, definition.name),
        "hunks": list(item.hunks),
        "gone": item.gone,
    }


def _range_of(
    snapshot: Snapshot, places: Places, path: str, at: int, name: str
) -> types.Range | None:
    document = snapshot.document(path)
    return places.name(document, at, name) if document else None


COMMANDS: dict[str, Route] = {"pairwright.blast": Route("pool", _blast)}
