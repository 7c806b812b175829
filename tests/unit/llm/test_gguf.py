"""Control tokens from the header of a GGUF file."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from pairwright.llm.gguf import NotGguf, control_tokens

NORMAL, CONTROL, USER = 1, 3, 4
TOKENS = [
    ("a", NORMAL),
    ("<|im_start|>", CONTROL),
    ("<|im_end|>", CONTROL),
    ("<x>", USER),
    ("<own>", CONTROL),
]


def string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, kind: int, value: bytes) -> bytes:
    return string(key) + struct.pack("<I", kind) + value


def array(kind: int, values: list[bytes]) -> bytes:
    return struct.pack("<IQ", kind, len(values)) + b"".join(values)


def header(*pairs: bytes, version: int = 3, magic: bytes = b"GGUF") -> bytes:
    return magic + struct.pack("<IQQ", version, 0, len(pairs)) + b"".join(pairs)


NAMES = pair("tokenizer.ggml.tokens", 9, array(8, [string(name) for name, _ in TOKENS]))
TYPES = pair("tokenizer.ggml.token_type", 9, array(5, [struct.pack("<i", t) for _, t in TOKENS]))
OTHERS = (
    pair("general.name", 8, string("tiny")),
    pair("a.flag", 7, b"\x01"),
    pair("a.wide", 12, struct.pack("<d", 0.5)),
    pair("a.list", 9, array(9, [array(0, [b"\x01", b"\x02"]), array(8, [string("é")])])),
)


def check(tmp_path: Path, data: bytes, expected: list[int] | None) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(data)
    if expected is None:
        with pytest.raises(NotGguf, match=r"x\.gguf"):
            control_tokens(path)
    else:
        assert control_tokens(path) == expected


def test_control_tokens_but_not_those_that_end_an_answer(tmp_path: Path) -> None:
    check(tmp_path, header(*OTHERS, NAMES, *OTHERS, TYPES), [1, 4])
    eos = pair("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", 4))
    check(tmp_path, header(eos, TYPES, NAMES, version=2), [1])


def test_no_types_no_control_tokens(tmp_path: Path) -> None:
    check(tmp_path, header(*OTHERS, NAMES), [])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GG",
        header(magic=b"GGML"),
        header(version=1),
        header(NAMES, TYPES)[:-3],
        header(pair("x", 99, b"")),
        header(pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2**60))),
    ],
)
def test_damaged_headers(tmp_path: Path, data: bytes) -> None:
    check(tmp_path, data, None)
