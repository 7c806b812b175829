"""The marker lines of the SEARCH/REPLACE formats.

Form is forgiven: 5 to 9 characters, a missing space, a stray `>` or `:` behind the word.
"""

from __future__ import annotations

import re

HEAD = re.compile(r"([ \t]*)<{5,9} ?SEARCH[ \t]*(?:[>:]+[ \t]*)?")
END = re.compile(r"([ \t]*)>{5,9} ?REPLACE[ \t]*(?:[>:]+[ \t]*)?")
DIVIDER = re.compile(r"([ \t]*)(={5,9})[ \t]*")
FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*(.*)")

# Wider than what is read, so that no line that looks like a marker is ever written.
NEVER_WRITTEN = re.compile(rb"(?:<{3,} ?SEARCH|>{3,} ?REPLACE)\b")
DIVIDER_BYTES = re.compile(rb"={7}[ \t]*")
