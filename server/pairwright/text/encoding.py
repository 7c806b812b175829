"""Bytes of a file to UTF-8 text and back, byte for byte.

Strict: UTF-8 (with or without BOM), UTF-16 with a BOM, else the encoding that the text itself declares or that
charset-normalizer finds in it, and only where encoding gives the same bytes again. What has no text is refused by
every writer with a reason, never decoded with replacement characters.
"""

from __future__ import annotations

import codecs
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from functools import lru_cache

# PEP 263, the lines of Emacs and Vim, XML declarations, HTML and CSS charsets.
_DECLARED = re.compile(
    rb"(?:coding|encoding|charset|fenc)[ \t]*[:=][ \t]*[\"']?([A-Za-z][-\w.:]{1,30})"
)
_HEAD = 1024
_SAMPLE = 256 * 1024
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
# Those that are in use for source code; the more there are to choose from, the worse the choice.
_CANDIDATES = (
    "cp1252",
    "cp1251",
    "cp1250",
    "koi8_r",
    "cp932",
    "euc_jp",
    "gb18030",
    "big5",
    "cp949",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
)
_WESTERN = "cp1252"
_LATIN = ("cp1250", "cp1254")


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
        found = None if bom else _other(raw)
        return found or Undecodable(
            f"is not UTF-8 at byte {error.start + len(bom)}: its encoding is unknown, "
            "save it as UTF-8 first"
        )
    return Decoded(body, "utf-8", bom)


def _other(raw: bytes) -> Decoded | None:
    """`raw` in the encoding it declares, or else in the one it looks like; None for what is no text."""
    if _CONTROL.search(raw):
        return None
    declared = _DECLARED.search(raw[:_HEAD])
    names = (declared[1].decode().lower(), *_detected(raw)) if declared else _detected(raw)
    for name in names:
        try:
            codec = codecs.lookup(name).name
            text = raw.decode(codec)
            if codec.startswith("utf") or text.encode(codec) != raw:
                continue
        except (LookupError, UnicodeError, ValueError):
            continue
        if not _CONTROL.search(text.encode("utf-8")):
            return Decoded(text.encode("utf-8"), codec, b"")
    return None


@lru_cache(maxsize=64)
def _detected(raw: bytes) -> tuple[str, ...]:
    """Encodings that `raw` may be in, the likeliest first."""
    # Loaded for the few files that need it: 60 ms.
    from charset_normalizer import from_bytes

    # Whole lines: a character cut in two speaks against every encoding that has it.
    sample = raw if len(raw) <= _SAMPLE else raw[: raw.rfind(b"\n", 0, _SAMPLE) + 1 or _SAMPLE]
    found = from_bytes(sample, cp_isolation=list(_CANDIDATES))
    best = found.best()
    if best is None:
        return (_WESTERN,)
    # A few accented letters fit every Latin page; the common one is likelier.
    is_western = best.encoding in _LATIN and any(
        _WESTERN in one.could_be_from_charset for one in found
    )
    return (_WESTERN if is_western else best.encoding,)


def encode(data: bytes, codec: str, bom: bytes) -> bytes:
    """UTF-8 `data` as the bytes of a file in `codec` behind `bom`. Raises UnicodeError on a lone surrogate, and
    on a character that `codec` lacks."""
    if codec == "utf-8":
        data.decode("utf-8")
        return bom + data
    return bom + data.decode("utf-8").encode(codec)
