"""Fixtures in one string: several files by `-- path --` headers, a `<CURSOR>` mark for a position."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^-- (.+?) --\n", re.M)
CURSOR = "<CURSOR>"


def files(archive: str) -> dict[str, str]:
    """The files of a text archive, in order."""
    parts = _HEADER.split(archive)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def cursor(text: str) -> tuple[str, int]:
    """`text` without its one mark, and the mark's offset in characters."""
    at = text.index(CURSOR)
    return text[:at] + text[at + len(CURSOR) :], at
