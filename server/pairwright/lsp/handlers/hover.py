"""What the map says about the name under the cursor: rank, signature, who refers to it, its price.

The numbers come from the static index ("static references": a name is a name, types are not
resolved). Works on the snapshot of the moment, in a thread; ranking and map are remembered per
revision.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from lsprotocol import types

from pairwright.graph.engine import LIMIT
from pairwright.graph.near import imported, nearest
from pairwright.lsp import convert
from pairwright.lsp.documents import Located
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.markup import code, content, escape, fenced
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.lsp.views import View
from pairwright.render.types import Shown
from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

_SHORT = 2
_LONG = 8
_SIGNATURE = 2000
_DOC = 600
_WIDTH = 120
_DOCSTRING = re.compile(
    r"""\s*:?\s*[rRuU]?(?P<quote>\"{3}|'{3}|"|')(?P<text>.*?)(?P=quote)""", re.S
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text. `start:end`: its bytes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Card:
    """What a hover shows. `rank`, `of`: place among the ranked definitions, 0 = not ranked.
    `others`: further files that define the name.
    `referrers`: (path, references), most first. `shown`: in the map, or None where there is no
    map."""

    name: str
    kind: str
    path: str
    line: int
    rank: int
    of: int
    signature: str
    doc: str
    language: str
    referrers: tuple[tuple[str, int], ...]
    tokens: int
    shown: bool | None
    others: int = 0


def hover(call: Call, params: types.HoverParams) -> Job | None:
    """The card of the name at the position, or null."""
    session = call.session
    mode = session.settings.map.hover
    item = session.documents.opened(params.text_document.uri)
    at = item.at if item else session.documents.locate(params.text_document.uri)
    if mode == "off" or at is None or (item is None and not at.indexed):
        return None
    snapshot, unit = at.host.snapshot(), session.client.encoding
    markdown, position = session.client.markdown, params.position
    views, budget = session.views, session.map_budget

    def run(token: CancelToken) -> types.Hover | None:
        document = item.document if item else snapshot.document(at.path)
        if document is None:
            return None
        offset = convert.offset(document, position, unit)
        name = name_at(snapshot.tags(at.path), offset)
        if name is None:
            return None
        token.check()
        card = card_of(snapshot, lambda: views.of(snapshot, budget), at, name)
        if card is None:
            return None
        rich, plain = full(card) if mode == "full" else compact(card)
        range_ = convert.range_of(document, name.start, name.end, unit)
        return types.Hover(content(markdown, rich, plain), range_)

    version = item.document.version if item else None
    return Job(run, lambda: _version(session, params.text_document.uri) == version)


def _version(session: Session, uri: str) -> int | None:
    item = session.documents.opened(uri)
    return item.document.version if item else None


def name_at(tags: Tags, offset: int) -> Name | None:
    """The definition's name or the reference that holds byte `offset` or ends there."""
    found: list[Name] = []
    for item in tags.defs:
        if item.start > offset:
            break
        name = _named(item.name, item.name_start)
        if name.start <= offset <= name.end:
            found.append(name)
    at = bisect_right(tags.ref_starts, offset) - 1
    # Two references may start at one byte; a longer one before may still reach here.
    for index in range(max(0, at - 3), at + 1):
        name = _named(tags.ref_names[index], tags.ref_starts[index])
        if name.start <= offset <= name.end:
            found.append(name)
    return max(found, key=lambda name: (name.start, name.text), default=None)


def _named(text: str, start: int) -> Name:
    return Name(text, start, start + len(text.encode("utf-8", "surrogatepass")))


def card_of(
    snapshot: Snapshot, view: Callable[[], View | None], at: Located, name: Name
) -> Card | None:
    """The card of `name` as used in `at`; None if no text defines it."""
    path, definition = _definition(snapshot, at, name)
    document = snapshot.document(path)
    if definition is None or document is None:
        return None
    line = document.lines.line_at(definition.name_start)
    signature = _signature(document, definition)
    seen = view() if at.indexed else None
    places = seen.places if seen else {}
    return Card(
        name=name.text,
        kind=definition.kind,
        path=path if at.indexed else "",
        line=line,
        rank=places.get((path, name.text), 0),
        of=len(places),
        signature=signature,
        doc=_doc(document, definition),
        language=snapshot.tags(path).language or "",
        referrers=_referrers(snapshot, at, name.text),
        tokens=estimate(signature),
        shown=Shown(path, name.text, line) in seen.shown if seen else None,
        others=sum(other != path for other in snapshot.definers(name.text)) if at.indexed else 0,
    )


def _definition(snapshot: Snapshot, at: Located, name: Name) -> tuple[str, Definition | None]:
    """The definition meant: under the cursor, else in this text, else in the file that is imported
    or lies nearest."""
    own = [item for item in snapshot.tags(at.path).defs if item.name == name.text]
    for item in own:
        if item.name_start == name.start:
            return at.path, item
    if own or not at.indexed:
        return at.path, own[0] if own else None
    definers = snapshot.definers(name.text)
    if len(definers) > 1 and (text := snapshot.document(at.path)) is not None:
        definers = nearest(definers, at.path, imported(text.data))
    for path in definers:
        for item in snapshot.tags(path).defs:
            if item.name == name.text:
                return path, item
    return at.path, None


def _referrers(snapshot: Snapshot, at: Located, name: str) -> tuple[tuple[str, int], ...]:
    if at.indexed:
        return snapshot.referrers(name)
    count = snapshot.tags(at.path).ref_names.count(name)
    return (("this buffer", count),) if count else ()


def _signature(document: Document, item: Definition) -> str:
    end = item.body if item.body > item.start else item.end
    data = document.data[item.start : min(end, item.start + _SIGNATURE)]
    # A cut may split a character; what is left of it is dropped.
    return data.decode("utf-8", "ignore").strip()


def _doc(document: Document, item: Definition) -> str:
    """The first string or comment block of the body, as plain words."""
    body = document.data[item.body : min(item.end, item.body + 4 * _DOC)]
    text = body.decode("utf-8", "ignore")
    match = _DOCSTRING.match(text)
    words = match["text"] if match else ""
    return words.strip()[:_DOC]


def compact(card: Card) -> tuple[str, str]:
    """One line, as Markdown and as plain text."""
    first = _first_line(card.signature)
    rich = " · ".join((code(first), *_facts(card, _SHORT, code)))
    return rich, " · ".join((first, *_facts(card, _SHORT, str)))


def full(card: Card) -> tuple[str, str]:
    """Signature, words of the author, and the facts, as Markdown and as plain text."""
    rich, plain = [fenced(card.signature, card.language)], [card.signature]
    if card.doc:
        rich.append(escape(card.doc))
        plain.append(card.doc)
    rich.append("\n".join(f"- {fact}" for fact in _facts(card, _LONG, code)))
    plain.append("\n".join(f"- {fact}" for fact in _facts(card, _LONG, str)))
    return "\n\n".join(rich), "\n\n".join(plain)


def _facts(card: Card, most: int, show: Callable[[str], str]) -> list[str]:
    """What is known of a name, in words; `show` makes a path safe."""
    facts = [show(f"{card.path}:{card.line + 1}") if card.path else f"line {card.line + 1}"]
    if card.others:
        facts.append(f"defined in {card.others} more file{'s' if card.others > 1 else ''}")
    if card.rank:
        facts.append(f"rank {card.rank:,} of {card.of:,}{'+' if card.of >= LIMIT else ''}")
    facts.append(_referred(card.referrers, most, show))
    facts.append(f"about {card.tokens} tokens")
    if card.shown is not None:
        facts.append("in the map" if card.shown else "not in the map")
    return facts


def _referred(referrers: tuple[tuple[str, int], ...], most: int, show: Callable[[str], str]) -> str:
    if not referrers:
        return "no static references"
    total = sum(count for _, count in referrers)
    named = ", ".join(f"{show(path)} ({count})" for path, count in referrers[:most])
    more = f" and {len(referrers) - most} more files" if len(referrers) > most else ""
    noun = "static reference" if total == 1 else "static references"
    return f"{total} {noun}: {named}{more}"


def _first_line(signature: str) -> str:
    """The line of a signature that names it: decorators and attributes stand above it."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", signature) if line.strip()]
    named = [line for line in lines if not line.startswith(("@", "#[", "["))]
    line = (named or lines or ["?"])[0]
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
