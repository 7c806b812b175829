"""Which tests stay together when several processes share them: those that use the embedded model, so that one
server of it runs, and those of a module whose server or editor serves all its tests.

xdist groups by names it appends to ids of tests, which pytest 9 does not let it change; this groups by module.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

_ROOT = Path(__file__).parents[2]
_MODEL = re.compile(r"^(?:@|pytestmark.*)pytest\.mark\.model\b", re.M)
_NAMED = re.compile(r'pytest\.mark\.xdist_group\("(\w+)"\)')


class Grouped(LoadScopeScheduling):
    """Every test goes to whoever is free, a group to one process; the largest groups first."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid.partition("::")[0]) or nodeid


@cache
def group_of(path: str) -> str:
    """The group of the tests in the module at `path`; empty: each for itself."""
    text = (_ROOT / path).read_text(encoding="utf-8")
    if _MODEL.search(text):
        return "model"
    named = _NAMED.search(text)
    return named[1] if named else ""
