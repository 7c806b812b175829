"""Records of a conversation as lines of JSON, and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from types import MappingProxyType
from typing import Any

from pairwright.memory.chat import SCHEMA, Exchange, Fact, Files, Opened, Record, Summary

_KINDS: Mapping[str, type[Record]] = MappingProxyType(
    {"open": Opened, "turn": Exchange, "fact": Fact, "summary": Summary, "files": Files}
)
_NAMES = {kind: name for name, kind in _KINDS.items()}
TURN = b'{"kind":"turn",'
"""How the line of a finished turn begins."""


class Newer(ValueError):
    """The conversation was written by a later version."""


def encode(record: Record) -> bytes:
    """One line, without its end. Whatever the texts hold, it is ASCII."""
    tree = {"kind": _NAMES[type(record)], **asdict(record)}
    return json.dumps(tree, separators=(",", ":")).encode("ascii")


def decode(line: bytes) -> Record | None:
    """The record of a line; None for a kind this version does not know. Raises ValueError on anything that is no
    whole record, Newer on one of a later schema."""
    try:
        tree = json.loads(line)
    except RecursionError as error:
        raise ValueError("no record") from error
    if not isinstance(tree, dict) or not isinstance(tree.get("kind"), str):
        raise ValueError("no record")
    kind = _KINDS.get(tree["kind"])
    if kind is None:
        return None
    if kind is Opened and isinstance(tree.get("schema"), int) and tree["schema"] > SCHEMA:
        raise Newer(f"it has schema {tree['schema']}, this version writes {SCHEMA}")
    return kind(**_values(kind, tree))


def _values(kind: type[Record], tree: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `tree` that the record has, each of the type it must have."""
    found: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in tree:
            found[field.name] = _value(str(field.type), tree[field.name])
        elif field.default is MISSING:
            raise ValueError(f"{field.name} is missing")
    return found


def _value(wanted: str, value: Any) -> Any:
    match wanted, value:
        case "str" | "str | None", str():
            return value
        case "str | None", None:
            return None
        case "float", int() | float():
            return float(value)
        case "int", int():
            return value
        case "tuple[str, ...]", list() if all(isinstance(one, str) for one in value):
            return tuple(value)
        case "tuple[tuple[str, str], ...]", list():
            return tuple(_pair(one) for one in value)
    raise ValueError(f"{wanted} is wanted, not {type(value).__name__}")


def _pair(value: Any) -> tuple[str, str]:
    match value:
        case [str() as path, str() as digest]:
            return path, digest
    raise ValueError("no pair of words")
