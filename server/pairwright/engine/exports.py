"""What a text offers to others: its definitions with signature, lines and the first line of their documentation.

Static: from a text and its tags, the same for the same text. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pairwright.memory.files import Export
from pairwright.tags.types import Definition, Tags, parents
from pairwright.text.document import Document

MOST = 400
"""Exports of one file."""
LONGEST_SIGNATURE = 240
LONGEST_DOC = 160

_SHELLS = frozenset(
    ("class", "interface", "struct", "enum", "trait", "module", "namespace", "union", "type")
)
_DOCSTRING = re.compile(
    rb"""\s*:?\s*(?:#[^\n]*\n\s*)*[rRuUbB]?(?P<quote>\"{3}|'{3}|"|')(?P<text>.*?)(?P=quote)""", re.S
)
_COMMENT = re.compile(
    r"[ \t]*(?:///?!?|/\*\*?!?|\*+/|\*(?!/)|#(?!!|\[)|--+\|?|;;+|%+|\(\*\*?)[ \t]?(.*?)[ \t]*(?:\*+/|\*\))?[ \t]*$"
)
_REMARK = re.compile(r":(?:\s*#[^\n]*)+\s*$")
_OPENING = re.compile(r"\s*(?:[{:;]|=>|=|\bdo\b|\bthen\b|\bwhere\b)?\s*$")
# A list that was broken into lines reads like one that was not.
_TIGHT = re.compile(r"(?<=[(\[]) (?=\S)|(?<=[^,\s]),? (?=[)\]])")
_FORMAL = re.compile(
    r"copyright|licen[sc]e|spdx|-\*-|coding[:=]|vim:|eslint|prettier|generated|all rights|^@|^!|^\W*$",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")
_FIELD = re.compile(r"([ \t]+)([A-Za-z]\w*)[ \t]*:[ \t]*([^=#\n]{1,80}?)[ \t]*(?:=.*|#.*)?")
_MOST_FIELDS = 16
_READ = 4_000
_ABOVE = 30


def exports_of(document: Document, tags: Tags) -> tuple[Export, ...]:
    """The outer definitions of a text and the members of its classes and their like, in order; what a leading `_`
    keeps private is left out, but for constructors."""
    outer = parents(tags.defs)
    has_fields = tags.language == "python"
    return tuple(
        _export(document, tags.defs, outer, at, has_fields) for at in _public(tags.defs, outer)
    )


def outline_names(document: Document, tags: Tags) -> tuple[str, ...]:
    """The names of all outer definitions, as they are referred to, each once."""
    outer = parents(tags.defs)
    names = (item.name for item, above in zip(tags.defs, outer, strict=True) if above < 0)
    return tuple(dict.fromkeys(names))


def about(document: Document, tags: Tags) -> str:
    """The first sentence of the text's own documentation: its docstring, else the comment it begins with."""
    head = document.data[:_READ]
    if tags.language in ("python", "starlark"):
        bare = re.sub(rb"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)+", b"", head)
        match = _DOCSTRING.match(bare)
        if match and not match[0].lstrip().startswith(b":"):
            return _first(match["text"].decode("utf-8", "replace"))
    said = []
    for line in head.decode("utf-8", "replace").splitlines():
        found = _COMMENT.match(line)
        if not found and line.strip():
            break
        text = found[1].strip() if found else ""
        if text and not _FORMAL.search(text):
            said.append(text)
        elif said:
            break
    return _first(" ".join(said))


def _public(defs: Sequence[Definition], outer: Sequence[int]) -> Iterator[int]:
    count = 0
    for at, item in enumerate(defs):
        if count >= MOST:
            return
        if _hidden(item.name) or not _reachable(defs, outer, at):
            continue
        count += 1
        yield at


def _reachable(defs: Sequence[Definition], outer: Sequence[int], at: int) -> bool:
    """Whether nothing around it is a function, or private."""
    above = outer[at]
    while above >= 0:
        if defs[above].kind not in _SHELLS or _hidden(defs[above].name):
            return False
        above = outer[above]
    return True


def _hidden(name: str) -> bool:
    return name.startswith(("_", "#")) and name not in ("__init__", "__call__", "__new__")


def _export(
    document: Document,
    defs: Sequence[Definition],
    outer: Sequence[int],
    at: int,
    has_fields: bool,
) -> Export:
    item = defs[at]
    parts, above = [item.name], outer[at]
    while above >= 0:
        parts.append(defs[above].name)
        above = outer[above]
    lines = document.lines
    return Export(
        ".".join(reversed(parts)),
        item.kind,
        signature(document, item) + (_fields(document, item) if has_fields else ""),
        lines.line_at(item.start) + 1,
        lines.line_at(max(item.start, item.end - 1)) + 1,
        _doc(document, item),
    )


def signature(document: Document, item: Definition) -> str:
    """What is written before the body, in one line; of what has no body the first line."""
    end = item.body if item.start < item.body < item.end else item.end
    text = document.data[item.start : min(end, item.start + _READ)].decode("utf-8", "ignore")
    text = _REMARK.sub(":", text)
    if end == item.end:
        text = text.strip().split("\n", 1)[0]
    text = _TIGHT.sub("", _OPENING.sub("", " ".join(text.split()), count=1))
    return text if len(text) <= LONGEST_SIGNATURE else f"{text[: LONGEST_SIGNATURE - 1]}…"


def _fields(document: Document, item: Definition) -> str:
    """The annotated fields of a Python class, which are no definitions of their own: ` {name: type; name: type}`."""
    if item.kind != "class" or item.body >= item.end:
        return ""
    # The body begins behind the blanks of its first line.
    lines = document.lines
    start = lines.start(lines.line_at(item.body))
    indent, found, is_text = _indent(document, item), list[str](), False
    for row in (
        document.data[start : min(item.end, start + _READ)].decode("utf-8", "replace").splitlines()
    ):
        match = None if is_text else _FIELD.fullmatch(row)
        if match and len(match[1]) == indent:
            found.append(f"{match[2]}: {match[3].strip()}")
        is_text ^= (row.count('"""') + row.count("'''")) % 2 == 1
    more = "; …" if len(found) > _MOST_FIELDS else ""
    return f" {{{'; '.join(found[:_MOST_FIELDS])}{more}}}" if found else ""


def _indent(document: Document, item: Definition) -> int:
    """Characters that the body of `item` is indented by."""
    return item.body - document.lines.start(document.lines.line_at(item.body))


def _doc(document: Document, item: Definition) -> str:
    body = document.data[item.body : min(item.end, item.body + _READ)]
    match = _DOCSTRING.match(body) if item.body < item.end else None
    if match:
        return _first(match["text"].decode("utf-8", "replace"))
    return _first(" ".join(_above(document, item)))


def _above(document: Document, item: Definition) -> list[str]:
    """The lines of the comment directly above, without its marks."""
    lines, data = document.lines, document.data
    first = lines.line_at(item.start)
    found: list[str] = []
    for number in range(first - 1, max(-1, first - 1 - _ABOVE), -1):
        row = data[lines.start(number) : lines.end(number, data)].decode("utf-8", "replace")
        match = _COMMENT.match(row[:_READ])
        if match is None:
            break
        found.append(match[1].strip())
    found.reverse()
    return [text for text in found if text and not _FORMAL.search(text)]


def _first(text: str) -> str:
    """The first sentence of the first paragraph, without control characters."""
    paragraph = re.split(r"\n[ \t]*\r?\n", text.strip(), maxsplit=1)[0]
    sentence = _SENTENCE.split(" ".join(paragraph.split()), maxsplit=1)[0]
    shown = "".join(sign for sign in sentence if sign.isprintable())
    return shown if len(shown) <= LONGEST_DOC else f"{shown[: LONGEST_DOC - 1]}…"
