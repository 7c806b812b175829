"""Tags of a closed file in one call, within limits of size and shape."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Generator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from zlib import compress

from pairwright.tags.by_line import by_keyword, by_rule
from pairwright.tags.embedded import embeds_text
from pairwright.tags.extract import extract_sliced
from pairwright.tags.grammars import version_of, versions
from pairwright.tags.languages import language_of
from pairwright.tags.line_rules import RULES
from pairwright.tags.parse import parse
from pairwright.tags.queries import text_of
from pairwright.tags.table import ALL, LANGUAGES
from pairwright.tags.types import EMPTY, Tags

# Raise it whenever the code of this layer gives other tags for the same text.
_CODE_VERSION = 4

MAX_PARSED = 2 * 1024 * 1024
"""Bytes of text up to which a file is parsed; above it only the line rule looks at it."""

# Bundles and data tables: hundreds of bytes a line on average. Hand-written code stays below 80.
_LONG_LINE = 400
_LONG_FILE = 16 * 1024
_HEAD = 8 * 1024
# Of code and data at hand nothing shrinks to less than a twenty-fourth; one token repeated, to a hundredth.
_SAMPLE = 64 * 1024
_MONOTONOUS = 4 * 1024
_SHRINKS = 50
_MAGIC = (b"\x89PNG", b"PK\x03\x04", b"\x7fELF")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_UTF8 = getincrementaldecoder("utf-8")

_BINARY = "is not text"
_MINIFIED = "is minified: its names are not indexed"
_LARGE = "is above 2 MB: only the first definitions at line starts are indexed"
STUCK = "could not be parsed: only the definitions at line starts are indexed"
_NO_GRAMMAR = "has no grammar in this installation: reinstall tree-sitter-language-pack"

_GENERATED = re.compile(
    rb"DO NOT EDIT|@generated|[Gg]enerated (?:by|from|code|file)|AUTO-?GENERATED|auto-?generated"
)


def tags_of(path: str, data: bytes, language: str | None = None) -> Tags:
    """The tags of `data`, the text of the file at `path`; in `language` where the caller knows it.

    Never raises on any bytes. Time is linear in the text: 0.2 ms a KB for code, up to 4 ms a KB for the
    worst (a table of nothing but names, one chain of calls). Files that are no text, minified or too
    large come back with a `problem` and few tags or none. In a language that is `isolated` the call may
    never return, or end the process: only for processes that may be lost.
    """
    steps = tags_sliced(path, data, language)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]


def tags_sliced(path: str, data: bytes, language: str | None = None) -> Generator[None, None, Tags]:
    """`tags_of` as a generator: it yields about every 5 ms of work that holds the interpreter, and
    returns the tags."""
    language = language or language_of(path, data)
    if language is None:
        return EMPTY
    problem = unfit(data)
    if problem == _LARGE:
        return by_keyword(data, language, problem)
    if problem:
        return replace(EMPTY, language=language, problem=problem)
    parsed = parse(data, language)
    if parsed is None:
        return replace(EMPTY, language=language, problem=_NO_GRAMMAR)
    yield
    return (yield from extract_sliced(parsed, data))


def tags_here(path: str, data: bytes, language: str | None = None) -> Tags:
    """`tags_of` for a process that must live: line by line where the language is `isolated`."""
    language = language or language_of(path, data)
    if language is not None and is_isolated(language):
        return tags_by_line(data, language)
    return tags_of(path, data, language)


def tags_by_line(data: bytes, language: str) -> Tags:
    """The definitions that the lines of a text tell, for one that no parser gets through. Linear in the
    text, without references; an extent is that of the line."""
    problem = unfit(data)
    if problem == _LARGE:
        return by_keyword(data, language, problem)
    if problem:
        return replace(EMPTY, language=language, problem=problem)
    return by_rule(data, language, STUCK)


def is_isolated(language: str | None) -> bool:
    """Whether texts in `language` are only parsed in a process that may be lost."""
    return language is not None and language in ALL and ALL[language].isolated


def is_apart(language: str | None, data: bytes) -> bool:
    """Whether this text is only parsed in a process that may be lost."""
    return is_isolated(language) or is_monotonous(data)


def is_monotonous(data: bytes) -> bool:
    """Whether a text is little else than the same again and again, as nobody writes it: ten thousand
    brackets without an end keep many a grammar busy for seconds. Looks at the first 64 KB."""
    head = data[:_SAMPLE]
    return len(head) >= _MONOTONOUS and len(compress(head, 1)) * _SHRINKS < len(head)


def unfit(data: bytes) -> str | None:
    """Why a text of these bytes should not be parsed for its tags, as a phrase for the user; else None."""
    head = data[:_HEAD]
    if _is_binary(head):
        return _BINARY
    if len(data) > _LONG_FILE:
        lines = data.count(b"\n") or data.count(b"\r")
        if len(data) > _LONG_LINE * (lines + 1):
            return _MINIFIED
    return _LARGE if len(data) > MAX_PARSED else None


def is_generated(data: bytes) -> bool:
    """Whether the first lines say that a program wrote the file: it ranks last."""
    return _GENERATED.search(data[:1024]) is not None


@cache
def recipe() -> str:
    """A short string that changes whenever grammars, queries or this code would give other tags."""
    grammars = versions(row.grammar for row in ALL.values())
    texts = "\0".join(f"{name}\0{text_of(name)}" for name in sorted(LANGUAGES))
    texts += "\0".join(f"{row!r}{embeds_text(row.name)}" for row in ALL.values())
    texts += "\0".join(f"{name}\0{rule!r}" for name, rule in RULES.items())
    queries = sha256(texts.encode()).hexdigest()[:12]
    return f"tags{_CODE_VERSION}-{grammars}-{version_of('tree-sitter')}-{queries}"


def _is_binary(head: bytes) -> bool:
    """No UTF-8 (a lone surrogate of a client is let through), or one byte in ten is a control."""
    if b"\0" in head or head.startswith(_MAGIC):
        return True
    try:
        _UTF8("surrogatepass").decode(head)
    except UnicodeDecodeError:
        return True
    return len(_CONTROL.findall(head)) * 10 > len(head)
