"""Which names in a model's prose about a file the file bears out.

A sentence that names something the file does not define, take, import or refer to is dropped, and where less than
FLOOR of all names are confirmed the prose is worth nothing and goes as a whole. Words that are no names claim
nothing. Knows no text of the file: the caller says which names are known. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

FLOOR = 0.8
"""The share of claimed names that has to be confirmed."""

_LETTERS = r"[^\W\d]\w*"
_NAME = re.compile(rf"{_LETTERS}(?:(?:\.|::|->|#|/|-(?=\w+\.)){_LETTERS})*(?:\(\))?")
_SPAN = re.compile(r"``([^\n]+?)``|`([^`\n]+)`")
_WORD = re.compile(r"\w+")
_PARTS = re.compile(r"\.|::|->|#|/")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[^a-z])|\s*;\s+|\n+")
# `roundUp`, `HttpServer`; not `JSON`, `Ids` or `don't`.
_HUMPS = re.compile(r"[a-z]+\d*[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}[a-z]{2,}[A-Z]\w*")
_NO_NAMES = """
AppKit DataFrame DevOps FastAPI FreeBSD GitHub GitLab GraphQL JavaScript LaTeX MacOS MariaDB MongoDB MySQL NumPy OAuth
OpenAI OpenAPI OpenGL OpenSSL OpenTelemetry PostgreSQL PowerShell PyPI PyTorch RabbitMQ SQLAlchemy SQLite TensorFlow
TypeScript UIKit WebAssembly WebSocket WordPress YouTube eBay iOS iPadOS iPhone macOS mTLS
ASP.NET D3.js Express.js Next.js Node.js Three.js Vue.js
True False None true false null nil undefined NULL self this super cls args kwargs int str float bool bytes dict list
set tuple string number boolean object void any char double long byte array map async await return raise yield throw
import export const let var def class function
"""
# Names of products, and words of the languages themselves.
_PLAIN = frozenset(_NO_NAMES.split())


@dataclass(frozen=True, slots=True)
class Verified:
    """What is left of prose. `claimed`, `confirmed`: how many different names. `dropped`: the names that were not
    confirmed, in order."""

    purpose: str
    notes: tuple[str, ...]
    claimed: int
    confirmed: int
    dropped: tuple[str, ...]


def verified(purpose: str, notes: Sequence[str], known: Collection[str]) -> Verified:
    """`purpose` and `notes` without the sentences that name what is not among `known`: bare names, and paths with
    `/`."""
    claimed = dict.fromkeys(name for text in (purpose, *notes) for name in names(text))
    dropped = tuple(name for name in claimed if not _confirmed(name, known))
    count, confirmed = len(claimed), len(claimed) - len(dropped)
    if count and confirmed < FLOOR * count:
        return Verified("", (), count, confirmed, dropped)
    kept = (_borne_out(note, known) for note in notes)
    left = tuple(note for note in kept if note)
    return Verified(_borne_out(purpose, known), left, count, confirmed, dropped)


def names(prose: str) -> tuple[str, ...]:
    """What `prose` claims exists, as written, each once: names in backticks, calls, dotted and snake_case names,
    names with humps."""
    found: dict[str, None] = {}
    for start, text, is_marked in _candidates(prose):
        bare = text.removesuffix("()")
        if _is_name(prose, start, text, bare, is_marked):
            found[bare] = None
    return tuple(found)


def _candidates(prose: str) -> Iterator[tuple[int, str, bool]]:
    spans = list(_SPAN.finditer(prose))
    rest = list(prose)
    for span in spans:
        rest[span.start() : span.end()] = " " * (span.end() - span.start())
        inner = span[1] or span[2]
        # A piece of code claims every name in it; its arguments and literals do too.
        offset = span.start(1) if span[1] else span.start(2)
        yield from (
            (offset + one.start(), one[0], True) for one in _NAME.finditer(_unquoted(inner))
        )
    yield from ((one.start(), one[0], False) for one in _NAME.finditer("".join(rest)))


def _unquoted(code: str) -> str:
    """`code` with blanks in the place of its strings: they name nothing."""
    return re.sub(r"\"[^\"]*\"|'[^']*'", lambda found: " " * len(found[0]), code)


def _is_name(prose: str, start: int, text: str, bare: str, is_marked: bool) -> bool:
    if bare in _PLAIN:
        return False
    if is_marked or text != bare:
        return True
    if "_" in bare.strip("_") or "::" in bare or "->" in bare or "#" in bare:
        return True
    parts = [part for part in _PARTS.split(bare) if part]
    if len(parts) > 1:
        # "and/or", "e.g." and "client/server" are words; "shop/cart.py" and "Cart.total" are names.
        is_short = all(len(part) <= 1 for part in parts)
        return not is_short and ("." in bare or any(map(_humped, parts)))
    return _humped(bare) or prose[start + len(text) : start + len(text) + 1] == "("


def _humped(word: str) -> bool:
    return word not in _PLAIN and _HUMPS.fullmatch(word) is not None


def _confirmed(name: str, known: Collection[str]) -> bool:
    """`Cart.total` is confirmed by both of its names, a path as a whole or by its last part."""
    if name in known:
        return True
    if "/" in name:
        return name.rpartition("/")[2] in known
    parts = [part for part in _PARTS.split(name) if part and part not in _PLAIN]
    return all(part in known for part in parts)


def _borne_out(prose: str, known: Collection[str]) -> str:
    kept = [
        sentence.strip()
        for sentence in _sentences(prose)
        if all(_confirmed(name, known) for name in names(sentence))
    ]
    return " ".join(sentence for sentence in kept if sentence)


def _sentences(prose: str) -> Iterator[str]:
    """`prose` in sentences; one that ends inside of a span of code goes on."""
    held, last = "", 0
    for after in (*(found.end() for found in _SENTENCE.finditer(prose)), len(prose)):
        held += prose[last:after]
        last = after
        if held.count("`") % 2 == 0:
            yield held
            held = ""
    if held:
        yield held
