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
        # Control characters: no text, whatever encoding would take them.
        (b"\x01\xfe\x80\x00\n", "not UTF-8 at byte 1"),
        (BOM_UTF8 + b"\xff", "at byte 3"),
        (b"\xed\xa0\x80\x00", "not UTF-8 at byte 0"),
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


@pytest.mark.parametrize(
    ("text", "written", "codec"),
    [
        ("x = 1  # Größe und Länge der Straße\n", "latin-1", "cp1252"),
        ("say(“yes”)  # – naïve\n", "cp1252", "cp1252"),
        ("# Привет мир, это комментарий\n", "cp1251", "cp1251"),
        ("# zażółć gęślą jaźń\n", "cp1250", "cp1250"),
        ("# 日本語のコメント\nprint(1)\n", "shift_jis", "cp932"),
        ("; 設定\nlang=ja\n", "shift_jis", "cp932"),
        ("# 中文注释 你好世界\nx = 1\n", "gbk", "gb18030"),
        ("# 한국어 주석입니다\n", "euc-kr", "cp949"),
        # What a file says of itself counts before what it looks like.
        ("# -*- coding: iso-8859-15 -*-\n# 5 €\n", "iso-8859-15", "iso8859-15"),
        ('<?xml version="1.0" encoding="iso-8859-2"?>\n<a>jaźń</a>\n', "iso-8859-2", "iso8859-2"),
        ("// vim: set fenc=koi8-r :\n// да\n", "koi8-r", "koi8-r"),
        # It may be wrong, and then does not.
        ("# coding: shift_jis\n# Größe\n", "latin-1", "cp1252"),
        ("# coding: no-such\n# Größe\n", "latin-1", "cp1252"),
    ],
)
def test_other_encodings(text: str, written: str, codec: str) -> None:
    check(text.encode(written), text, codec, b"")


def test_a_character_that_the_encoding_lacks_is_never_written() -> None:
    decoded = decode("# Größe\n".encode("latin-1"))
    assert isinstance(decoded, Decoded)
    with pytest.raises(UnicodeError):
        encode("# 日本\n".encode(), decoded.codec, decoded.bom)
