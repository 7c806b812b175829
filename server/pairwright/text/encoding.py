"""Bytes of a file to UTF-8 text and back, byte for byte.

Strict: what is not UTF-8 (with or without BOM) or UTF-16 with a BOM has no text here and is refused by
every writer with a reason, never decoded with replacement characters.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoded:
    """`data`: the text as UTF-8 without BOM. `codec`: Python's codec name. `bom`: the mark to write back."""

    data: bytes
    codec: str
    bom: bytes


@dataclass(frozen=True, slots=True)
class Undecodable:
    """`reason`: a phrase for the user: which encoding was expected and what to do."""

    reason: str


def decode(raw: bytes) -> Decoded | Undecodable:
    """The text of `raw`, or why it has none. `encode(decode(raw)) == raw` whenever it has."""
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        codec = "utf-16-le" if raw.startswith(BOM_UTF16_LE) else "utf-16-be"
        try:
            text = raw[2:].decode(codec)
        except UnicodeDecodeError as error:
            return Undecodable(f"has a UTF-16 mark but is not UTF-16 at byte {error.start + 2}")
        return Decoded(text.encode("utf-8"), codec, raw[:2])
    bom = BOM_UTF8 if raw.startswith(BOM_UTF8) else b""
    body = raw[len(bom) :]
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return Undecodable(
            f"is not UTF-8 at byte {error.start + len(bom)}: its encoding is unknown, "
            "save it as UTF-8 first"
        )
    return Decoded(body, "utf-8", bom)


def encode(data: bytes, codec: str, bom: bytes) -> bytes:
    """UTF-8 `data` as the bytes of a file in `codec` behind `bom`. Raises UnicodeError on a lone surrogate."""
    if codec == "utf-8":
        data.decode("utf-8")
        return bom + data
    return bom + data.decode("utf-8").encode(codec)
