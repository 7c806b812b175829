"""Shell commands that answers suggest: which may be offered, and how one is run and told to the next request."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from pathlib import Path

MOST = 5
"""Commands of one answer that are offered."""

_LONGEST = 1000
_LINES = 12
_TOLD = 4000
_KEPT = 200


class Suggestions:
    """The commands that the answers of a folder suggested, each with its conversation. Changed on the loop only."""

    def __init__(self) -> None:
        self._sessions: dict[str, str] = {}

    def add(self, commands: tuple[str, ...], session: str) -> None:
        """An answer in `session` suggested `commands`."""
        for command in commands:
            self._sessions.pop(command, None)
            self._sessions[command] = session
        while len(self._sessions) > _KEPT:
            del self._sessions[next(iter(self._sessions))]

    def session(self, command: str) -> str | None:
        """The conversation whose answer suggested exactly `command`; None if none did."""
        return self._sessions.get(command)


def hidden_parts(command: str) -> str:
    """Why nobody could see what `command` does by looking at it; empty if it can be offered."""
    if len(command) > _LONGEST or command.count("\n") >= _LINES:
        return "it is too long for a question that shows all of it"
    for char in command:
        # Control characters, and those that turn or hide what follows them, make a text look like another.
        if char not in "\n\t" and unicodedata.category(char) in (
            "Cc",
            "Cf",
            "Co",
            "Cs",
            "Zl",
            "Zp",
        ):
            return f"it holds a character that does not show (U+{ord(char):04X})"
    return ""


def shell_of(command: str) -> tuple[str, tuple[str, ...]]:
    """The shell that runs `command`, and the words to start it with."""
    if sys.platform == "win32":
        return "cmd", ("cmd", "/d", "/s", "/c", command)
    found = shutil.which("bash") or "/bin/sh"
    return Path(found).name, (found, "-c", command)


def outcome(code: int | None, timed_out: bool) -> str:
    """How a command ended, in words."""
    if timed_out:
        return "was ended, for it took too long"
    if code is None:
        return "could not be started"
    return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


def fact(command: str, code: int | None, timed_out: bool, output: str) -> str:
    """What the next request is told of a command the user had run: the end of a long output counts most."""
    shown = output.strip("\n")
    if len(shown) > _TOLD:
        shown = f"[the first {len(shown) - _TOLD:,} characters are left out]\n{shown[-_TOLD:]}"
    lead = f"The user ran a suggested command, which {outcome(code, timed_out)}:"
    printed = f"\nIt printed:\n{_indented(shown)}" if shown else "\nIt printed nothing."
    return f"{lead}\n{_indented(command)}{printed}"


def page(command: str, code: int | None, timed_out: bool, output: str) -> str:
    """The same for the user, as Markdown."""
    marks = "```"
    while marks in output or marks in command:
        marks += "`"
    body = output.rstrip("\n") or "(no output)"
    return f"# A command {outcome(code, timed_out)}\n\n{marks}sh\n{command}\n{marks}\n\n{marks}\n{body}\n{marks}\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
