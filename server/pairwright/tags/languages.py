"""Which language a file is in, and the grammar of a language.

The rows are in `table`. Decides by name, then by content where a name is shared (`.h`), then by the client's
languageId, then by the interpreter line. Opens no file; grammars come from the installed package only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any

import tree_sitter
from tree_sitter_language_pack import get_language

from pairwright.tags.table import LANGUAGES

_BY_EXTENSION = {ext: item.name for item in LANGUAGES.values() for ext in item.extensions}
_BY_FILENAME = {name: item.name for item in LANGUAGES.values() for name in item.filenames}
_BY_ID = {key: item.name for item in LANGUAGES.values() for key in (item.ids or (item.name,))}
_BY_INTERPRETER = {word: item.name for item in LANGUAGES.values() for word in item.interpreters}

# Enough of a header to meet a class or a namespace behind a long licence and many includes.
_HEADER_BYTES = 64 * 1024
_NOISE = re.compile(rb'/\*.*?\*/|//[^\r\n]*|"(?:\\.|[^"\\\r\n])*"', re.S)
# What stands under `#ifdef __cplusplus` is there for C++ includers of a C header.
_GUARDED = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus.*?^[ \t]*#[ \t]*(?:endif|else)",
    re.S | re.M,
)
_CPLUSPLUS = re.compile(
    rb"^[ \t]*(?:inline[ \t]+)?namespace\b"
    rb"|^[ \t]*(?:export[ \t]+)?template[ \t]*<"
    rb"|^[ \t]*using[ \t]+\w"
    rb"|(?<!enum )\bclass[ \t]+(?:\w+[ \t]+)*\w+[ \t]*(?:final\b[ \t]*)?[:;{\r\n]"
    rb"|\benum[ \t]+class\b"
    rb"|^[ \t]*(?:public|private|protected|signals|public slots|private slots)[ \t]*:"
    rb"|\b(?:constexpr|noexcept|nullptr|decltype|static_cast|dynamic_cast|reinterpret_cast)\b"
    rb"|\bvirtual[ \t]+[\w~]|\boperator[ \t]*[-+*/=<>!(\[]|\bstd::|\w::~?\w"
    rb"|^[ \t]*#[ \t]*include[ \t]*<[a-z_]+>",
    re.M,
)
_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:\S*/)?([A-Za-z+-]+)")


def language_of(path: str, data: bytes = b"", language_id: str = "") -> str | None:
    """The language of the file at `path` with text `data`, or None.

    `path` may be a URI of a buffer without a file. `language_id` is the client's word: it settles what
    the name leaves open, and never overrules a name this table knows.
    """
    name = PurePosixPath(path).name
    if name in _BY_FILENAME:
        return _BY_FILENAME[name]
    suffix = PurePosixPath(name).suffix
    if suffix == ".C":
        return "cpp"
    suffix = suffix.lower()
    if suffix == ".h":
        return header_language(data, language_id)
    found = _BY_EXTENSION.get(suffix) or _BY_ID.get(language_id.lower())
    if found or suffix:
        return found
    match = _SHEBANG.match(data)
    return _BY_INTERPRETER.get(match[1].decode().lower()) if match else None


def header_language(data: bytes, language_id: str = "") -> str:
    """C or C++ for a `.h`: C++ when something only C++ can hold stands outside comments, strings and
    `#ifdef __cplusplus`; an empty header goes by `language_id`."""
    head = _GUARDED.sub(b"\n", _NOISE.sub(b" ", data[:_HEADER_BYTES]))
    if _CPLUSPLUS.search(head):
        return "cpp"
    if not head.strip() and _BY_ID.get(language_id.lower()) == "cpp":
        return "cpp"
    return "c"


@cache
def grammar(name: str) -> tree_sitter.Language | None:
    """The grammar the language pack calls `name`, else that of a `tree-sitter-<name>` wheel, else None.

    A name or binary that this installation lacks degrades to no tags, never to an error.
    """
    try:
        return get_language(name)  # type: ignore[no-any-return]
    except (LookupError, ImportError, OSError, ValueError):
        return _from_wheel(name)


def _from_wheel(name: str) -> tree_sitter.Language | None:
    try:
        module: Any = import_module(f"tree_sitter_{name}")
        make: Callable[[], object] = module.language
        return tree_sitter.Language(make())
    except (AttributeError, ImportError, OSError, ValueError):
        return None
