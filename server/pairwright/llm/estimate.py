"""Tokens of a text without a tokenizer: a quick over-estimate, for display and for when counting
fails.

Pure and deterministic, linear in the text. Where a tokenizer is at hand, `Model.count` is the
truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Cut as the tokenizers of 2023-2026 cut before they merge: a single space belongs to what follows
# it, letters go by words (here also by humps of camel case), indentation is one piece.
_PIECE = re.compile(
    r" ?(?P<run>[A-Za-z0-9+/=_-]{24,})"
    r"| ?(?P<word>[A-Z]?[a-z]+|[A-Z]+)"
    r"| ?(?P<mark>[!-/:-@\[-`{-~]+)"
    r"|(?P<blank>\s*\n|\s+)"
    r"|(?P<other>[^\x00-\x7f]+)"
    r"|(?P<one>[\x00-\x7f])"
)
_INSIDE = re.compile(r"(?P<word>[A-Z]?[a-z]+|[A-Z]+)|(?P<one>[0-9])|(?P<mark>[+/=_-]+)")
_DIGIT, _UPPER, _LOWER = re.compile(r"[0-9]"), re.compile(r"[A-Z]"), re.compile(r"[a-z]")


def estimate(text: str) -> int:
    """Tokens of `text`, over-estimated: 1.1 to 2 times the real count for code and prose, up to 3
    times for scripts beyond Latin, never less but for long words without any sense."""
    return _total(_PIECE, text)


def estimates(texts: Sequence[str]) -> list[int]:
    """`estimate` of each text, in order."""
    return [estimate(text) for text in texts]


def _total(pattern: re.Pattern[str], text: str) -> int:
    total = 0
    for match in pattern.finditer(text):
        kind = match.lastgroup or "one"
        piece = match[kind]
        match kind:
            case "word":
                total += -(-len(piece) // 4)
            case "mark":
                total += -(-2 * len(piece) // 3)
            case "run":
                total += _run(piece)
            case "other":
                total += _other(piece)
            case _:
                total += 1
    return total


def _run(piece: str) -> int:
    """A long run without a blank: a key or base64 (about 0.75 tokens a character), or a long
    name."""
    dense = all(kind.search(piece) for kind in (_DIGIT, _UPPER, _LOWER))
    dense = dense or 4 * len(_DIGIT.findall(piece)) >= len(piece)
    return len(piece) if dense else _total(_INSIDE, piece)


def _other(piece: str) -> int:
    """Characters beyond ASCII: a token for two bytes of UTF-8, three for the four bytes of an
    emoji."""
    astral = sum(char > "\uffff" for char in piece)
    return -(-(len(piece.encode("utf-8", "surrogatepass")) + 2 * astral) // 2)
