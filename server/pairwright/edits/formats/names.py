"""File names as models write them: decoration stripped, a language tag never taken for a name.

Reads one line at a time and knows no file; `known` only helps to tell a name from prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairwright.edits.formats.markers import FENCE

# A longer line is prose.
_LONGEST = 300

_TAG = re.compile(r"</?(?:source|code|pre|codeblock|sourcecode|file|filename|path)>", re.I)
_MARKS = (
    r"#{1,6}[ \t]+",
    r">[ \t]*",
    r"[-*+•][ \t]+",
    r"\d{1,3}[.)][ \t]+",
    r"//[ \t]*",
    r"/\*[ \t]*",
    r"<!--[ \t]*",
    r"--[ \t]+",
    r"#[ \t]*",
    r";+[ \t]+",
    # An emoji or another sign.
    r"[^\w\s./\\~\[(\"'`*<>@#-]+[ \t]+",
)
_LEAD = re.compile("|".join(_MARKS))
_TRAIL = re.compile(r"[ \t]*(?:\*/|-->)$")
_VERBS = "in|edit|edited|update|updated|create|created|modify|modified"
_LABEL = re.compile(
    r"[*_]{0,3}(?:new |the |in |edit |update |create |modify |change |open )*"
    rf"(?:file ?name|file ?path|file|path|{_VERBS})"
    r"[ \t]*(?:[*_]{0,3}:[*_]{0,3}[ \t]*|[ \t]+(?=[`\"'*\[]))",
    re.I,
)
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]*)\)")
_NOTE = re.compile(
    r"(?:[ \t]+\([^()]*\)|[ \t]+\[[^\[\]]*\]|[ \t]+(?:-|–|—|#|//)[ \t].*|:\d+(?:[-:]\d+)?)$"
)
_WRAPS = (
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("`", "`"),
    ('"', '"'),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("<", ">"),
)
_CLOSERS = ("`", "*", '"', "'")
_EXTENSION = re.compile(r"\.[A-Za-z0-9_+-]{1,12}$")
_CONTROL = re.compile(r"[\x00-\x1f]")
_SPAN = re.compile(r"`([^`]+)`")
# Names without an extension that are files all the same.
_PLAIN = re.compile(
    r"(?:GNU)?[Mm]akefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Vagrantfile|Pipfile"
    r"|Jenkinsfile|[Jj]ustfile|Brewfile|Podfile|Fastfile|Caddyfile|LICENSE|COPYING|README|NOTICE"
    r"|CHANGELOG|AUTHORS|VERSION|CODEOWNERS|BUILD|WORKSPACE|Kconfig|Kbuild"
)
# Tags of fences that have a dot or a slash in them.
_LANGUAGE = re.compile(
    r"(?:vb|asp)\.net|(?:node|vue|react|next)\.js|c/c\+\+|c/cpp|pl/(?:pg)?sql"
    r"|(?:text|application)/[\w.+-]+",
    re.I,
)
_ATTRIBUTE = re.compile(r"(?:file|filename|title|path|name|src)[ \t]*[=:][ \t]*", re.I)
_PROSE = re.compile(r"(?: and | or | to | in | the | is |, |; |: |\. |->|=>|→)")
_FILE_WORD = re.compile(r"\b(?:file|create|add|new)\b", re.I)
_UNLIKELY = re.compile(r"[(){}<>|\"`;,=]")
# A route group of some web frameworks: `app/(shop)/page.tsx`.
_GROUP = re.compile(r"\([\w.-]+\)/")


@dataclass(frozen=True, slots=True)
class Names:
    """Paths that are certainly files: all of them, and by base name."""

    full: frozenset[str]
    by_base: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, known: Sequence[str]) -> Names:
        """Index the paths `known`."""
        bases: dict[str, tuple[str, ...]] = {}
        for path in known:
            base = path.rpartition("/")[2]
            bases[base] = (*bases.get(base, ()), path)
        return cls(frozenset(known), bases)

    def has(self, name: str) -> bool:
        """Whether `name` is a known path or, on a segment boundary, the end of one."""
        name = name.removeprefix("./")
        if name in self.full:
            return True
        found = self.by_base.get(name.rpartition("/")[2])
        return found is not None and any(path.endswith("/" + name) for path in found)


def of_line(line: str, names: Names) -> str | None:
    """The name that `line` as a whole states, or None."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return None
    if text in names.full:
        return text
    if fence := FENCE.fullmatch(text):
        return of_info(fence[3], names)
    name, dressed = _undress(text, names)
    return name if _plausible(name, names, dressed) else None


def of_info(info: str, names: Names) -> str | None:
    """The name behind the fence characters: `python app.py`, `app.py`, `python:app.py`."""
    info = info.strip().strip("{}").strip()
    if not info or len(info) > _LONGEST:
        return None
    if names.has(info):
        return info
    first, _, rest = info.partition(" ")
    if rest.strip():
        rest = rest.strip().strip("{}").strip()
        name, _ = _undress(_ATTRIBUTE.sub("", rest, count=1), names)
        return (
            name if names.has(name) or (_plausible(name, names, True) and _pathlike(name)) else None
        )
    if attribute := _ATTRIBUTE.match(first):
        return first[attribute.end() :].strip("\"'") or None
    if ":" in first:
        first = first.partition(":")[2]
    if _LANGUAGE.fullmatch(first):
        return first if first in names.full else None
    return first if names.has(first) or _pathlike(first) else None


def inside(line: str, names: Names) -> str | None:
    """The one name a line of prose mentions: a lone code span, or a known path as the last word."""
    if not line or len(line) > _LONGEST:
        return None
    spans: list[str] = [span.strip() for span in _SPAN.findall(line)]
    sure = sorted({span for span in spans if names.has(span)})
    if len(sure) == 1:
        return sure[0]
    if not sure and len(spans) == 1 and " " not in spans[0] and _pathlike(spans[0]):
        if "/" in spans[0] or _FILE_WORD.search(line) is not None:
            return spans[0]
        return None
    words = line.rstrip(" \t:.*").split()
    return words[-1] if words and words[-1] in names.full else None


def _undress(text: str, names: Names) -> tuple[str, bool]:
    """`text` without decoration, and whether it wore quotes, backticks, stars or a label."""
    dressed = False
    before = ""
    while text != before and not names.has(text):
        before = text
        text = _TRAIL.sub("", _TAG.sub("", text)).strip()
        inner = _unwrapped(text)
        if inner != text:
            text, dressed = inner, True
        elif text.endswith(":"):
            text = text[:-1].rstrip()
        elif lead := _LEAD.match(text):
            text = text[lead.end() :]
        elif label := _LABEL.match(text):
            text, dressed = text[label.end() :], True
        elif note := _NOTE.search(text):
            head = text[: note.start()].rstrip()
            text = head if head.endswith(_CLOSERS) or _plausible(head, names, True) else text
    return text, dressed


def _unwrapped(text: str) -> str:
    """The text of a link, or what stands between one pair of quotes, backticks, stars or
    brackets."""
    if link := _LINK.fullmatch(text):
        return link[1].strip()
    for opening, closing in _WRAPS:
        is_longer = len(text) > len(opening) + len(closing)
        if is_longer and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return text


def _pathlike(name: str) -> bool:
    """Whether `name` has the form of a path: a separator or an extension, and no URL."""
    if "/" not in name and "\\" not in name and _EXTENSION.search(name) is None:
        return False
    if "://" in name or name.endswith(("/", "\\", ".", ",")) or name.startswith(("@", "=")):
        return False
    return any(char.isalpha() for char in name) and _CONTROL.search(name) is None


def _plausible(name: str, names: Names, dressed: bool) -> bool:
    if not name:
        return False
    if names.has(name) or _PLAIN.fullmatch(name):
        return True
    if " " not in name:
        return _pathlike(name) and not _UNLIKELY.search(_GROUP.sub("", name))
    if _EXTENSION.search(name) is None or _PROSE.search(name) or "://" in name:
        return False
    return dressed or ("/" in name and " " not in name.partition("/")[0])
