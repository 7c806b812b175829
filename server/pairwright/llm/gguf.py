"""The few facts of a GGUF file's header that the engine does not tell: which tokens are control
tokens.

A control token passes a grammar by its name (`<|im_start|>` is twelve harmless characters) and
shows as nothing in the answer. So a model may hide one behind a marker that the grammar forbids to
stand alone, and the marker stands alone after all. Such tokens are forbidden by number. Format: the
GGUF specification of ggml, versions 2 and 3.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
# Bytes of each scalar type, by its number; 8 is a string, 9 an array.
_SCALARS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY = 8, 9
_CONTROL = 3
_TYPES, _NAMES = "tokenizer.ggml.token_type", "tokenizer.ggml.tokens"
_ENDS_KEYS = tuple(f"tokenizer.ggml.{kind}_token_id" for kind in ("eos", "eot", "eom"))
# Names that end an answer whatever the header says; they must stay possible.
_ENDS = frozenset(
    b"<|im_end|> <|endoftext|> <|eot_id|> <|eom_id|> <|end|> <|end_of_text|> <end_of_turn> <eos> </s> <EOT> "
    b"<|return|> <|call|> <|user|> [EOT] [EOS]".split()
) | {"<｜end▁of▁sentence｜>".encode()}


class NotGguf(Exception):
    """The file's header cannot be read."""


def control_tokens(path: Path) -> list[int]:
    """Ids of the control tokens that do not end an answer, ascending; empty if the header names no
    types. About 0.2 s for a vocabulary of 150,000. Raises NotGguf."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Header(data).control_tokens()
    except (OSError, ValueError, struct.error, KeyError, IndexError) as error:
        raise NotGguf(f"{path}: {error}") from error


class _Header:
    """Walks the key-value pairs once. `_at`: the byte to be read next."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        if data[:4] != b"GGUF" or self._u32(4) not in (2, 3):
            raise ValueError("not a GGUF file of version 2 or 3")
        self._pairs = self._u64(16)
        self._at = 24

    def control_tokens(self) -> list[int]:
        types: tuple[int, ...] = ()
        names: list[bytes] = []
        ends: set[int] = set()
        for _ in range(self._pairs):
            key = self._string().decode("utf-8", "replace")
            kind = self._take(4)
            if key == _TYPES:
                types = self._integers()
            elif key == _NAMES:
                names = self._strings()
            elif key in _ENDS_KEYS and kind in (4, 5):
                ends.add(self._take(4))
            else:
                self._skip(kind)
        ends.update(number for number, name in enumerate(names) if name in _ENDS)
        return [n for n, kind in enumerate(types) if kind == _CONTROL and n not in ends]

    def _integers(self) -> tuple[int, ...]:
        kind, count = self._take(4), self._take(8)
        if _SCALARS[kind] != 4:
            raise ValueError(f"token types of kind {kind}")
        values = struct.unpack_from(f"<{count}i", self._data, self._at)
        self._at += 4 * count
        return values

    def _strings(self) -> list[bytes]:
        kind, count = self._take(4), self._take(8)
        if kind != _STRING:
            raise ValueError(f"tokens of kind {kind}")
        return [self._string() for _ in range(count)]

    def _skip(self, kind: int) -> None:
        if kind == _STRING:
            self._at += 8 + self._u64(self._at)
        elif kind == _ARRAY:
            inner, count = self._take(4), self._take(8)
            if inner in _SCALARS:
                self._at += _SCALARS[inner] * count
            else:
                for _ in range(count):
                    self._skip(inner)
        else:
            self._at += _SCALARS[kind]

    def _string(self) -> bytes:
        size = self._take(8)
        start = self._at
        self._at += size
        return self._data[start : self._at]

    def _take(self, size: int) -> int:
        value = self._u32(self._at) if size == 4 else self._u64(self._at)
        self._at += size
        return value

    def _u32(self, at: int) -> int:
        return int(_U32.unpack_from(self._data, at)[0])

    def _u64(self, at: int) -> int:
        return int(_U64.unpack_from(self._data, at)[0])
