"""Patterns of one ignore file, with git's meaning: parsing and matching of bytes, no disk.

Written from gitignore(5) and proven against `git ls-files` in the tests. A folder is asked before
what is in it, so a match says nothing about descendants; `rules` does the walking. Bytes, because
git's `?` and `[...]` match one byte of a name, not one character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_SPECIAL = frozenset(b"*?[\\")
_CLASSES: dict[bytes, bytes] = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[!-~]",
    b"lower": rb"[a-z]",
    b"print": rb"[ -~]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t\n\r\f\v]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}


class _Hit(NamedTuple):
    """Position of a pattern in its file (the last match wins) and what it says."""

    at: int
    negated: bool
    dir_only: bool


@dataclass(frozen=True, slots=True)
class _Glob:
    """`rest`: the expression for what follows `prefix`; compiled when something comes that far,
    since rules are read on the event loop and most of a long file never matters."""

    hit: _Hit
    prefix: bytes
    rest: bytes


class Patterns:
    """The patterns of one ignore file. Literals and `*suffix` are looked up, the rest is tried in
    turn."""

    __slots__ = ("_names", "_on_name", "_on_path", "_paths", "_suffixes", "reincluded")

    def __init__(self, text: bytes) -> None:
        self._names: dict[bytes, list[_Hit]] = {}
        self._paths: dict[bytes, list[_Hit]] = {}
        self._suffixes: dict[bytes, list[_Hit]] = {}
        self._on_name: list[_Glob] = []
        self._on_path: list[_Glob] = []
        self.reincluded: list[bytes] = []
        """Literal beginnings of the `!` patterns that name a folder on their way."""
        lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for at, line in enumerate(lines):
            self._add(at, line)
        self._on_name.reverse()
        self._on_path.reverse()

    def __bool__(self) -> bool:
        return bool(self._names or self._paths or self._suffixes or self._on_name or self._on_path)

    def match(self, path: bytes, is_dir: bool) -> bool | None:
        """Whether the last pattern that matches `path` (relative to this file's folder) ignores it;
        None when none matches."""
        name = path[path.rfind(b"/") + 1 :]
        best: _Hit | None = None
        for found in (self._names.get(name), self._paths.get(path)):
            best = _later(best, found, is_dir)
        if self._suffixes:
            dot = name.find(b".")
            while dot >= 0:
                best = _later(best, self._suffixes.get(name[dot:]), is_dir)
                dot = name.find(b".", dot + 1)
        best = _later_glob(best, self._on_name, name, is_dir)
        best = _later_glob(best, self._on_path, path, is_dir)
        return None if best is None else not best.negated

    def _add(self, at: int, line: bytes) -> None:
        line = _trimmed(line)
        if not line or line.startswith(b"#"):
            return
        negated = line.startswith(b"!")
        body = line[1:] if negated else line
        dir_only = body.endswith(b"/")
        body = body[:-1] if dir_only else body
        hit = _Hit(at, negated, dir_only)
        if b"/" not in body:
            self._add_name(hit, body)
            return
        body = body.removeprefix(b"/")
        plain = _plain_length(body)
        if negated:
            self.reincluded.append(body[:plain])
        if plain == len(body):
            self._paths.setdefault(body, []).append(hit)
        elif (rest := _regex(body[plain:], in_path=True)) is not None:
            self._on_path.append(_Glob(hit, body[:plain], rest))

    def _add_name(self, hit: _Hit, body: bytes) -> None:
        if _plain_length(body) == len(body):
            self._names.setdefault(body, []).append(hit)
        elif body.startswith(b"*.") and _plain_length(body[1:]) == len(body) - 1:
            self._suffixes.setdefault(body[1:], []).append(hit)
        elif (rest := _regex(body, in_path=False)) is not None:
            self._on_name.append(_Glob(hit, b"", rest))


def _later(best: _Hit | None, hits: list[_Hit] | None, is_dir: bool) -> _Hit | None:
    for hit in reversed(hits or ()):
        if is_dir or not hit.dir_only:
            return hit if best is None or hit.at > best.at else best
    return best


def _later_glob(best: _Hit | None, globs: list[_Glob], text: bytes, is_dir: bool) -> _Hit | None:
    for glob in globs:
        if best is not None and glob.hit.at < best.at:
            return best
        if glob.hit.dir_only and not is_dir:
            continue
        if text.startswith(glob.prefix) and _compiled(glob.rest).fullmatch(text, len(glob.prefix)):
            return glob.hit
    return best


def _trimmed(line: bytes) -> bytes:
    """The line without its CR and without blanks at the end that no backslash protects."""
    line = line.removesuffix(b"\r").split(b"\0")[0]
    end = at = 0
    while at < len(line):
        if line[at] == 0x5C:
            if at + 1 >= len(line):
                return line
            at += 1
            end = at + 1
        elif line[at] != 0x20:
            end = at + 1
        at += 1
    return line[:end]


def _plain_length(body: bytes) -> int:
    return next((i for i, byte in enumerate(body) if byte in _SPECIAL), len(body))


@lru_cache(maxsize=4096)
def _compiled(expression: bytes) -> re.Pattern[bytes]:
    return re.compile(expression, re.DOTALL)


def _regex(pattern: bytes, in_path: bool) -> bytes | None:
    """The expression that matches what git's wildmatch does; None when nothing ever matches.

    In a path only a `**` between slashes (or at the start of `pattern`, which may follow a literal
    beginning) crosses folders."""
    out: list[bytes] = []
    at, size = 0, len(pattern)
    while at < size:
        byte = pattern[at : at + 1]
        if byte == b"*":
            piece, at = _star(pattern, at, in_path)
            out.append(piece)
        elif byte == b"?":
            out.append(b"[^/]")
            at += 1
        elif byte == b"[":
            found = _bracket(pattern, at, in_path)
            if found is None:
                return None
            out.append(found[0])
            at = found[1]
        else:
            if byte == b"\\":
                at += 1
                if at == size:
                    return None
            out.append(re.escape(pattern[at : at + 1]))
            at += 1
    return b"".join(out)


def _star(pattern: bytes, at: int, in_path: bool) -> tuple[bytes, int]:
    end = at
    while end < len(pattern) and pattern[end] == 0x2A:
        end += 1
    if not in_path:
        return b".*", end
    opens = at == 0 or pattern[at - 1] == 0x2F
    after = pattern[end : end + 2]
    if end - at == 1 or not opens or not (not after or after[:1] == b"/" or after == b"\\/"):
        return b"[^/]*", end
    if after[:1] == b"/":
        return b"(?:.*/)?", end + 1
    return b".*", end


def _bracket(pattern: bytes, at: int, in_path: bool) -> tuple[bytes, int] | None:
    """The class that opens at `at` and the offset behind it; None when it never closes."""
    size = len(pattern)
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    chosen: set[int] = set()
    previous = 0
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        if at >= size:
            return None
        byte = pattern[at]
        if byte == 0x5C:
            at += 1
            if at >= size:
                return None
            byte = pattern[at]
            chosen.add(byte)
        elif byte == 0x2D and previous and at + 1 < size and pattern[at + 1] != 0x5D:
            at += 1
            if pattern[at] == 0x5C:
                at += 1
                if at >= size:
                    return None
            chosen.update(range(previous, pattern[at] + 1))
            byte = 0
        elif byte == 0x5B and pattern[at + 1 : at + 2] == b":":
            close = pattern.find(b"]", at + 2)
            if close < 0:
                return None
            if close > at + 2 and pattern[close - 1] == 0x3A:
                named = _CLASSES.get(pattern[at + 2 : close - 1])
                if named is None:
                    return None
                chosen.update(i for i in range(256) if re.fullmatch(named, bytes([i])))
                at, byte = close, 0
            else:
                chosen.add(byte)
        else:
            chosen.add(byte)
        previous = byte
        at += 1
    if negated:
        chosen = set(range(256)) - chosen
    if in_path:
        chosen.discard(0x2F)
    inside = b"".join(b"\\x%02x" % byte for byte in sorted(chosen))
    return (b"[" + inside + b"]" if inside else b"(?!)"), at + 1


EMPTY = Patterns(b"")
