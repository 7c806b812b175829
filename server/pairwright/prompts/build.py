"""Chunks in cache order to the messages of one request.

What changes least comes first, so that a provider's prefix cache holds: system and examples, read-only files, map,
older turns, second map, editable files, this request, reminder, corrections. Roles alternate strictly and nobody's
speech is invented: neighbours of one role are one message. Pure; knows no model and no disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from pairwright.llm.types import Message
from pairwright.prompts.fence import fence

Mode = Literal["ask", "edit", "rewrite", "commit"]
"""`rewrite`: the lines shown are written anew, in an answer whose beginning is given. `commit`: the
message of a commit is wanted."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as the model sees it. `text`: line ends as LF. `partial`: not the whole file. `spans`: the
    bytes (start, end) of the file that stand in `text` unabridged, ascending. `note`: said behind the
    path."""

    path: str
    text: str
    language: str = ""
    partial: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chunks:
    """The parts of one request. `history`: older turns, alternating, beginning with a user's. `facts`: what
    became of the last answer's edits, a line each. `focus`: the selection or cursor, in words and code.
    `request`: the user's instruction. `feedback`: alternating assistant and user messages of the
    reflections so far. `begun`: how the answer begins. `brief`: the short prompt, for a small model.
    `format`: the edit format the answer is asked for in; `editor-…` has a shorter system message, for a
    change agreed before."""

    mode: Mode
    request: str
    read_only: tuple[FileText, ...] = ()
    map: str = ""
    history: tuple[Message, ...] = ()
    second_map: str = ""
    files: tuple[FileText, ...] = ()
    facts: tuple[str, ...] = ()
    focus: str = ""
    feedback: tuple[Message, ...] = ()
    begun: str = ""
    reminder: Literal["system", "user", "none"] = "user"
    brief: bool = False
    format: str = "diff"


PARTS = (
    "system",
    "examples",
    "read-only files",
    "map",
    "history",
    "second map",
    "files",
    "request",
    "reminder",
    "reflection",
    "begun answer",
)
"""Names of the parts that are counted, in cache order (the reminder's own place is the model's)."""


@cache
def template(name: str) -> str:
    """A template by name, as it lies in the package, without outer blank lines."""
    place = files("pairwright.prompts").joinpath(f"templates/{name}.md")
    return place.read_text(encoding="utf-8").strip()


def parts(chunks: Chunks) -> dict[str, str]:
    """The text of each part that is not empty, in cache order; what is counted is what is sent."""
    marks = fence([*(f.text for f in (*chunks.read_only, *chunks.files)), chunks.focus])
    teaches = chunks.mode == "edit"
    form = _form(chunks)
    is_editor = chunks.format.startswith("editor-")
    examples = teaches and not chunks.brief and form in _EXAMPLES and not is_editor
    found = {
        "system": _system(chunks, form, marks),
        "examples": _filled(f"examples_{form}", marks) if examples else "",
        "read-only files": _files(_READ_ONLY, chunks.read_only, marks),
        "map": _titled(_MAP, chunks.map),
        "history": "\n".join(message.content for message in chunks.history),
        "second map": _titled(_SECOND_MAP, chunks.second_map),
        "files": _files(_TITLE[chunks.mode], chunks.files, marks),
        "request": _request(chunks),
        "reflection": "\n".join(message.content for message in chunks.feedback),
        "begun answer": chunks.begun,
        "reminder": template(f"reminder_{form}") if teaches and chunks.reminder != "none" else "",
    }
    return {name: found[name] for name in PARTS if found[name]}


def build(chunks: Chunks) -> tuple[Message, ...]:
    """The messages: system first, roles alternating, a cache mark behind the system message and behind the
    request, which corrections follow."""
    text = parts(chunks)
    in_system = chunks.reminder == "system"
    system = _joined(text, "system", "examples", *(("reminder",) if in_system else ()))
    stable = _joined(text, "read-only files", "map")
    messages = [Message("system", system, cache=True)]
    if stable:
        messages.append(Message("user", stable))
    messages += chunks.history
    last = () if in_system else ("reminder",)
    current = _joined(text, "second map", "files", "request", *last)
    messages.append(Message("user", current, cache=True))
    messages += chunks.feedback
    if chunks.begun:
        messages.append(Message("assistant", chunks.begun))
    return merged(messages)


def merged(messages: Iterable[Message]) -> tuple[Message, ...]:
    """`messages` with neighbours of one role joined; the last one's cache mark counts."""
    found: list[Message] = []
    for message in messages:
        if found and found[-1].role == message.role:
            content = f"{found[-1].content}\n\n{message.content}"
            found[-1] = replace(message, content=content)
        else:
            found.append(message)
    return tuple(found)


_SYSTEM = {
    ("ask", False): "ask",
    ("ask", True): "small_ask",
    ("edit", False): "edit",
    ("edit", True): "small_edit",
    ("rewrite", False): "rewrite",
    ("rewrite", True): "rewrite",
    ("commit", False): "commit",
    ("commit", True): "small_commit",
}
_EXAMPLES = ("diff", "diff-fenced", "udiff", "whole", "patch", "symbol")
_READ_ONLY = "Files for reference, not to be changed:"
_MAP = "Map of the repository (definitions that may matter; not whole files):"
_SECOND_MAP = "More definitions that may matter here:"
_TITLE = {
    "ask": "The files in question, as they are now:",
    "edit": "The files you may change, as they are now:",
    "rewrite": "The lines to rewrite, as they are now:",
    "commit": "Files that were committed:",
}
_EXCERPT = "an excerpt; the rest of the file stays as it is"


def _form(chunks: Chunks) -> str:
    """How edits are written. A file of which only a part is shown cannot be written whole."""
    form = chunks.format.removeprefix("editor-")
    return "diff" if form == "whole" and any(file.partial for file in chunks.files) else form


def _system(chunks: Chunks, form: str, marks: str) -> str:
    """The system message; where edits are asked for, with how they are written."""
    name = _SYSTEM[chunks.mode, chunks.brief]
    if chunks.mode == "edit" and chunks.format.startswith("editor-"):
        name = "editor"
    elif name == "small_edit" and form != "diff":
        name = "edit"
    return _filled(name, marks).replace("{how}", _filled(f"how_{form}", marks))


def _filled(name: str, marks: str) -> str:
    return template(name).replace("{fence}", marks)


def _joined(text: dict[str, str], *names: str) -> str:
    return "\n\n".join(text[name] for name in names if name in text)


def _titled(title: str, body: str) -> str:
    return f"{title}\n\n{body.strip()}" if body.strip() else ""


def _request(chunks: Chunks) -> str:
    facts = "\n".join(("Since the last answer:", *(f"- {fact}" for fact in chunks.facts)))
    asked = chunks.request.strip()
    if chunks.files or chunks.focus or chunks.read_only:
        asked = f"Request: {asked}"
    return "\n\n".join(p for p in (facts if chunks.facts else "", chunks.focus, asked) if p)


def _files(title: str, shown: Sequence[FileText], marks: str) -> str:
    if not shown:
        return ""
    blocks = [title]
    for file in shown:
        note = file.note or (_EXCERPT if file.partial else "")
        said = f" ({note})" if note else ""
        body = file.text if file.text.endswith("\n") or not file.text else f"{file.text}\n"
        blocks.append(f"{file.path}{said}\n{marks}{file.language}\n{body}{marks}")
    return "\n\n".join(blocks)
