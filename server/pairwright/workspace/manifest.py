"""What a map was made from, so that it can be made again or the difference be named.

A map follows from a focus, a budget, a way of counting, the texts of the index, the history and the
code. The first three are kept as they are, the others as digests. Written as JSON; knows no command
line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.resources import files as resources
from typing import Any, Literal

from pairwright.graph import weights
from pairwright.graph.types import Focus, History
from pairwright.render.types import RepoMap
from pairwright.tags.files import recipe
from pairwright.text.hashing import digest
from pairwright.workspace.types import Snapshot

VERSION = 1
_KIND = "pairwright_map"
ESTIMATE = "estimate"
"""The name of `text.estimate.estimate` as a counting function."""

_SHORT = 16
"""Hex digits of a digest kept for each of thousands of files."""

_CODE = ("pairwright.graph", "pairwright.render", "pairwright.text")
_WHAT = {
    "tags": "grammars or tag queries differ",
    "weights": "the weights of the ranking differ",
    "code": "the code that ranks and renders differs",
    "history": "the git history differs",
}


@dataclass(frozen=True, slots=True)
class MapManifest:
    """`count`: the name of the counting function. `files`: path -> digest of its text, of every
    file or of the shown ones; empty for a file that only its path stands for.
    `recipes`: digests of what else decides, by name. `text`: digest of the map. `revision`: of the
    snapshot, which means nothing in another process."""

    focus: Focus
    budget: int
    count: str
    recipes: Mapping[str, str]
    files: Mapping[str, str]
    text: str
    revision: int = 0
    version: int = field(default=VERSION)


class NotAManifest(ValueError):
    """The text is no manifest of a version that is known; says why."""


def record(
    snapshot: Snapshot,
    focus: Focus,
    made: RepoMap,
    count: str,
    of: Literal["all", "shown"] = "all",
) -> MapManifest:
    """The manifest of `made`. `of`: the files kept; all of them are read for it."""
    paths = snapshot.paths() if of == "all" else dict.fromkeys(item.path for item in made.shown)
    return MapManifest(
        focus,
        made.budget,
        count,
        recipes(snapshot.history()),
        {path: _digest(snapshot, path) for path in paths},
        digest(_encoded(made.text)),
        snapshot.revision,
    )


def same_text(manifest: MapManifest, text: str) -> bool:
    """Whether `text` is the map that `manifest` tells of, byte for byte."""
    return digest(_encoded(text)) == manifest.text


def differences(manifest: MapManifest, snapshot: Snapshot) -> Iterator[str]:
    """What is no longer as it was, in words; paths in order."""
    if manifest.count != ESTIMATE:
        yield f"its tokens were counted by {manifest.count}, which is not at hand here"
    for name, value in recipes(snapshot.history()).items():
        if manifest.recipes.get(name) != value:
            yield _WHAT[name]
    now = frozenset(snapshot.paths())
    for path in sorted(now | manifest.files.keys()):
        if path not in now:
            yield f"file gone: {path}"
        elif path not in manifest.files:
            yield f"file new: {path}"
        elif _digest(snapshot, path) != manifest.files[path]:
            yield f"file changed: {path}"


def recipes(history: History) -> dict[str, str]:
    """Digests of what decides about a map beside texts and focus, by name."""
    return {
        "tags": recipe(),
        "weights": _weights(),
        "code": _code(),
        "history": _history(history),
    }


def to_json(manifest: MapManifest) -> str:
    """The manifest as JSON text in ASCII; the same one gives the same text."""
    value = {_KIND: manifest.version, **asdict(manifest)}
    del value["version"], value["revision"]
    return json.dumps(value, indent=1, ensure_ascii=True) + "\n"


def from_json(text: str) -> MapManifest:
    """The manifest in `text`. Raises NotAManifest."""
    try:
        value = json.loads(text)
        version = value.pop(_KIND)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NotAManifest("it is no map manifest") from None
    if version != VERSION:
        raise NotAManifest(f"it has version {version}, and this Pairwright reads version {VERSION}")
    try:
        known = {item.name for item in fields(Focus)}
        focus = {name: _tuples(part) for name, part in value.pop("focus").items()}
        if unknown := sorted(focus.keys() - known):
            raise NotAManifest(f"its focus has parts unknown here: {', '.join(unknown)}")
        made = MapManifest(focus=Focus(**focus), **value)
    except (TypeError, AttributeError, KeyError):
        raise NotAManifest("parts of it are missing or of the wrong kind") from None
    if not _is_whole(made):
        raise NotAManifest("parts of it are missing or of the wrong kind")
    return made


def _is_whole(made: MapManifest) -> bool:
    texts = (*made.recipes.items(), *made.files.items()) if _are_maps(made) else ((None, None),)
    return (
        isinstance(made.budget, int)
        and isinstance(made.count, str)
        and isinstance(made.text, str)
        and all(isinstance(part, str) for pair in texts for part in pair)
    )


def _are_maps(made: MapManifest) -> bool:
    return isinstance(made.recipes, dict) and isinstance(made.files, dict)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _digest(snapshot: Snapshot, path: str) -> str:
    """Digest of the text at `path`, empty for a file that adds nothing to the graph: it may be large
    and only its path is ever shown."""
    row = snapshot.graph().row(path)
    if row is None or not (row.defs or row.refs or row.words.total):
        return ""
    document = snapshot.document(path)
    return document.digest[:_SHORT] if document is not None else ""


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def _weights() -> str:
    named = {name: value for name, value in vars(weights).items() if name.isupper()}
    return digest(repr(sorted(named.items())).encode())[:_SHORT]


@cache
def _code() -> str:
    texts = []
    for package in _CODE:
        modules = sorted(resources(package).iterdir(), key=lambda item: item.name)
        texts += [item.read_bytes() for item in modules if item.name.endswith(".py")]
    return digest(b"\0".join(texts))[:_SHORT]


def _history(history: History) -> str:
    return digest(repr((history.commits, history.said)).encode("utf-8", "backslashreplace"))[
        :_SHORT
    ]
