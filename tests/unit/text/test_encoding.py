"""Files to text and back, byte for byte; refusals with a reason."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.encoding import Decoded, Undecodable, decode, encode


def check(raw: bytes, text: str, codec: str, bom: bytes) -> None:
    decoded = decode(raw)
    assert decoded == Decoded(text.encode(), codec, bom)
    assert encode(decoded.data, decoded.codec, decoded.bom) == raw


@pytest.mark.parametrize(
    ("raw", "text", "codec", "bom"),
    [
        (b"", "", "utf-8", b""),
        ("é💩\r\n".encode(), "é💩\r\n", "utf-8", b""),
        (BOM_UTF8 + b"a", "a", "utf-8", BOM_UTF8),
        (BOM_UTF8, "", "utf-8", BOM_UTF8),
        (BOM_UTF16_LE + "é💩\n".encode("utf-16-le"), "é💩\n", "utf-16-le", BOM_UTF16_LE),
        (BOM_UTF16_BE + "é💩\n".encode("utf-16-be"), "é💩\n", "utf-16-be", BOM_UTF16_BE),
    ],
)
def test_known_encodings(raw: bytes, text: str, codec: str, bom: bytes) -> None:
    check(raw, text, codec, bom)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"caf\xe9\n", "not UTF-8 at byte 3"),
        (BOM_UTF8 + b"\xff", "at byte 3"),
        (b"\xed\xa0\x80", "not UTF-8 at byte 0"),
        (BOM_UTF16_LE + b"a", "not UTF-16"),
        (BOM_UTF16_BE + b"\xd8\x00\x00a", "not UTF-16"),
    ],
)
def test_what_has_no_text_is_refused_with_the_place(raw: bytes, said: str) -> None:
    refused = decode(raw)
    assert isinstance(refused, Undecodable)
    assert said in refused.reason


@given(st.binary(max_size=60))
def test_whatever_decodes_encodes_to_the_same_bytes(raw: bytes) -> None:
    decoded = decode(raw)
    if isinstance(decoded, Decoded):
        assert encode(decoded.data, decoded.codec, decoded.bom) == raw


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le"])
def test_a_lone_surrogate_is_never_written(codec: str) -> None:
    with pytest.raises(UnicodeError):
        encode("\ud800".encode("utf-8", "surrogatepass"), codec, b"")
