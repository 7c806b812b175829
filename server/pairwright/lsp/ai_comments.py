"""Comments that ask for something: `AI!` for an edit, `AI?` for an answer, `AI:` for a remark that belongs to either.

The mark is the first or the last word of a comment, in any case. What is a comment the grammar says; where there is
none, a line that begins with a comment sign. Pure: texts in, values out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.tags.comments import comments_at
from pairwright.tags.languages import language_of
from pairwright.text.document import Document
from pairwright.text.lines import LineIndex

_MOST = 200
_CANDIDATE = re.compile(rb"(?<![\w.])(?:[aA][iI](?=[!?:])|AI(?=[ \t]))")
_FIRST = re.compile(r"(?:(?i:ai)(?P<mark>[!?:])[!?:]*|AI(?=[ \t]))\s*")
_LAST = re.compile(r"(?:^|\s)(?i:ai)(?P<mark>[!?])[!?]*$")
_SIGN = re.compile(
    r"<%--|<%#|<!--+|/\*+!?|//+!?|\{-+|\(\*+|\{#|--\[=*\[|--+|#\||<#|#+!?|;+|%+|!+|\"|'|\*+(?=\s|$)"
    r"|(?i:rem)\b"
)
_STAR = re.compile(r"^\*+(?=\s|$)")
_END = re.compile(r"(?:\*+/|--+>|-\}|\*+\)|#\}|\]=*\]|\|#|#>|-*-?%>)$")
# Signs of a whole line, each with what ends it there; a sign without an end goes to the end of the line.
_LINE = re.compile(rb"[ \t]*(#|//|--|;|%|/\*|<!--)")
_CLOSED = {b"/*": b"*/", b"<!--": b"-->"}
# Where `#` heads a section, or a quote begins a line.
_MARKUP = frozenset({".md", ".markdown", ".mdx"})

Mark = Literal["!", "?", ":", ""]
_MARKS: dict[str, Mark] = {"!": "!", "?": "?", ":": ":", "": ""}


@dataclass(frozen=True, slots=True)
class Comment:
    """An AI comment. `text`: its words, without sign and mark. `mark`: empty for a bare `AI`, which counts only
    where somebody points at it. `start:end`: the bytes an edit takes out, `raw`: what they are: whole lines, or
    where code stands beside it the comment and the blanks before it. `line`: its first, from 0."""

    text: str
    mark: Mark
    start: int
    end: int
    raw: bytes
    line: int

    @property
    def asks(self) -> bool:
        """Whether it wants something done."""
        return self.mark in ("!", "?") and bool(self.text)


def find(document: Document, language_id: str = "") -> tuple[Comment, ...]:
    """The AI comments of `document`, in order. One parse of a text that may have some, else the look of a search;
    asking again for the same text costs nothing."""
    if not _CANDIDATE.search(document.data):
        return ()
    return _found(document.path, document.data, language_id)


@lru_cache(maxsize=16)
def _found(path: str, data: bytes, language_id: str) -> tuple[Comment, ...]:
    document = Document.of(path, data)
    places = [m.start() for m in _CANDIDATE.finditer(data)][:_MOST]
    language = language_of(path, data, language_id)
    spans = comments_at(data, language, places) if language else None
    if spans is None:
        spans = tuple(_on_its_line(document, at) for at in places)
    whole = sorted({span for span in spans if span})
    parts = [part for span in whole for part in _parts(document, *span)]
    made = (_comment(document, start, end) for start, end in parts)
    return tuple(one for one in made if one)


def _on_its_line(document: Document, at: int) -> tuple[int, int] | None:
    """The comment around `at` of a text without a grammar: a whole line."""
    lines, data = document.lines, document.data
    line = lines.line_at(at)
    start, end = lines.start(line), lines.end(line, data)
    sign = _LINE.match(data, start, end)
    if sign is None or sign.end() > at:
        return None
    closer = _CLOSED.get(sign[1], b"")
    is_markup = PurePosixPath(document.path).suffix.lower() in _MARKUP
    if (is_markup and sign[1] != b"<!--") or not data[start:end].rstrip().endswith(closer):
        return None
    return sign.start(1), end


def _parts(document: Document, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The comment `start:end` itself; line comments that a grammar takes together, one by one."""
    raw = document.data[start:end].decode("utf-8", "replace")
    rows = raw.splitlines()
    sign = _SIGN.match(raw)
    joined = sign is not None and not _END.search(raw.rstrip()) and len(rows) > 1
    if not joined or sign is None or not all(r.lstrip().startswith(sign[0]) for r in rows):
        yield start, end
        return
    lines = document.lines
    first, last = lines.line_at(start), lines.line_at(max(start, end - 1))
    for line in range(first, last + 1):
        yield max(start, lines.start(line)), min(end, lines.end(line, document.data))


def _comment(document: Document, start: int, end: int) -> Comment | None:
    words = _words(document.data[start:end].decode("utf-8", "replace"))
    first = _FIRST.match(words)
    mark = (first["mark"] or "") if first else ""
    text = words[first.end() :] if first else words
    last = _LAST.search(text)
    if last is not None and mark in ("", ":"):
        mark, text = last["mark"], text[: last.start()]
    if (first is None and last is None) or not (mark or text):
        return None
    return _placed(document, start, end, Comment(text.strip(), _MARKS[mark], 0, 0, b"", 0))


def _words(raw: str) -> str:
    """What a comment says, without the signs in front of its lines and behind its last one."""
    raw = _END.sub("", raw.rstrip()).rstrip()
    first, *rest = [row.strip() for row in raw.splitlines()] or [""]
    sign = _SIGN.match(first)
    if sign is None:
        return "\n".join((first, *rest)).strip()
    # Further lines of a block begin with a star, or with the sign of the first.
    rows = [_STAR.sub("", row.removeprefix(sign[0])).strip() for row in rest]
    return "\n".join((first[sign.end() :].strip(), *rows)).strip()


def _placed(document: Document, start: int, end: int, found: Comment) -> Comment:
    """`found` with the bytes that go when it goes."""
    lines, data = document.lines, document.data
    first, last = lines.line_at(start), lines.line_at(max(start, end - 1))
    head = data[lines.start(first) : start]
    tail = data[end : lines.end(last, data)]
    if not head.strip() and not tail.strip():
        low, high = lines.start(first), lines.start(last + 1)
    else:
        low, high = start - (len(head) - len(head.rstrip())) * (not tail.strip()), end
        high = min(high, lines.end(last, data))
    return replace(found, start=low, end=high, raw=data[low:high], line=first)


def near(
    comments: Sequence[Comment], document: Document, start: int, end: int
) -> tuple[Comment, ...]:
    """The first run of AI comments inside bytes `start:end` or directly above them, a comment a line."""
    lines = document.lines
    first, last = lines.line_at(start), lines.line_at(max(start, end - 1))
    rows = [(c.line, lines.line_at(max(c.start, c.end - 1)), c) for c in comments if c.text]
    while above := [low for low, high, _ in rows if high == first - 1]:
        first = above[0]
    run: list[Comment] = []
    behind = -1
    for low, high, comment in rows:
        if run and low != behind + 1:
            break
        if run or (high >= first and low <= last):
            run.append(comment)
            behind = high
    return tuple(run)


def is_at(comment: Comment, lines: LineIndex, first: int, last: int) -> bool:
    """Whether `comment` stands in one of the lines from `first` to `last`."""
    return comment.line <= last and lines.line_at(max(comment.start, comment.end - 1)) >= first


def request(path: str, comments: Sequence[Comment]) -> str:
    """What `comments` of the file at `path` ask for, in words: those that ask, with the remarks beside them."""
    said = [c for c in comments if c.text]
    if len(said) == 1:
        return said[0].text
    rows = "\n".join(f"- line {c.line + 1}: {' '.join(c.text.split())}" for c in said)
    return f"Do what these comments in {path} ask for:\n{rows}"


def taken_out(change: FileChange, comments: Sequence[Comment]) -> FileChange:
    """`change` without those of `comments` that it left as they were."""
    before, after = change.before, change.after
    if before is None or after is None:
        return change
    for comment in sorted(comments, key=lambda c: c.start, reverse=True):
        at = _still(before, after, change, comment)
        if at is not None:
            after = after[:at] + after[at + len(comment.raw) :]
    if after == change.after:
        return change
    return replace(change, after=after, hunks=diff(before, after))


def _still(before: bytes, after: bytes, change: FileChange, comment: Comment) -> int | None:
    """The byte of `after` where `comment` stands; None if it is gone, or cannot be told from another."""
    raw, start = comment.raw, comment.start
    if before[start : start + len(raw)] != raw:
        start = before.find(raw) if before.count(raw) == 1 else -1
    if start < 0:
        return None
    delta = 0
    for hunk in change.hunks:
        if hunk.end <= start:
            delta += len(hunk.new) - (hunk.end - hunk.start)
        elif hunk.start < start + len(raw):
            # Code beside it was rewritten with it.
            within = hunk.new.find(raw) if hunk.new.count(raw) == 1 else -1
            return hunk.start + delta + within if within >= 0 else None
    at = start + delta
    return at if after[at : at + len(raw)] == raw else None
