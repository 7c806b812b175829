"""Tokens of a text without a tokenizer: a quick over-estimate, for display and for when counting
fails.

Pure and deterministic. Where a tokenizer is at hand, `Model.count` is the truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PIECE = re.compile(r"[A-Za-z]+|[0-9]|[^\S\n]+|\n+|[^\sA-Za-z0-9]")
# Letters a token in one run of letters. English words and identifiers come out between 3 and 6 with
# the tokenizers of 2023-2026; 3 stays above them for everything but random letters.
_LETTERS = 3


def estimate(text: str) -> int:
    """Tokens of `text`, over-estimated: letters in threes, every digit and mark by itself, other
    characters by their UTF-8 bytes."""
    total = 0
    for piece in _PIECE.findall(text):
        first = piece[0]
        if first.isascii():
            total += -(-len(piece) // _LETTERS) if first.isalpha() else 1
        else:
            total += max(1, len(piece.encode("utf-8", "surrogatepass")) - 1)
    return total


def estimates(texts: Sequence[str]) -> list[int]:
    """`estimate` of each text, in order."""
    return [estimate(text) for text in texts]
