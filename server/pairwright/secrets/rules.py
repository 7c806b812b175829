"""Rules that say what a secret looks like: gitleaks' own, as data, and a few of ours.

The patterns are in RE2's syntax and run on RE2, whose time is linear in the text. A rule is compiled when one of
its keywords is first met: all of them take 0.1 s, a usual file needs a handful.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Target = Literal["secret", "match", "line"]


@dataclass(frozen=True, slots=True)
class Allowed:
    """What is no secret after all. `target`: the text that `patterns` are tried on. `stopwords`: lower-case
    pieces of the secret. `together`: every kind given must hold, not just one."""

    patterns: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    stopwords: tuple[str, ...] = ()
    target: Target = "secret"
    together: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret. `keywords`: lower-case; without one of them in the text the pattern is not tried.
    `entropy`: bits a character that the secret must exceed (Shannon). `group`: of the secret in the pattern,
    0 = the first that took part, else the whole match. `path`: a pattern the file's path must have."""

    name: str
    pattern: str
    keywords: tuple[str, ...]
    entropy: float = 0.0
    group: int = 0
    path: str = ""
    allowed: tuple[Allowed, ...] = ()


_NO_SECRET = (
    "password",
    "passwd",
    "pass",
    "secret",
    "user",
    "username",
    "example",
    "changeme",
    "token",
)

OWN = (
    Rule(
        "url-password",
        r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@'\"<>{}$]{0,100}:([^\s:/@'\"<>{}$]{6,200})@[A-Za-z0-9\[]",
        ("://",),
        entropy=2.0,
        allowed=(Allowed(patterns=tuple(f"(?i)^{word}[0-9]{{0,4}}$" for word in _NO_SECRET)),),
    ),
    Rule(
        "password-assignment",
        r"(?i)\b[\w.-]{0,40}(?:passw(?:or)?d|passphrase)[\"']?[ \t]{0,5}(?::=|=>|[:=])[ \t]{0,5}"
        r"(?:\"([^\"\s\\{}<>]{8,200})\"|'([^'\s\\{}<>]{8,200})')",
        ("passw", "passphrase"),
        entropy=3.0,
        allowed=(Allowed(patterns=(r"^[A-Za-z_.-]+$", r"(?i)example|placeholder|changeme|\*{3}")),),
    ),
)
"""Beside gitleaks' rules, which leave out passwords in addresses and short quoted ones."""


_GENERAL = "generic-api-key"


@dataclass(frozen=True, slots=True)
class Rules:
    """The special ones first: a secret goes by the first rule that finds it. `everywhere`: what no rule takes
    for a secret."""

    rules: tuple[Rule, ...]
    everywhere: Allowed


@cache
def known() -> Rules:
    """All rules. Reads package data: 30 ms, once."""
    text = files("pairwright.secrets").joinpath("gitleaks.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    theirs = [_rule(rule) for rule in data["rules"] if "regex" in rule]
    theirs.sort(key=lambda rule: rule.name == _GENERAL)
    return Rules((*theirs, *OWN), _allowed(data["allowlist"]))


def _rule(data: Mapping[str, Any]) -> Rule:
    return Rule(
        data["id"],
        data["regex"],
        tuple(word.lower() for word in data["keywords"]),
        float(data.get("entropy", 0.0)),
        int(data.get("secretGroup", 0)),
        data.get("path", ""),
        tuple(_allowed(allowed) for allowed in data.get("allowlists", ())),
    )


def _allowed(data: Mapping[str, Any]) -> Allowed:
    return Allowed(
        tuple(data.get("regexes", ())),
        tuple(data.get("paths", ())),
        tuple(word.lower() for word in data.get("stopwords", ())),
        data.get("regexTarget", "secret"),
        data.get("condition", "OR").upper() in ("AND", "&&"),
    )
