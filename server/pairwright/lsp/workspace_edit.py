"""File changes as WorkspaceEdits in the form one client can take.

Pure. Only changed lines are sent; versions where the client checks them and the document is open; never version
0 (Neovim does not check it); always `ignoreIfExists` (Neovim truncates an existing file without it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pairwright.edits.types import FileChange
from pairwright.lsp.client import Client
from pairwright.text.columns import Unit, to_column
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Place:
    """Where a change goes. `uri`: the client's spelling if the document is open. `version`: the client's
    number for an open document, None for a closed one. `to`: the URI a rename leads to."""

    uri: str
    version: int | None
    to: str = ""


def text_edits(change: FileChange, unit: Unit) -> list[dict[str, Any]]:
    """The changed lines of `change` as TextEdits against its `before`, ascending."""
    before = Document.of(change.path, change.before or b"")
    if not change.hunks and change.after:
        return [_edit(before, 0, before.lines.size, change.after, unit)]
    return [_edit(before, hunk.start, hunk.end, hunk.new, unit) for hunk in change.hunks]


def _edit(document: Document, start: int, end: int, new: bytes, unit: Unit) -> dict[str, Any]:
    return {
        "range": {
            "start": _position(document, start, unit),
            "end": _position(document, end, unit),
        },
        "newText": new.decode("utf-8", "surrogatepass"),
    }


def _position(document: Document, offset: int, unit: Unit) -> dict[str, int]:
    line, column = to_column(document, offset, unit)
    return {"line": line, "character": column}


def groups(client: Client, changes: Sequence[FileChange]) -> list[list[FileChange]]:
    """The changes one applyEdit each: all in one where the client takes several documents or none."""
    atomic = client.failure_handling in ("transactional", "textOnlyTransactional", "undo")
    if atomic and client.document_changes and not client.one_document_edits:
        return [list(changes)] if changes else []
    return [[change] for change in changes]


def steps(change: FileChange) -> tuple[FileChange, ...]:
    """`change` as changes that do one thing each."""
    old, before, after = change.moved_from, change.before, change.after
    if old is None or before == after:
        return (change,)
    text = replace(change, path=old, moved_from=None)
    return text, replace(change, before=after, hunks=())


def workspace_edit(
    client: Client, changes: Sequence[FileChange], places: Mapping[str, Place], label: str = ""
) -> dict[str, Any]:
    """One WorkspaceEdit of `changes`; files are created and deleted first, as failure handling needs it, and
    renamed last, so that their text is checked by the version it has. `places`: by the path a change comes
    from. `label`: what a client that shows annotated edits calls these; of them it asks about guesses only."""
    if not client.document_changes:
        return {
            "changes": {
                places[c.path].uri: text_edits(c, client.encoding)
                for c in changes
                if c.after is not None
            }
        }
    operations: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    renames: list[dict[str, Any]] = []
    for change in changes:
        place = places[source(change)]
        if change.after is None:
            operations.append(
                {"kind": "delete", "uri": place.uri, "options": {"ignoreIfNotExists": True}}
            )
            continue
        if change.before is None:
            operations.append(
                {"kind": "create", "uri": place.uri, "options": {"ignoreIfExists": True}}
            )
            if not change.after:
                continue
        if change.moved_from is not None:
            renames.append(_rename(place))
            if not change.hunks:
                continue
        ident = {"uri": place.uri, "version": place.version or None}
        edits = text_edits(change, client.encoding)
        if client.one_document_edits and not change.before:
            # Neovim's empty buffer has one line end; only an edit over it leaves no blank line behind.
            edits[0]["range"]["end"] = {"line": 1, "character": 0}
        texts.append({"textDocument": ident, "edits": edits})
        if client.annotations and label:
            _annotate(texts[-1]["edits"], change)
    edit: dict[str, Any] = {"documentChanges": [*operations, *texts, *renames]}
    if client.annotations and label:
        for operation in (*operations, *renames):
            operation["annotationId"] = _EDIT
        edit["changeAnnotations"] = _annotations(label, edit["documentChanges"])
    return edit


_EDIT = "pairwright.edit"
_GUESS = "pairwright.guess"


def _annotate(edits: list[dict[str, Any]], change: FileChange) -> None:
    guesses = [hunk.approximate for hunk in change.hunks] or [False] * len(edits)
    for edit, is_guess in zip(edits, guesses, strict=True):
        edit["annotationId"] = _GUESS if is_guess else _EDIT


def _annotations(label: str, entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The annotations that `entries` use."""
    used = {entry.get("annotationId") for entry in entries}
    used |= {edit.get("annotationId") for entry in entries for edit in entry.get("edits", ())}
    found: dict[str, Any] = {}
    if _EDIT in used:
        found[_EDIT] = {"label": label, "needsConfirmation": False}
    if _GUESS in used:
        found[_GUESS] = {
            "label": label,
            "needsConfirmation": True,
            "description": "A guess: the lines differ from those the model quoted.",
        }
    return found


def needs_confirmation(edit: Mapping[str, Any]) -> bool:
    """Whether the client asks the user before it applies `edit`."""
    annotations = edit.get("changeAnnotations", {}).values()
    return any(annotation["needsConfirmation"] for annotation in annotations)


def _rename(place: Place) -> dict[str, Any]:
    options = {"overwrite": False, "ignoreIfExists": False}
    return {"kind": "rename", "oldUri": place.uri, "newUri": place.to, "options": options}


def source(change: FileChange) -> str:
    """The path the text of `change` has before it."""
    return change.moved_from or change.path


def needs_direct_write(client: Client, change: FileChange) -> bool:
    """Whether the client cannot create, rename or delete this file itself."""
    if change.moved_from is not None:
        return "rename" not in client.resources
    if change.before is None:
        # Neovim makes no file where `ignoreIfExists` is given, and truncates one where it is not.
        return client.one_document_edits or "create" not in client.resources
    return change.after is None and "delete" not in client.resources
