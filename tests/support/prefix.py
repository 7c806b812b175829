"""How much of a prompt a provider's prefix cache can serve: what it has in common with the one before, from the
beginning."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from pairwright.text.estimate import estimate


def flat(messages: Sequence[dict[str, Any]]) -> str:
    """The messages as one text, in the order a model reads them."""
    return "".join(f"<{m['role']}>{_content(m)}</{m['role']}>" for m in messages)


def shared(before: str, after: str) -> float:
    """Which part of the tokens of `after` its common beginning with `before` has, 0 to 1."""
    # Character by character is what is wanted here.
    common = os.path.commonprefix((before, after))  # noqa: RUF071  characters are meant
    return estimate(common) / max(1, estimate(after))


def _content(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content)
