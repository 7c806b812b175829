"""How a file that is to be written relates to the files of a reference: of which kind, how surely, and by what.

A score is the sum of stated parts. What of it follows from the target and one text alone is kept by content, so a
changed plan entry, a changed file or another scorer is judged anew and nothing else is. Knows no model and no prompt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import log
from pathlib import PurePosixPath
from typing import Literal, get_args

import msgpack

from pairwright.reference.build import Built
from pairwright.reference.content import FUNCTIONS, UNITS
from pairwright.reference.index import FLOOR, Hit
from pairwright.reference.library import Root
from pairwright.reference.stems import RECIPE as STEMS
from pairwright.reference.stems import keys
from pairwright.tags.imports import VERSION, imports_of
from pairwright.tags.types import Tags
from pairwright.workspace.cache import Cache, key_of

Kind = Literal["direct_match", "partial_match", "reference", "utility"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""`direct_match`: it defines most of what the target promises, in a like place. `partial_match`: a part of that.
`utility`: little of it, but much used, or a helper by its name. `reference`: what else is like it."""

WORDS, NAMES, PLACE, USES, IMPORTS = 0.45, 0.3, 0.1, 0.1, 0.05
"""What each part counts: words of the request, promised names, path, how much it is used, what it imports. Without
promised names the words count for them."""

MOST = 5
"""Files that a target is related to."""

SCORER = f"relations1-{STEMS}-{VERSION}"
"""Changes whenever the same target and text would be judged otherwise."""

_HITS = 25
_FULL_WORDS = 0.35
_MANY_USES = 30
_DIRECT, _PARTIAL = 0.6, 0.25
_ALIKE = 0.5
_HELPER = re.compile(r"util|helper|common|tool|support|misc|shared", re.I)
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Target:
    """A file of a plan. `symbols`: the names that the lines of its `contract` promise, in order, each with whether it
    is a type's."""

    path: str
    purpose: str
    contract: tuple[str, ...] = ()
    symbols: tuple[tuple[str, bool], ...] = ()

    @property
    def digest(self) -> str:
        """What tells this target from another; its symbols follow from its contract."""
        rows = "\0".join((self.path, self.purpose, *self.contract))
        return sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def request(self) -> str:
        """Its words, for a search."""
        return "\n".join((self.purpose, *self.contract, PurePosixPath(self.path).stem))


@dataclass(frozen=True, slots=True)
class Matched:
    """What of a target one text has, whatever lies around it. `names`: pairs of a promised name and the definition
    like it. `imports`: modules it imports that the target speaks of."""

    names: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """`path` of `reference` and a target. `confidence`: 0 to 1, the sum of `parts`. `aspects`: what it can help with;
    `suggestion`: how. `hits`: its definitions that are like the target, best first. `source`: who judged."""

    reference: str
    path: str
    digest: str
    kind: Kind
    confidence: float
    parts: tuple[tuple[str, float], ...]
    aspects: tuple[str, ...]
    suggestion: str
    hits: tuple[Hit, ...]
    source: str = "static"


def relations(
    target: Target,
    built: Sequence[tuple[Root, Built]],
    cache: Cache,
    *,
    most: int = MOST,
    floor: float = FLOOR,
) -> tuple[Relation, ...]:
    """The files of all references that are most like `target`, best first; none where nothing reaches `floor`. Reads
    texts."""
    found: list[Relation] = []
    for root, one in built:
        hits: dict[str, list[Hit]] = {}
        for hit in one.index.search(target.request, _HITS, floor):
            hits.setdefault(hit.path, []).append(hit)
        for path in list(hits)[: 2 * most]:
            matched = _matched(target, one, path, cache)
            if matched is not None:
                found.append(_relation(target, root, one, path, hits[path], matched))
    found.sort(key=lambda one: (-one.confidence, one.reference, one.path))
    return tuple(found[:most])


def _relation(
    target: Target, root: Root, one: Built, path: str, hits: Sequence[Hit], matched: Matched
) -> Relation:
    share = len(matched.names) / len(target.symbols) if target.symbols else 0.0
    place = _likeness(_stem(target.path), _stem(path))
    uses = max((hit.uses for hit in hits), default=0)
    words = WORDS + (0.0 if target.symbols else NAMES)
    parts = (
        ("words", words * min(1.0, hits[0].share / _FULL_WORDS)),
        ("names", NAMES * share),
        ("path", PLACE * place),
        ("uses", USES * min(1.0, log(1 + uses) / log(1 + _MANY_USES))),
        ("imports", IMPORTS * (1 - 0.5 ** len(matched.imports))),
    )
    kind = _kind(share, place, uses, path)
    return Relation(
        root.name,
        path,
        one.texts[path].digest,
        kind,
        round(sum(value for _, value in parts), 4),
        tuple((name, round(value, 4)) for name, value in parts),
        _aspects(matched, hits),
        _suggestion(target, kind, matched, hits),
        tuple(hits),
    )


def _kind(share: float, place: float, uses: int, path: str) -> Kind:
    if share >= _DIRECT and place > 0:
        return "direct_match"
    if share >= _PARTIAL:
        return "partial_match"
    if uses >= _MANY_USES or _HELPER.search(PurePosixPath(path).stem):
        return "utility"
    return "reference"


def _aspects(matched: Matched, hits: Sequence[Hit]) -> tuple[str, ...]:
    named = (
        promised if promised == like else f"{promised} (there {like})"
        for promised, like in matched.names
    )
    like = {like for _, like in matched.names}
    others = (f"{hit.kind} {hit.name}" for hit in hits if hit.name not in like)
    return tuple(dict.fromkeys((*named, *others, *(f"uses {name}" for name in matched.imports))))[
        :6
    ]


def _suggestion(target: Target, kind: Kind, matched: Matched, hits: Sequence[Hit]) -> str:
    name = PurePosixPath(target.path).name
    best = hits[0].name
    if matched.names:
        promised, like = matched.names[0]
        return f"Take {like} as an example for {promised} of {name}."
    if kind == "utility":
        return f"See how {best} is made before {name} gets a helper like it."
    return f"See {best} for how something like {name} is done."


# --- what one text has


def _matched(target: Target, one: Built, path: str, cache: Cache) -> Matched | None:
    """From the store, else from the text; None if the file is another by now."""
    text = one.texts.get(path)
    if text is None:
        return None
    key = key_of(text.digest, SCORER, f"relation {text.language} {target.digest}")
    blob = cache.get(key)
    found = _unpacked(blob) if blob is not None else None
    if found is None:
        tagged = one.tagged(path)
        if tagged is None:
            return None
        document, tags = tagged
        found = matched_in(target, document.data, tags)
        cache.put_many({key: msgpack.packb((found.names, found.imports))})
    return found


def matched_in(target: Target, data: bytes, tags: Tags) -> Matched:
    """What a text has of `target`: to each promised name the definition most like it, each once; callables match
    callables and types types."""
    left = {(item.name, item.kind in FUNCTIONS): None for item in tags.defs if item.kind in UNITS}
    pairs: list[tuple[str, str]] = []
    for promised, is_type in target.symbols:
        name = promised.rpartition(".")[2]
        like = max(
            (
                (_likeness(name, other), other, is_function)
                for other, is_function in left
                if is_function != is_type
            ),
            key=lambda one: (one[0], one[1]),
            default=(0.0, "", False),
        )
        if like[0] >= _ALIKE:
            left.pop(like[1:])
            pairs.append((promised, like[1]))
    said = frozenset(word.lower() for word in _WORD.findall(target.request))
    roots = dict.fromkeys(
        last
        for one in imports_of(data, tags.language)
        for last in re.split(r"[./:\\]+", one.module.strip("./<>@"))[-1:]
        if last.lower() in said
    )
    return Matched(tuple(pairs), tuple(roots))


def _unpacked(blob: bytes) -> Matched | None:
    try:
        names, imports = msgpack.unpackb(blob)
        return Matched(tuple((a, b) for a, b in names), tuple(imports))
    except (ValueError, TypeError, msgpack.UnpackException):
        return None


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _likeness(one: str, other: str) -> float:
    """How much of the words of two names is common: 1 for the same words in the same order."""
    if one == other:
        return 1.0
    mine, theirs = (dict.fromkeys(_keys(name)) for name in (one, other))
    both = len(mine.keys() & theirs.keys())
    return 0.99 * both / len(mine.keys() | theirs.keys()) if both else 0.0


def _keys(name: str) -> tuple[int, ...]:
    return keys(name.encode("utf-8", "surrogatepass"))
