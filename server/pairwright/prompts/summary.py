"""The notes on the older part of a conversation: what the model is asked, and what is made of its answer. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pairwright.prompts.build import Chunks

_THINKING = re.compile(r"(?is)<(think|thinking|reasoning)>.*?</\1>")
_LEAD = re.compile(
    r"(?i)^\s*(?:\**(?:here (?:are|is) )?(?:the |my )?(?:notes|summary)[^\n:]{0,60}:\**)\s*"
)


def chunks(before: str, exchanges: Sequence[str], *, brief: bool = False) -> Chunks:
    """The request for notes on `exchanges`, oldest first. `before`: the notes on what came before them."""
    parts = [f"Notes on what came before:\n\n{before}"] if before else []
    parts.append("The conversation:\n\n" + "\n\n".join(exchanges))
    asked = "Write the new notes." if before else "Write the notes."
    return Chunks("summary", asked, focus="\n\n".join(parts), brief=brief)


def exchange(request: str, answer: str, facts: Sequence[str] = ()) -> str:
    """One turn as it is shown to the model that writes the notes."""
    lines = [*(f"({fact})" for fact in facts), f"Programmer: {request.strip()}"]
    return "\n".join((*lines, f"Assistant: {answer.strip()}"))


def notes(answer: str) -> str:
    """The notes that `answer` holds, as one text without code; empty if it holds none."""
    text = _LEAD.sub("", _THINKING.sub("", answer).strip())
    kept: list[str] = []
    is_code = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code:
            kept.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
