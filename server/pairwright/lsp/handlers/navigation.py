"""textDocument/definition and textDocument/references by name, off unless their settings are on.

A name is a name: types and imports are not resolved, so every definition of it is given, the
likeliest first, and every place that refers to it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from lsprotocol import types

from pairwright.graph.near import imported, nearest
from pairwright.lsp import convert
from pairwright.lsp.documents import Located
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.handlers.hover import Name, name_at
from pairwright.lsp.handlers.symbols import unchanged
from pairwright.lsp.places import Places
from pairwright.lsp.schedule import CancelToken
from pairwright.tags.types import Definition
from pairwright.text.document import Document
from pairwright.workspace.types import Snapshot

MOST_DEFINITIONS = 200
MOST_REFERENCES = 2_000
"""Locations in an answer; of a name used everywhere the nearest files come first."""

Work = Callable[[Snapshot, Document, Name, CancelToken], Any]


def definition(call: Call, params: types.DefinitionParams) -> Job | None:
    """All definitions of the name at the position: this file's, imported files', then others'."""
    session = call.session
    if not session.settings.symbols.definition:
        return None
    at = session.documents.locate(params.text_document.uri)
    places = Places.of(session.documents, session.client.encoding)
    links = session.client.definition_links

    def work(snapshot: Snapshot, text: Document, name: Name, token: CancelToken) -> Any:
        assert at is not None
        found = islice(definitions(snapshot, at, text, name, token.check), MOST_DEFINITIONS)
        if not links:
            return [_location(places, at, path, doc, item) for path, doc, item in found]
        origin = convert.range_of(text, name.start, name.end, places.unit)
        return [_link(places, at, path, doc, item, origin) for path, doc, item in found]

    return _job(call, at, params.position, work)


def references(call: Call, params: types.ReferenceParams) -> Job | None:
    """All places that refer to the name at the position, this file's first."""
    session = call.session
    if not session.settings.symbols.references:
        return None
    at = session.documents.locate(params.text_document.uri)
    places = Places.of(session.documents, session.client.encoding)
    declared = params.context.include_declaration

    def work(snapshot: Snapshot, text: Document, name: Name, token: CancelToken) -> Any:
        assert at is not None
        found: list[types.Location] = []
        if declared:
            items = islice(definitions(snapshot, at, text, name, token.check), MOST_DEFINITIONS)
            found += [_location(places, at, path, doc, item) for path, doc, item in items]
        taken = {(item.uri, item.range.start.line, item.range.start.character) for item in found}
        for path, doc, start in uses(snapshot, at, text, name.text, token.check):
            where = places.name(doc, start, name.text)
            uri = places.uri(at.root, path)
            if (uri, where.start.line, where.start.character) not in taken:
                found.append(types.Location(uri, where))
            if len(found) >= MOST_REFERENCES:
                break
        return found

    return _job(call, at, params.position, work)


def definitions(
    snapshot: Snapshot, at: Located, text: Document, name: Name, check: Callable[[], None]
) -> Iterator[tuple[str, Document, Definition]]:
    """Definitions of `name` as used in `at`: path, text and place, the likeliest first. The one
    under the cursor comes before all others."""
    paths = snapshot.definers(name.text) if at.indexed else (at.path,)
    for path in nearest({*paths, at.path}, at.path, imported(text.data)):
        check()
        document = text if path == at.path else snapshot.document(path)
        found = [item for item in snapshot.tags(path).defs if item.name == name.text]
        if path == at.path:
            found.sort(key=lambda item: (item.name_start != name.start, item.start))
        if document is not None:
            yield from ((path, document, item) for item in found)


def uses(
    snapshot: Snapshot, at: Located, text: Document, name: str, check: Callable[[], None]
) -> Iterator[tuple[str, Document, int]]:
    """Places that refer to `name`: path, text and byte, file by file, the nearest files first."""
    paths = (path for path, _ in snapshot.referrers(name)) if at.indexed else ()
    for path in nearest({*paths, at.path}, at.path, imported(text.data)):
        check()
        document = text if path == at.path else snapshot.document(path)
        if document is None:
            continue
        tags = snapshot.tags(path)
        for found, start in zip(tags.ref_names, tags.ref_starts, strict=True):
            if found == name:
                yield path, document, start


def _job(call: Call, at: Located | None, position: types.Position, work: Work) -> Job | None:
    """`work` on the name at `position`; null where there is none."""
    if at is None:
        return None
    session = call.session
    item = session.documents.opened(at.uri)
    snapshot, unit = at.host.snapshot(), session.client.encoding

    def run(token: CancelToken) -> Any:
        document = item.document if item else snapshot.document(at.path)
        if document is None:
            return None
        name = name_at(snapshot.tags(at.path), convert.offset(document, position, unit))
        return work(snapshot, document, name, token) if name else None

    return Job(run, unchanged(session, at.uri))


def _location(
    places: Places, at: Located, path: str, document: Document, item: Definition
) -> types.Location:
    return types.Location(
        places.uri(at.root, path), places.name(document, item.name_start, item.name)
    )


def _link(
    places: Places,
    at: Located,
    path: str,
    document: Document,
    item: Definition,
    origin: types.Range,
) -> types.LocationLink:
    name = places.name(document, item.name_start, item.name)
    end = max(item.end, item.name_start + len(convert.encode(item.name)))
    return types.LocationLink(
        target_uri=places.uri(at.root, path),
        target_range=convert.range_of(document, item.start, end, places.unit),
        target_selection_range=name,
        origin_selection_range=origin,
    )
