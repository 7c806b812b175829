"""Text of a repository inside Markdown shown by an editor: nothing in it may become live markup."""

from __future__ import annotations

import re

from lsprotocol import types

# What CommonMark or GitHub's extensions give a meaning inside a line, autolinks included.
_INLINE = re.compile(r"([\\`*_{}\[\]<>#|~&!$@]|:(?=//)|(?<=www)\.)", re.I)
# What they give a meaning at the start of one.
_START = re.compile(r"^([-+=]|\d+(?=[.)]))", re.M)
_TICKS = re.compile(r"`+")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def escape(text: str) -> str:
    """`text` as Markdown that shows exactly these characters: no link, image, tag, list or fence
    survives. Indentation is dropped, since four blanks would make a code block."""
    lines = (line.strip() for line in re.split(r"\r\n|\r|\n", text))
    words = _INLINE.sub(r"\\\1", _CONTROL.sub(" ", "\n".join(lines)))
    return _START.sub(_guarded, words)


def _guarded(match: re.Match[str]) -> str:
    """`1.` would start a list and cannot be escaped at the digit: the mark behind it is."""
    mark = match[1]
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def code(text: str) -> str:
    """`text` as a code span, by a fence longer than any inside."""
    plain = _CONTROL.sub(" ", text).replace("\n", " ")
    ticks = "`" * (_longest(plain) + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}" if plain.strip() else ""


def fenced(text: str, language: str) -> str:
    """`text` as a code block, by a fence longer than any inside."""
    ticks = "`" * max(3, _longest(text) + 1)
    name = re.sub(r"[^\w+#.-]", "", language)
    return f"{ticks}{name}\n{text.rstrip()}\n{ticks}"


def content(markdown: bool, rich: str, plain: str) -> types.MarkupContent:
    """`rich` for a client that shows Markdown, else `plain`."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, rich)
    return types.MarkupContent(types.MarkupKind.PlainText, plain)


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
