"""The text a parser sees: the file's own, with what is not of its language blanked. Length and lines stay.

A blank costs nothing where a tag would be lost: conflict markers, holes of a template, and text around the
code of an embedded template turn the rest of a tree into an error. What is written over never becomes a
name: names are taken where both texts agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pairwright.tags.macros import without_macros
from pairwright.tags.perl import without_replacements

_LONE_CR = re.compile(rb"\r(?!\n)")
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|>{7})(?:[ \t][^\r\n]*)?\r?$|^={7}[ \t]*\r?$", re.M)
_OPENS = re.compile(rb"^<{7}[ \t]", re.M)
_CLOSES = re.compile(rb"^>{7}(?:[ \t]|\r?$)", re.M)
_TAG_LINE = re.compile(rb"^[ \t]*\{%-?[ \t]*\w", re.M)
_HOLE = re.compile(rb"\{\{(?![{}]).{0,400}?\}\}", re.S)
# Of SCSS, what its grammar does not read: flags, spread, map literals, a sign and a hole in front of a name.
_SCSS_FLAG = re.compile(rb"!(?:default|global)\b|\.\.\.(?=[ \t]*\))|(?<=[ \t(,:])-(?=\$)")
_SCSS_USE = re.compile(rb"""(@(?:use|forward)[ \t]+(?:"[^"\r\n]*"|'[^'\r\n]*'))([^;\r\n]+)""")
_SCSS_EXTEND = re.compile(rb"(@extend[ \t]+)%(?=\w)")
_SCSS_MAP = re.compile(rb":[ \t\r\n]*\([^;{}]*(?=(;)?)")
_SCSS_MAP_MARK = re.compile(rb"[():,]")
_SCSS_HOLE = re.compile(rb"(?<=[ \t(,+*/])#\{([^{}\r\n]*)\}(?![\w-])(?=[^{}\r\n]*[;)])")
_LESS_NAME = re.compile(
    rb"@(?=[\w-]+)(?!(?:media|import|plugin|charset|namespace|keyframes|supports|font-face|page|layer"
    rb"|container|property|-[a-z]+-[a-z]+)\b)"
)
_PHP_END = re.compile(rb"(\b__halt_compiler[ \t]*\([ \t]*\)[ \t]*;)(.*)", re.S | re.I)
# The grammar of Swift reads a condition of the compiler only between statements, not between members.
_SWIFT_CONDITION = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\r\n]*", re.M)
_NOT_BREAK = re.compile(rb"[^\r\n]")
# Languages whose own grammar reads such holes, or that are full of other double braces.
_OWN_HOLES = frozenset({"html", "vue", "svelte", "astro", "twig", "heex", "latex"})


def masked(data: bytes, language: str) -> bytes:
    """`data` as the parser of `language` sees it: itself unless something must be blanked."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        data = _LONE_CR.sub(b"\n", data)
    if b"<<<<<<<" in data and _OPENS.search(data) and _CLOSES.search(data):
        data = _CONFLICT.sub(_blank, data)
    if language in _VIEWS:
        return _VIEWS[language](data)
    if b"{%" in data and language not in _OWN_HOLES and _TAG_LINE.search(data):
        data = _blanked(_blanked(data, b"{%", b"%}"), b"{#", b"#}")
        data = _HOLE.sub(_word, data)
    return data


def _blank(match: re.Match[bytes]) -> bytes:
    return _NOT_BREAK.sub(b" ", match[0])


def _word(match: re.Match[bytes]) -> bytes:
    """A name as long as the hole, so that what stands around it stays a name."""
    return match[0] if b"\n" in match[0] else b"_" * len(match[0])


def _between(data: bytes, opening: bytes, closing: bytes) -> Iterator[tuple[int, int]]:
    """From each `opening` to behind the `closing` that follows; one that is not closed ends it."""
    start = data.find(opening)
    while start >= 0:
        end = data.find(closing, start + len(opening))
        if end < 0:
            return
        yield start, end + len(closing)
        start = data.find(opening, end + len(closing))


def _blanked(data: bytes, opening: bytes, closing: bytes) -> bytes:
    """`data` with all from `opening` to `closing` blank."""
    parts: list[bytes] = []
    at = 0
    for start, end in _between(data, opening, closing):
        parts += (data[at:start], _NOT_BREAK.sub(b" ", data[start:end]))
        at = end
    return b"".join([*parts, data[at:]])


def _code_alone(data: bytes) -> bytes:
    """The code of `<% … %>` with all around it blanked; what closes it ends the statement."""
    parts: list[bytes] = []
    at = 0
    for start, end in _between(data, b"<%", b"%>"):
        if data[start + 2 : start + 3] in (b"%", b"#"):
            continue
        first = start + 2 + (data[start + 2 : start + 3] in (b"-", b"=", b"_"))
        last = max(first, end - 2 - (data[end - 3 : end - 2] in (b"-", b"_")))
        parts += (_NOT_BREAK.sub(b" ", data[at:first]), data[first:last], b";")
        at = last + 1
    parts.append(_NOT_BREAK.sub(b" ", data[at:]))
    return b"".join(parts)


def _plain_scss(data: bytes) -> bytes:
    data = _SCSS_FLAG.sub(_blank, data)
    data = _SCSS_USE.sub(lambda match: match[1] + b" " * len(match[2]), data)
    data = _SCSS_HOLE.sub(rb"  \1 ", data)
    data = _SCSS_EXTEND.sub(rb"\1.", data)
    return _SCSS_MAP.sub(_list, data)


def _line_feeds(data: bytes) -> bytes:
    """F#'s grammar takes the column of a name behind CRLF for another one."""
    return data.replace(b"\r\n", b" \n") if b"\r" in data else data


def _list(match: re.Match[bytes]) -> bytes:
    """A map as a list of words."""
    if not match[1] or not match[0].rstrip().endswith(b")"):
        return match[0]
    return b":" + _SCSS_MAP_MARK.sub(b" ", match[0][1:])


def _less_as_scss(data: bytes) -> bytes:
    """Less writes `@name` what SCSS writes `$name`."""
    return _plain_scss(_LESS_NAME.sub(b"$", data))


_VIEWS: Mapping[str, Callable[[bytes], bytes]] = {
    "erb": _code_alone,
    "ejs": _code_alone,
    "less": _less_as_scss,
    "scss": _plain_scss,
    "fsharp": _line_feeds,
    "perl": without_replacements,
    "php": lambda data: _PHP_END.sub(lambda match: match[1] + _NOT_BREAK.sub(b" ", match[2]), data),
    "swift": lambda data: _SWIFT_CONDITION.sub(_blank, data),
    **dict.fromkeys(("c", "cpp", "objc", "cuda", "hlsl", "arduino"), without_macros),
}
"""Languages read by the grammar of another, and what makes their texts fit it."""
