"""The marker lines of the SEARCH/REPLACE formats.

Form is forgiven: 5 to 9 characters, a missing space, a stray `>` or `:` behind the word.
"""

from __future__ import annotations

import re

# Text behind the word is a file name or a remark.
HEAD = re.compile(r"([ \t]*)<{5,9} ?SEARCH(?:[ \t]+([^\s>:].*)|[ \t]*(?:[>:]+[ \t]*)?)", re.I)
END = re.compile(r"([ \t]*)>{5,9} ?REPLACE[ \t]*(?:[>:]+[ \t]*)?", re.I)
# A head with too few or too many characters: no edit, and a fault to tell.
FALSE_HEAD = re.compile(r"(?:<{3,4}|<{10,40}) ?SEARCH[ \t]*[>:]{0,9}[ \t]*", re.I)
DIVIDER = re.compile(r"([ \t]*)(={5,9})[ \t]*")
FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*(.*)")
_BARE = frozenset({"```", "````", "~~~"})

# Wider than what is read, so that no line that looks like a marker is ever written.
NEVER_WRITTEN = re.compile(
    rb"(?:<{3,} ?SEARCH\b|<{5,} ?(?:DEFINITION|BEFORE|AFTER|DELETE) \S|>{3,} ?REPLACE\b)", re.I
)
DIVIDER_BYTES = re.compile(rb"={7}[ \t]*")


def fence(line: str) -> tuple[str, str, str] | None:
    """The indentation, the characters and the text behind them of a fence's first or last line."""
    if line in _BARE:
        return "", line, ""
    found = FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
    return (found[1], found[2], found[3]) if found is not None else None
