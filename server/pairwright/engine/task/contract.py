"""Contracts: which name a promised signature is about, and whether a text keeps it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pairwright.tags.types import Tags, parents

_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*")
_GO_METHOD = re.compile(r"func[ \t]*\([^)]*\)[ \t]*")
_WORDS = frozenset(
    (
        *("abstract", "async", "class", "const", "constant", "constructor", "def", "default"),
        *("declare", "enum", "export", "extern", "final", "fn", "fun", "func", "function"),
        *("get", "impl", "inline", "interface", "internal", "let", "method", "module", "mut"),
        *("new", "object", "override", "private", "property", "protected", "pub", "public"),
        *("readonly", "record", "sealed", "set", "static", "struct", "sub", "trait", "type"),
        *("union", "unsafe", "val", "var", "variable", "virtual", "void"),
    )
)
_APART = frozenset(("c", "cpp", "cuda", "d", "go", "lua", "objc", "perl", "r", "rust"))
"""Languages in which members may stand outside of their type's definition."""
_TYPES = frozenset(("class", "enum", "interface", "record", "struct", "trait", "type", "union"))


def symbol(signature: str) -> str:
    """The name that a line such as `def total(items) -> int` promises, dotted where it is a member's; empty where it
    promises none."""
    text = _GO_METHOD.sub("func ", re.split(r"\s[-–—]\s|\s#\s|//", signature, maxsplit=1)[0])
    names = [(m[0], m.start()) for m in _NAME.finditer(text)]
    if any(name in _TYPES for name, _ in names[:4]):
        # Behind the name of a type comes what it is made from.
        rest = [name for name, _ in names]
        while rest and rest[0] not in _TYPES:
            rest.pop(0)
        return next((_dotted(name) for name in rest if name not in _WORDS), "")
    end = min((at for at in map(text.find, "(:={<") if at >= 0), default=len(text))
    if text[end : end + 2] == "::":
        end = text.find("(") if "(" in text else len(text)
    head = [name for name, start in names if start < end and name not in _WORDS]
    if not head:
        return ""
    is_prose = end == len(text) and len(head) > 3
    return "" if is_prose else _dotted(head[-1])


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")


def unmet(contract: Sequence[str], tags: Tags, text: str) -> tuple[str, ...]:
    """The names of `contract` that `text` (with its `tags`) does not define, in order. Where a language has no tags,
    and for names that are no callable's, a word of the text is enough."""
    defined = _defined(tags)
    missing: list[str] = []
    for line in contract:
        name = symbol(line)
        if not name or name in missing:
            continue
        last = name.rpartition(".")[2]
        if name in defined or (tags.language in _APART and last in defined):
            continue
        is_loose = not defined or ("(" not in line and not _TYPES & set(line.split()))
        if is_loose and re.search(rf"(?<![\w$]){re.escape(last)}(?![\w$])", text):
            continue
        missing.append(name)
    return tuple(missing)


def _defined(tags: Tags) -> frozenset[str]:
    """The names defined, bare and behind the names of what is around them."""
    found: set[str] = set()
    above = parents(tags.defs)
    full: list[str] = []
    for index, item in enumerate(tags.defs):
        around = full[above[index]] if above[index] >= 0 else ""
        full.append(f"{around}.{item.name}" if around else item.name)
        parts = full[index].split(".")
        found.update(".".join(parts[at:]) for at in range(len(parts)))
    return frozenset(found)
