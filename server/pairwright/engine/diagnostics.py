"""What an editor reports at the place of a request: errors and warnings, worded for a prompt. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST = 20
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One report. `line`: from 0. `severity`: as a word. `source`: who says so; `code`: the name of the rule."""

    line: int
    message: str
    severity: str = "error"
    source: str = ""
    code: str = ""

    @property
    def text(self) -> str:
        """One line."""
        said = " ".join(self.message.split())
        if len(said) > _LONGEST:
            said = f"{said[:_LONGEST]}…"
        by = " ".join(part for part in (self.source, self.code) if part)
        return f"line {self.line + 1}: {self.severity}: {said}{f' ({by})' if by else ''}"


def worded(reported: Sequence[Diagnostic]) -> tuple[str, ...]:
    """The reports in the order of their lines, each once; what is beyond the first twenty is counted."""
    lines = tuple(
        dict.fromkeys(
            one.text for one in sorted(reported, key=lambda one: (one.line, one.severity, one.text))
        )
    )
    more = len(lines) - MOST
    return lines if more <= 0 else (*lines[:MOST], f"and {more} more")
