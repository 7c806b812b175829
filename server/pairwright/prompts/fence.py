"""A fence that occurs in no text it has to enclose."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RUN = re.compile("`{3,}")


def fence(texts: Iterable[str]) -> str:
    """Backticks, at least three: one more than the longest run anywhere in `texts`."""
    runs = (len(run) for text in texts for run in _RUN.findall(text))
    return "`" * (max(runs, default=2) + 1)
