"""Where secrets stand in a text. Pure: the same text, path and known values give the same places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any

import re2

from pairwright.secrets.rules import Allowed, Rule, Rules, known

SHORTEST = 8
"""Characters of a found value that is hidden where else it stands; a shorter one would hit plain words."""
SHORTEST_ENV = 12
"""Characters of a value of an environment file that counts as a secret."""

_ENV_LINE = re.compile(r"^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.M)
_ENV_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.[^/]*)?|[^/]*\.env)$")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENV_EXAMPLE = re.compile(r"\.(?:example|sample|template|dist)$")


@dataclass(frozen=True, slots=True)
class Secret:
    """Characters [start, end) of a text, and the rule that says so."""

    start: int
    end: int
    rule: str


def find(text: str, path: str = "", values: Iterable[str] = ()) -> tuple[Secret, ...]:
    """The secrets of `text`, ascending, without overlap. `path`: of the file it is from, which some rules ask
    for. `values`: secrets known from elsewhere, hidden wherever they stand."""
    return spread(text, by_rules(text, path), values)


def by_rules(text: str, path: str = "") -> tuple[Secret, ...]:
    """What the rules alone find in `text`, in the order of the rules; places may overlap."""
    text = _encodable(text)
    words = met(text.lower())
    everything = known()
    found = [
        secret
        for rule in everything.rules
        if not words.isdisjoint(rule.keywords)
        for secret in _by(rule, text, path, everything)
    ]
    return (*found, *_assigned(text)) if is_env(path) else tuple(found)


def spread(text: str, found: Sequence[Secret], values: Iterable[str] = ()) -> tuple[Secret, ...]:
    """`found` in `text`, and every further place of the same values and of `values`; ascending, without overlap."""
    wanted: dict[str, str] = {}
    for secret in found:
        wanted.setdefault(text[secret.start : secret.end], secret.rule)
    for value in values:
        wanted.setdefault(value, "known value")
    again = [
        secret
        for value, rule in sorted(wanted.items())
        if len(value) >= SHORTEST
        for secret in _places(text, value, rule)
    ]
    return _apart((*found, *again))


def is_env(path: str) -> bool:
    """Whether the file at `path` holds environment variables that are secrets until the contrary is shown."""
    return bool(_ENV_FILE.search(path)) and not _ENV_EXAMPLE.search(path)


def env_values(text: str) -> tuple[str, ...]:
    """The values of an environment file that count as secrets, in order."""
    return tuple(dict.fromkeys(text[s.start : s.end] for s in _assigned(text)))


def _by(rule: Rule, text: str, path: str, everything: Rules) -> Iterator[Secret]:
    if rule.path and not _re(rule.path).search(path):
        return
    for match in _re(rule.pattern).finditer(text):
        group = rule.group or next((n for n, g in enumerate(match.groups(), 1) if g), 0)
        start, end = match.span(group)
        value = text[start:end]
        if not value.strip() or (rule.entropy and entropy(value) <= rule.entropy):
            continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : _line_end(text, match.end())]
        texts = {"secret": value, "match": match.group(), "line": line}
        if not any(_allows(a, texts, path) for a in (everything.everywhere, *rule.allowed)):
            yield Secret(start, end, rule.name)


def _allows(allowed: Allowed, texts: dict[str, str], path: str) -> bool:
    """Whether `allowed` says that this is no secret."""
    target, secret = texts[allowed.target], texts["secret"].lower()
    held = []
    if allowed.patterns:
        held.append(any(_re(pattern).search(target) for pattern in allowed.patterns))
    if allowed.paths:
        held.append(any(_re(pattern).search(path) for pattern in allowed.paths))
    if allowed.stopwords:
        held.append(any(word in secret for word in allowed.stopwords))
    return all(held) if allowed.together else any(held)


def _assigned(text: str) -> list[Secret]:
    found = []
    for match in _ENV_LINE.finditer(text):
        value = match[1]
        start = match.start(1)
        if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
            value, start = value[1:-1], start + 1
        if len(value) >= SHORTEST_ENV:
            found.append(Secret(start, start + len(value), "environment file"))
    return found


def _places(text: str, value: str, rule: str) -> Iterator[Secret]:
    at = text.find(value)
    while at >= 0:
        yield Secret(at, at + len(value), rule)
        at = text.find(value, at + len(value))


def _apart(found: Sequence[Secret]) -> tuple[Secret, ...]:
    """Ascending; of places that overlap the union, under the first one's rule."""
    apart: list[Secret] = []
    for secret in sorted(found, key=lambda s: (s.start, -s.end)):
        if apart and secret.start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Secret(last.start, max(last.end, secret.end), last.rule)
        else:
            apart.append(secret)
    return tuple(apart)


def entropy(text: str) -> float:
    """Shannon's, in bits a character."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values()) if size else 0.0


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def met(lowered: str) -> frozenset[str]:
    """The keywords of rules that `lowered` holds, by one pass for all of them."""
    words, everyone = _keywords()
    found = everyone.Match(lowered)
    # The empty word stands everywhere: without it the search itself failed, and every rule is tried.
    return frozenset(words if found is None else (words[index] for index in found))


@cache
def _keywords() -> tuple[tuple[str, ...], Any]:
    words = ("", *sorted({word for rule in known().rules for word in rule.keywords}))
    everyone = re2.Set.SearchSet()
    for word in words:
        everyone.Add(re2.escape(word))
    everyone.Compile()
    return words, everyone


def _encodable(text: str) -> str:
    """`text` with lone surrogates, which RE2 cannot take, as other characters; places stay."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


@cache
def _re(pattern: str) -> Any:
    return re2.compile(pattern)
