"""A fence that occurs in no text it has to enclose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_RUN = re.compile("`{3,}")


def fence(texts: Iterable[str]) -> str:
    """Backticks, at least three: one more than the longest run anywhere in `texts`."""
    return "`" * (max(map(_longest, texts), default=2) + 1)


@lru_cache(maxsize=64)
def _longest(text: str) -> int:
    """Backticks of the longest run of three and more, else 2. Remembered: the parts of a prompt are put together
    several times on their way."""
    return max(map(len, _RUN.findall(text)), default=2)
