"""What an option of the tree says of itself. Apart, since every part of the tree needs it."""

from __future__ import annotations

from typing import Any


def doc(text: str, **extra: Any) -> dict[str, Any]:
    """The metadata of a field: its words for the docs, and limits (`minimum`, `maximum`) or other marks."""
    return {"doc": text, **extra}
