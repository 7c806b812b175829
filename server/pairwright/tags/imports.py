"""What a text imports: the modules, paths or headers it names, and the names it takes from them.

Lines say it, and the syntax tree takes back what stands in a string or a comment. Which file is meant is the business
of `graph.imports`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import tree_sitter

from pairwright.tags.files import is_isolated, unfit
from pairwright.tags.parse import Parsed, parse

VERSION = 1
"""Raised whenever this code would give other imports for the same text."""

_READ = 256 * 1024
_MOST_NAMES = 40
_MOST = 300
_ALIAS = re.compile(r"\s+as\s+\w+$|^type\s+")


class Import(NamedTuple):
    """One import. `module`: as written, without quotes; a header keeps `<` in front when it is in angle brackets.
    `names`: what is taken from it, in order; empty for all or for the module itself."""

    module: str
    names: tuple[str, ...] = ()


class _Rule(NamedTuple):
    pattern: re.Pattern[bytes]
    read: Callable[[re.Match[bytes]], Iterator[Import]]


def imports_of(data: bytes, language: str | None) -> tuple[Import, ...]:
    """The imports of `data`, in order, each module once with all its names; none in a language without a rule. The
    first 256 KB are read."""
    rules = _RULES.get(language or "")
    if not rules or language is None:
        return ()
    found = sorted(
        (
            (match.start(), match, rule)
            for rule in rules
            for match in rule.pattern.finditer(data, 0, _READ)
        ),
        key=lambda one: one[0],
    )
    if not found:
        return ()
    parsed = None if is_isolated(language) or unfit(data) else parse(data, language)
    names: dict[str, dict[str, None]] = {}
    for _, match, rule in found[:_MOST]:
        if parsed is not None and _is_said(parsed, match):
            continue
        for item in rule.read(match):
            names.setdefault(item.module, {}).update(dict.fromkeys(item.names))
    return tuple(Import(module, tuple(held)[:_MOST_NAMES]) for module, held in names.items())


def _is_said(parsed: Parsed, match: re.Match[bytes]) -> bool:
    """Whether the first word of `match` stands in a string or a comment."""
    at = match.start() + len(match[0]) - len(match[0].lstrip())
    root = parsed.tree.root_node
    for part in parsed.inner:
        if part.span and part.span[0] <= at < part.span[1]:
            root = part.tree.root_node
    node: tree_sitter.Node | None = root.descendant_for_byte_range(at, at + 1)
    while node is not None:
        if "comment" in node.type or "string" in node.type or "heredoc" in node.type:
            return True
        node = node.parent
    return False


# --- readers of one match


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")


def _listed(raw: bytes | None) -> tuple[str, ...]:
    """The names of a list, without brackets, remarks, and what they are called here."""
    bare = re.sub(rb"#[^\n]*|//[^\n]*|/\*.*?\*/|[(){}\\]", b" ", raw or b"", flags=re.S)
    parts = (_ALIAS.sub("", " ".join(part.split())) for part in _text(bare).split(","))
    return tuple(part for part in parts if part and part != "*")


def _plain(match: re.Match[bytes]) -> Iterator[Import]:
    if module := _text(match[1]).strip():
        yield Import(module)


def _from(match: re.Match[bytes]) -> Iterator[Import]:
    yield Import(_text(match[1]), _listed(match[2]))


def _modules(match: re.Match[bytes]) -> Iterator[Import]:
    yield from (Import(name) for name in _listed(match[1]))


def _taken(match: re.Match[bytes]) -> Iterator[Import]:
    """`import a, { b } from "c"`."""
    yield Import(_text(match[2]), tuple(name for name in _listed(match[1]) if "*" not in name))


def _block(match: re.Match[bytes]) -> Iterator[Import]:
    yield from (Import(_text(one)) for one in re.findall(rb"[\"`]([^\"`\n]+)[\"`]", match[1]))


def _header(match: re.Match[bytes]) -> Iterator[Import]:
    yield Import(_text(match[1]).strip('">'))


def _used(match: re.Match[bytes]) -> Iterator[Import]:
    """The tree of a `use` of Rust, or the braces of PHP and Scala, a leaf each."""
    yield from (Import(path) for path in _leaves(" ".join(_text(match[1]).split())))


def _leaves(tree: str, before: str = "") -> Iterator[str]:
    opened = tree.find("{")
    if opened < 0:
        yield before + re.sub(r"\s+as\s+\w+$", "", tree).strip()
        return
    head = before + tree[:opened].strip()
    depth, begun = 0, opened + 1
    for at in range(opened, len(tree)):
        depth += (tree[at] == "{") - (tree[at] == "}")
        if (tree[at] == "," and depth == 1) or depth == 0:
            if part := tree[begun:at].strip():
                yield from _leaves(part, head)
            begun = at + 1
        if depth == 0:
            return


def _own_module(match: re.Match[bytes]) -> Iterator[Import]:
    yield Import(f"self::{_text(match[1])}")


def _rule(pattern: bytes, read: Callable[[re.Match[bytes]], Iterator[Import]] = _plain) -> _Rule:
    return _Rule(re.compile(pattern, re.M), read)


_QUOTED = rb"[ \t]*\(?[ \t]*['\"]([^'\"\n]+)['\"]"
_PYTHON = (
    _rule(rb"^[ \t]*from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\([^)]{0,8000}\)|[^\n;#]+)", _from),
    _rule(rb"^[ \t]*c?import[ \t]+([\w.][\w., \t]*)", _modules),
)
_ECMA = (
    _rule(
        rb"^[ \t]*(?:import|export)\b([\w$\s{},*/.]{1,4000}?)\bfrom[ \t]*['\"]([^'\"\n]+)['\"]",
        _taken,
    ),
    _rule(rb"^[ \t]*import[ \t]*['\"]([^'\"\n]+)['\"]"),
    _rule(rb"\b(?:require|import)[ \t]*\([ \t]*['\"]([^'\"\n]+)['\"]"),
)
_C = (_rule(rb"^[ \t]*#[ \t]*(?:include|import)[ \t]*([<\"][^>\"\n]+[>\"])", _header),)
_JVM = (_rule(rb"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.$*]+(?:\.?\{[^}]{0,2000}\})?)", _used),)
_SHEETS = (_rule(rb"@(?:import|use|forward)[ \t]+(?:url\()?[ \t]*['\"]([^'\"\n]+)['\"]"),)
_VISIBLE = rb"^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?"

_RULES: Mapping[str, tuple[_Rule, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("python", "starlark"), _PYTHON),
        **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte", "astro"), _ECMA),
        **dict.fromkeys(("c", "cpp", "objc", "cuda"), _C),
        **dict.fromkeys(("java", "kotlin", "scala", "groovy"), _JVM),
        **dict.fromkeys(("css", "scss", "less"), _SHEETS),
        "go": (
            _rule(rb"^import[ \t]+(?:[\w.]+[ \t]+)?[\"`]([^\"`\n]+)"),
            _rule(rb"^import[ \t]*\(([^)]{0,20000})\)", _block),
        ),
        "rust": (
            _rule(_VISIBLE + rb"use[ \t]+([^;]{1,4000});", _used),
            _rule(_VISIBLE + rb"mod[ \t]+(\w+)[ \t]*;", _own_module),
        ),
        "ruby": (
            _rule(rb"^[ \t]*require" + _QUOTED),
            _rule(
                rb"^[ \t]*require_relative[ \t]*\(?[ \t]*['\"](?:\./)?([^'\"\n]+)",
                lambda m: iter((Import(f"./{_text(m[1])}"),)),
            ),
        ),
        "php": (
            _rule(
                rb"^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?([\w\\]+(?:\{[^}]{0,2000}\})?)",
                _used,
            ),
            _rule(rb"\b(?:require|include)(?:_once)?\b[^;'\"\n]*['\"]/?([^'\"\n]+)['\"]"),
        ),
        "lua": (_rule(rb"\brequire" + _QUOTED),),
        "luau": (_rule(rb"\brequire" + _QUOTED),),
        "dart": (_rule(rb"^[ \t]*(?:import|export|part)[ \t]+['\"]([^'\"\n]+)['\"]"),),
        "bash": (_rule(rb"^[ \t]*(?:source|\.)[ \t]+[\"']?([^\s\"';]+)"),),
        "csharp": (_rule(rb"^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?([\w.]+)[ \t]*;"),),
        "swift": (
            _rule(rb"^[ \t]*import[ \t]+(?:(?:class|struct|func|enum|protocol)[ \t]+)?([\w.]+)"),
        ),
        "haskell": (_rule(rb"^import[ \t]+(?:qualified[ \t]+)?([\w.]+)"),),
        "elixir": (_rule(rb"^[ \t]*(?:alias|import|use|require)[ \t]+([A-Z][\w.]*)"),),
        "proto": (_rule(rb"^import[ \t]+(?:public[ \t]+|weak[ \t]+)?\"([^\"\n]+)\""),),
        "zig": (_rule(rb"@import\([ \t]*\"([^\"\n]+)\""),),
        "solidity": (_rule(rb"^[ \t]*import\b[^;'\"\n]*['\"]([^'\"\n]+)['\"]"),),
        "julia": (_rule(rb"\binclude\([ \t]*\"([^\"\n]+)\""),),
    }
)

LANGUAGES = frozenset(_RULES)
"""Languages whose imports are read."""
