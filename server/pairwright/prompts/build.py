"""Chunks in cache order to the messages of one request.

What changes least comes first, so that a provider's prefix cache holds: system, read-only files, map, older turns,
second map, editable files, this request, reminder. Roles alternate strictly and nobody's speech is invented:
neighbours of one role are one message. Pure; knows no model and no disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from pairwright.llm.types import Message
from pairwright.prompts.fence import fence

Mode = Literal["ask", "edit"]


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as the model sees it. `text`: line ends as LF. `partial`: only the lines around the place asked
    about are shown, and only they may be changed."""

    path: str
    text: str
    language: str = ""
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Chunks:
    """The parts of one request. `history`: older turns, alternating, beginning with a user's. `focus`: the
    selection or cursor, in words and code. `request`: the user's instruction. `feedback`: alternating
    assistant and user messages of the reflections so far. `brief`: the short prompt, for a small model."""

    mode: Mode
    request: str
    read_only: tuple[FileText, ...] = ()
    map: str = ""
    history: tuple[Message, ...] = ()
    second_map: str = ""
    files: tuple[FileText, ...] = ()
    focus: str = ""
    feedback: tuple[Message, ...] = ()
    reminder: Literal["system", "user", "none"] = "user"
    brief: bool = False


PARTS = (
    "system",
    "read-only files",
    "map",
    "history",
    "second map",
    "files",
    "request",
    "reflection",
    "reminder",
)
"""Names of the parts that are counted, in cache order."""


@cache
def template(name: str) -> str:
    """A template by name, as it lies in the package."""
    return files("pairwright.prompts").joinpath(f"templates/{name}.md").read_text(encoding="utf-8")


def parts(chunks: Chunks) -> dict[str, str]:
    """The text of each part that is not empty, in cache order; what is counted is what is sent."""
    marks = fence([f.text for f in (*chunks.read_only, *chunks.files)] + [chunks.focus])
    name = "small_ask" if chunks.brief and chunks.mode == "ask" else chunks.mode
    system = template(name).replace("{fence}", marks).replace("{close}", marks).strip()
    reminder = template("reminder").strip() if chunks.mode == "edit" else ""
    if chunks.reminder == "none":
        reminder = ""
    found = {
        "system": system,
        "read-only files": _files(
            "Files for reference, not to be changed:", chunks.read_only, marks
        ),
        "map": _titled(
            "Map of the repository (definitions that may matter; not whole files):", chunks.map
        ),
        "history": "\n".join(message.content for message in chunks.history),
        "second map": _titled("More definitions that may matter here:", chunks.second_map),
        "files": _files(_editable(chunks.mode), chunks.files, marks),
        "request": "\n\n".join(part for part in (chunks.focus, chunks.request.strip()) if part),
        "reflection": "\n".join(message.content for message in chunks.feedback),
        "reminder": reminder,
    }
    return {name: found[name] for name in PARTS if found[name]}


def build(chunks: Chunks) -> tuple[Message, ...]:
    """The messages, system first, roles alternating, cache marks behind the stable prefix."""
    text = parts(chunks)
    reminder = text.get("reminder", "")
    system = text["system"]
    if reminder and chunks.reminder == "system":
        system = f"{system}\n\n{reminder}"
    stable = _joined(text, "read-only files", "map")
    current = _joined(text, "second map", "files", "request")
    messages = [Message("system", system, cache=True)]
    if stable:
        messages.append(Message("user", stable, cache=True))
    messages += chunks.history
    messages.append(Message("user", current))
    messages += chunks.feedback
    if reminder and chunks.reminder == "user":
        messages.append(Message("user", reminder))
    return merged(messages)


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`messages` with neighbours of one role joined; a cache mark stays where its text ends, or is lost."""
    found: list[Message] = []
    for message in messages:
        if found and found[-1].role == message.role:
            last = found[-1]
            content = f"{last.content}\n\n{message.content}"
            found[-1] = replace(last, content=content, cache=message.cache)
        else:
            found.append(message)
    return tuple(found)


def _joined(text: dict[str, str], *names: str) -> str:
    return "\n\n".join(text[name] for name in names if name in text)


def _titled(title: str, body: str) -> str:
    return f"{title}\n\n{body.strip()}" if body.strip() else ""


def _editable(mode: Mode) -> str:
    if mode == "ask":
        return "The files in question, as they are now:"
    return "The files you may change, as they are now:"


def _files(title: str, shown: Sequence[FileText], marks: str) -> str:
    if not shown:
        return ""
    blocks = [title]
    for file in shown:
        note = " (an excerpt; the rest of the file stays as it is)" if file.partial else ""
        body = file.text if file.text.endswith("\n") or not file.text else f"{file.text}\n"
        blocks.append(f"{file.path}{note}\n{marks}{file.language}\n{body}{marks}")
    return "\n\n".join(blocks)
