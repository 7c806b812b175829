"""Request documents: where a request's words come from when the client has no text input.

LSP has no prompt. A client without a plugin writes its request into a Markdown file in the cache folder with a Send
action, or as a comment (see `ai_comments`). Pure: texts in, values out.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Literal

Mode = Literal["ask", "edit", "architect", "context", "help"]
Kind = Literal["ask", "edit", "architect", "context", "help", "plan"]
"""`plan`: of a long task; `session` is then the task whose plan is to be changed."""

_META = re.compile(r"<!-- pairwright (\{.*?\}) -->")
_REQUEST = "## Request"
_ANSWER = "## Answer"
HINT = '*Write below, then run the code action "Pairwright: Send".*'


@dataclass(frozen=True, slots=True)
class About:
    """What a request document is about. `uri`: the file; `start:end`: the selection in bytes of the text
    with `digest`; empty `uri`: the whole workspace. `session`: the chat it belongs to. `refines`: the proposal
    that is to be changed, and `hunk` the one of its hunks."""

    mode: Kind
    root: str
    uri: str = ""
    path: str = ""
    start: int = 0
    end: int = 0
    digest: str = ""
    session: str = ""
    refines: str = ""
    hunk: str = ""


_VERBS = {
    "ask": "Ask about",
    "edit": "Edit",
    "architect": "Plan a change of",
    "context": "Choose files for",
    "help": "Ask about Pairwright in",
    "plan": "Plan a task in",
}


def compose(about: About, excerpt: str, request: str = "") -> str:
    """A new request document. `excerpt`: the selected text, shown in a fence longer than any inside."""
    verb = "Refine" if about.refines else _VERBS[about.mode]
    parts = [f"# {verb} {about.path or 'the workspace'}", f"<!-- pairwright {_meta(about)} -->"]
    if excerpt:
        fence = "`" * max(3, 1 + max((len(r) for r in re.findall(r"`+", excerpt)), default=0))
        parts.append(f"{fence}\n{excerpt.rstrip()}\n{fence}")
    parts.append(f"{_REQUEST}\n\n{request or HINT}\n")
    return "\n\n".join(parts)


def _meta(about: About) -> str:
    # `-->` inside a path would end the comment; JSON may escape any character.
    return json.dumps(asdict(about), sort_keys=True).replace(">", "\\u003e")


def read(text: str) -> tuple[About, str] | None:
    """What a request document asks: its subject and the last request in it; None if it is no such document
    or nothing was written yet."""
    match = _META.search(text)
    if not match:
        return None
    try:
        about = About(**json.loads(match[1]))
    except (ValueError, TypeError):
        return None
    _, mark, tail = text.rpartition(f"\n{_REQUEST}")
    if not mark or f"\n{_ANSWER}" in tail:
        return about, ""
    return about, tail.replace(HINT, "").strip()


def is_request_document(text: str) -> bool:
    return _META.search(text[:4000]) is not None


def answer(text: str, said: str) -> str:
    """What is appended to a request document whose text is `text`: the answer and room for the next one."""
    lead = "" if text.endswith("\n") else "\n"
    return f"{lead}\n{_ANSWER}\n\n{said.strip()}\n\n{_REQUEST}\n\n{HINT}\n"
