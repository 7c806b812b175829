"""How much of a file is shown when it is asked for: a line, its signatures, its record, bodies, or all of its text.

A record stands for a text only while it is of just that text and clearly shorter; what is to be edited, what the user
names and what is asked for by lines or by symbol is shown as it stands. What is shown says which of these it is, so
that nobody edits what they have not seen. A name means a file exactly, or as the end of one path; else the files that
it could mean are the answer. Works on one snapshot: run it in a thread.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from pairwright.engine import record_text
from pairwright.engine.pieces import lf
from pairwright.engine.records import Records
from pairwright.memory.files import Record
from pairwright.text.estimate import estimate

Form = Literal["line", "signatures", "record", "bodies", "full"]

SMALL = 400
"""Tokens below which a text is shown whole: a record would not be clearly shorter."""
SHORTER = 0.6
"""A record stands for a text only if it takes at most this share of its tokens."""
MOST_CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Need:
    """Why a file is asked for. `is_target`: it is to be edited. `is_named`: the user named it. `is_part`: lines or a
    symbol of it are asked for. `again`: its record was shown and is not enough."""

    is_target: bool = False
    is_named: bool = False
    is_part: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Served:
    """What is shown of the file at `path` with the content `digest`. `tokens`: of `text`, by the estimate."""

    path: str
    form: Form
    digest: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Sought:
    """The file that a name means, or else those it could mean, sorted."""

    path: str | None
    candidates: tuple[str, ...] = ()


ANYTHING = Need()


def form_of(need: Need, tokens: int, record: Record | None) -> Form:
    """How much of a text of `tokens` tokens is to be shown. `record`: of just that text, None if there is none."""
    if need.is_part:
        return "bodies"
    if need.is_target or need.is_named or need.again or tokens < SMALL:
        return "full"
    if record is None or record.facts.trust != "whole" or not record.facts.exports:
        return "full"
    return "record" if estimate(record_text.whole(record)) <= SHORTER * tokens else "full"


def serve(
    records: Records, path: str, need: Need = ANYTHING, room: int | None = None
) -> Served | None:
    """The file at `path` as `need` wants it, less of it where that does not fit into `room` tokens; None if it may
    not be shown, has no text, or not even a line of it fits. What has to be shown as it stands is not made less."""
    seen = records.seen(path)
    if seen is None:
        return None
    document, record = seen
    text = lf(document.text)
    tokens = estimate(text)
    form = form_of(need, tokens, record)
    if form in ("full", "bodies"):
        if room is None or tokens <= room:
            return Served(path, "full", document.digest, text, tokens)
        if need.is_target or need.is_part or record is None:
            return None
        form = "record"
    return None if record is None else shorter(record, form, room)


def shorter(record: Record, form: Form, room: int | None) -> Served | None:
    """`record` in `form`, or the longest form below it that fits into `room` tokens."""
    for one in _BELOW[_BELOW.index(form) :]:
        text = _TEXTS[one](record)
        tokens = estimate(text)
        if room is None or tokens <= room:
            return Served(record.path, one, record.digest, text, tokens)
    return None


def sought(name: str, paths: Sequence[str], root: str = "") -> Sought:
    """The one of the sorted `paths` that `name` means: exactly, else as the end of one path on whole parts. URIs,
    backslashes, `./` and paths below `root` are read; letters are not taken for others."""
    asked = _normal(name, root)
    if not asked:
        return Sought(None)
    known = frozenset(paths)
    if asked in known:
        return Sought(asked)
    ends = [path for path in paths if path.endswith(f"/{asked}")]
    if len(ends) == 1:
        return Sought(ends[0])
    if ends:
        return Sought(None, tuple(ends[:MOST_CANDIDATES]))
    base = asked.rpartition("/")[2].casefold()
    alike = (path for path in paths if path.rpartition("/")[2].casefold() == base)
    return Sought(None, tuple(alike)[:MOST_CANDIDATES])


def _normal(name: str, root: str) -> str:
    """`name` as a path of the workspace; empty if it leads out of it."""
    path = name.strip()
    if path.startswith("file:"):
        path = unquote(urlsplit(path).path)
    path = path.replace("\\", "/")
    base = root.rstrip("/")
    if base and path.startswith(f"{base}/"):
        path = path[len(base) + 1 :]
    path = posixpath.normpath(path) if path else ""
    return "" if path.startswith(("../", "/")) or path in (".", "..") else path


_BELOW: tuple[Form, ...] = ("record", "signatures", "line")
_TEXTS = {
    "record": record_text.whole,
    "signatures": record_text.signatures,
    "line": record_text.line,
}
