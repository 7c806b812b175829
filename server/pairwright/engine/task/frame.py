"""A grammar for a plan: for a small model that takes one, the form is the host's and only the words are the model's.

What is to be modified or deleted can only be a file that there is. No check commands: a small model invents them.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pairwright.llm.grammar import literal

MOST_FILES = 4
"""A small model goes on until it is stopped, and begins to repeat itself."""
MOST_PATHS = 200
"""Files of the workspace that are named one by one; where there are more, the model writes their paths."""

_LINE = 160
_DECLARED = 120
_PLAIN = re.compile(r"[\x20-\x7e]+")


def grammar(paths: Sequence[str], named: Sequence[str] = ()) -> str:
    """For a plan in a workspace of the files `paths`, of which the user named `named`."""
    shown = paths if len(paths) <= MOST_PATHS else named
    there = sorted(path for path in set(shown) if _PLAIN.fullmatch(path))
    is_open = len(paths) > MOST_PATHS
    existing = [*map(literal, there), *(["path"] if is_open or not there else [])]
    actions = ['"create " path']
    if there or is_open:
        actions += ['"modify " there', '"delete " there']
    rules = (
        f'root ::= "# Plan: " title file{{1,{MOST_FILES}}}',
        r'title ::= [A-Za-z] [^\r\n#]{2,60} "\n"',
        r'file ::= "\n## " head "\n\n" purpose ("\n" line{1,4})?',
        f"head ::= {' | '.join(actions)}",
        f"there ::= {' | '.join(existing)}",
        r'path ::= [A-Za-z0-9_] [A-Za-z0-9_/-]{0,60} ("." [A-Za-z0-9_-]{1,12}){1,3}',
        f'purpose ::= [A-Z] [^\\r\\n]{{8,{_LINE}}} "\\n"',
        "line ::= contract | depends",
        f'contract ::= "- contract: " [A-Za-z@] [^\\r\\n]{{3,{_DECLARED}}} "\\n"',
        'depends ::= "- depends: " (there | path) "\\n"',
    )
    return "\n".join(rules) + "\n"
