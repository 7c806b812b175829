"""A plan as Markdown: what a model writes, what the user edits, and what is read back.

    # Plan: title

    Lines about the design as a whole.

    ## create src/cart.py

    What the file is for.

    - contract: def total(items: list[Item]) -> int
    - depends: src/item.py
    - check: pytest -q tests/test_cart.py

Form is forgiven (levels of headings, numbers, back ticks, an outer fence, nested lists), meaning is not. Reading what
was rendered gives the same plan. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pairwright.edits.paths import normal
from pairwright.engine.task.plan import Action, Entry, Plan

_HEAD = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_NUMBER = re.compile(r"^(?:(?:file|step)[ \t]+)?[0-9]+[.):][ \t]+", re.I)
_FILE = re.compile(r"^file[ \t]*:[ \t]*", re.I)
_WORDS: dict[str, Action] = {
    "create": "create",
    "add": "create",
    "new": "create",
    "modify": "modify",
    "change": "modify",
    "edit": "modify",
    "update": "modify",
    "delete": "delete",
    "remove": "delete",
}
_FIRST = re.compile(
    rf"[`*_\[(]*({'|'.join(_WORDS)})[`*_\])]*(?:[ \t]+file(?=[ \t]*[:`]))?[: \t]+(.+)", re.I
)
_LAST = re.compile(rf"(.+?)[ \t]*(?:[-:,(\[]+[ \t]*)({'|'.join(_WORDS)})[)\]]*", re.I)
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|[0-9]+[.)])[ \t]+(.*)")
_KEY = re.compile(
    r"[*_`]*(contract|exports?|provides|signatures?|depends(?:[ \t]on)?|dependencies|needs|requires"
    r"|checks?|tests?|commands?|purpose)[*_`]*[ \t]*:[*_`]*[ \t]*(.*)",
    re.I,
)
_TITLE = re.compile(r"(?:the[ \t]+)?plan(?:[ \t]*[:\-][ \t]*(.*)|)$", re.I)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^`]*$")
_NOTHING = frozenset(("", "none", "nothing", "n/a", "-", "no", "[]", "null"))

_Key = Literal["contract", "depends", "check", "purpose"]


@dataclass(slots=True)
class _Draft:
    """A file's section as it is read."""

    path: str
    action: Action
    purpose: list[str] = field(default_factory=list)
    contract: list[str] = field(default_factory=list)
    depends: list[str] = field(default_factory=list)
    check: list[str] = field(default_factory=list)
    key: _Key = "purpose"
    indent: int = -1

    def add(self, line: str) -> None:
        bullet = _BULLET.match(line)
        text = bullet[2] if bullet else line.strip()
        found = _KEY.match(text)
        if found and (bullet or found[1].lower() != "purpose"):
            self.key = _key(found[1])
            self.indent = len(bullet[1]) if bullet else 0
            self._put(found[2])
        elif found:
            self.key = "purpose"
            self._put(found[2])
        elif bullet and self.key != "purpose" and len(bullet[1]) > self.indent:
            self._put(text)
        elif text:
            self.key = "purpose"
            self._put(text)

    def _put(self, value: str) -> None:
        match self.key:
            case "contract":
                self.contract += [one] if (one := _plain(value)).lower() not in _NOTHING else []
            case "depends":
                self.depends += [one for one in _paths(value) if one not in self.depends]
            case "check":
                self.check += [one] if (one := _plain(value)).lower() not in _NOTHING else []
            case "purpose":
                self.purpose.append(value)

    def entry(self) -> Entry:
        return Entry(
            self.path,
            self.action,
            _line(" ".join(self.purpose)),
            tuple(dict.fromkeys(self.contract)),
            tuple(self.depends),
            tuple(dict.fromkeys(self.check)),
        )


def read(text: str) -> Plan:
    """The plan that `text` holds; one without entries where it holds none."""
    title, notes = "", list[str]()
    drafts: list[_Draft] = []
    is_begun = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if _FENCE.fullmatch(line) or line.lstrip().startswith("<!--"):
            continue
        head = _HEAD.match(line)
        named = _heading(head[2]) if head else None
        if named is not None:
            drafts.append(_Draft(*named))
        elif head and not drafts and (found := _TITLE.match(head[2])):
            title, is_begun, notes = _line(found[1] or ""), True, []
        elif drafts:
            drafts[-1].add(line if head is None else head[2])
        elif is_begun and (note := _line(line)):
            notes.append(note)
    return Plan(title, tuple(notes), tuple(draft.entry() for draft in drafts))


def render(plan: Plan) -> str:
    """`plan` as a document that reads back the same."""
    parts = [f"# Plan: {plan.title}" if plan.title else "# Plan"]
    if plan.notes:
        parts.append("\n".join(f"- {note}" for note in plan.notes))
    parts += (section(entry) for entry in plan.entries)
    return "\n\n".join(parts) + "\n"


def section(entry: Entry) -> str:
    """One file of a plan as the document has it."""
    bullets = [
        *(f"- contract: {one}" for one in entry.contract),
        *(f"- depends: {one}" for one in entry.depends),
        *(f"- check: {one}" for one in entry.checks),
    ]
    head = f"## {entry.action} {entry.path}"
    return "\n\n".join(filter(None, (head, entry.purpose, "\n".join(bullets))))


def _heading(text: str) -> tuple[str, Action] | None:
    """The path and the action that a heading names, if it is a file's."""
    text = _FILE.sub("", _NUMBER.sub("", text.strip(), count=1), count=1)
    if found := _FIRST.fullmatch(text):
        word, path = found[1], found[2]
    elif found := _LAST.fullmatch(text):
        word, path = found[2], found[1]
    else:
        return None
    path = _path(path)
    if not path or (" " in path and "/" not in path and "." not in path):
        return None
    return path, _WORDS[word.lower()]


def _key(word: str) -> _Key:
    word = word.lower()
    if word.startswith(("dep", "need", "req")):
        return "depends"
    if word.startswith(("check", "test", "command")):
        return "check"
    return "purpose" if word == "purpose" else "contract"


def _paths(value: str) -> Iterable[str]:
    for one in re.split(r",|[ \t]+and[ \t]+", value):
        path = _path(one)
        if path.lower() not in _NOTHING:
            yield path


def _path(written: str) -> str:
    """A path without decoration. One that leaves the workspace stays as it is, to be refused."""
    path = written.strip().strip("`*\"'").strip()
    return path if path.startswith("/") else normal(path)


def _plain(value: str) -> str:
    """One line of code or a command, without the marks around it."""
    text = " ".join(value.split())
    while len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    return text


_MARK = re.compile(
    r"^(?:#{1,6}(?= |$)|[-*+>](?= |$)|[0-9]+[.)](?= |$)|`{3,}|~{3,}|<!--)\s*|(?:^| )#+$"
)


def _line(text: str) -> str:
    """Prose as one line that nothing else is read from."""
    text = " ".join(text.split())
    while (
        cut := _KEY.sub(r"\2", _MARK.sub("", text), count=1) if _is_marked(text) else text
    ) != text:
        text = cut.strip()
    return text


def _is_marked(text: str) -> bool:
    return _MARK.search(text) is not None or _KEY.match(text) is not None
