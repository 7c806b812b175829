"""Pictures: what kind a file is, how large the picture, and what a model pays to see it.

Pure functions of a file's first bytes; pictures are never decoded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pairwright.llm.types import Image

MOST_BYTES = 5_000_000
"""The largest picture that providers take."""
UNKNOWN_TOKENS = 1_640
"""What a picture of unknown size counts: the most that the rule gives."""
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def mime_of(data: bytes) -> str | None:
    """The type of a picture by its first bytes; None for any other file."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels, from the file's header; None where it does not say."""
    match mime_of(data):
        case "image/png" if len(data) >= 24:
            return _pair(data, 16, 4, "big")
        case "image/gif" if len(data) >= 10:
            return _pair(data, 6, 2, "little")
        case "image/jpeg":
            return _jpeg(data)
        case "image/webp":
            return _webp(data)
        case _:
            return None


def tokens_of(image: Image) -> int:
    """Tokens of a picture, rounded up: the larger of what OpenAI (85 and 170 for each tile of 512 pixels, within
    2,048 and a short side of 768) and Anthropic (pixels by 750, within 1,568) say they count."""
    size = size_of(image.data)
    if size is None or not all(size):
        return UNKNOWN_TOKENS
    wide, high = _within(size, 1_568)
    by_area = math.ceil(wide * high / 750)
    wide, high = _within(size, 2_048)
    scale = min(1.0, 768 / min(wide, high))
    tiles = math.ceil(wide * scale / 512) * math.ceil(high * scale / 512)
    return min(UNKNOWN_TOKENS, max(by_area, 85 + 170 * tiles))


def with_images(tokens: Mapping[str, int], images: Iterable[Image]) -> dict[str, int]:
    """Tokens by part, with what the pictures themselves cost."""
    cost = sum(map(tokens_of, images))
    return {name: n + (cost if name == "images" else 0) for name, n in tokens.items()}


def _within(size: tuple[int, int], most: int) -> tuple[float, float]:
    scale = min(1.0, most / max(size))
    return size[0] * scale, size[1] * scale


def _pair(data: bytes, at: int, width: int, order: str) -> tuple[int, int]:
    big = order == "big"
    first, second = data[at : at + width], data[at + width : at + 2 * width]
    if big:
        return int.from_bytes(first, "big"), int.from_bytes(second, "big")
    return int.from_bytes(first, "little"), int.from_bytes(second, "little")


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _START_OF_FRAME:
            high, wide = _pair(data, at + 5, 2, "big")
            return wide, high
        # Fill bytes stand alone; every other segment here has a length.
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        wide, high = _pair(data, 24, 3, "little")
        return wide + 1, high + 1
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(data) >= 30:
        wide, high = _pair(data, 26, 2, "little")
        return wide & 0x3FFF, high & 0x3FFF
    return None
