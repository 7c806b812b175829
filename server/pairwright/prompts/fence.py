"""A fence that occurs in no text it has to enclose."""

from __future__ import annotations

from collections.abc import Iterable


def fence(texts: Iterable[str]) -> str:
    """Backticks, at least three: more than any line of `texts` begins with, blanks aside."""
    longest = 2
    for text in texts:
        at = text.find("```")
        while at >= 0:
            end = at
            while end < len(text) and text[end] == "`":
                end += 1
            begin = text.rfind("\n", 0, at) + 1
            if not text[begin:at].strip():
                longest = max(longest, end - at)
            at = text.find("```", end)
    return "`" * (longest + 1)
