"""Placeholders in the place of secrets, numbered through one request, and back.

A value has one placeholder in the whole request. The model sees that two places hold the same value, and its reply
can name it; before a reply is matched against files the values are put back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pairwright.secrets.find import Secret, by_rules, spread

_NAME = "REDACTED_SECRET"

PLACEHOLDER = re.compile(rf"\b{_NAME}(?:_X+)?_[0-9]+_?\b".encode())
"""What looks like a placeholder, in bytes of a file."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """One value that does not leave. `placeholder` stands in no text of its request. `rule`: why. `sources`:
    the names of the texts it stood in, in order."""

    placeholder: str
    value: str
    rule: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A text on its way out. `source`: its path, or the name of the part of the prompt it belongs to; `path`
    where it is a file's."""

    text: str
    source: str
    path: str = ""


def hide(
    texts: Sequence[Text], values: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[Hidden, ...]]:
    """The texts with placeholders, in the order given, and what they stand for. A secret of one text is hidden
    in every other one too. `values`: secrets known from elsewhere."""
    found = [_by_rules(text.text, text.path) for text in texts]
    known = dict.fromkeys(values)
    for text, secrets in zip(texts, found, strict=True):
        known.update(dict.fromkeys(_values(text, spread(text.text, secrets))))
    everywhere = tuple(known)
    places = [spread(t.text, secrets, everywhere) for t, secrets in zip(texts, found, strict=True)]
    rules: dict[str, str] = {}
    sources: dict[str, list[str]] = {}
    for text, secrets in zip(texts, places, strict=True):
        for value, secret in zip(_values(text, secrets), secrets, strict=True):
            rules.setdefault(value, secret.rule)
            sources.setdefault(value, []).append(text.source)
    stem = _stem(texts)
    # Where a digit follows, the number must have an end of its own.
    end = "_" if any(map(_meets_digit, texts, places)) else ""
    hidden = tuple(
        Hidden(f"{stem}_{number}{end}", value, rule, tuple(dict.fromkeys(sources[value])))
        for number, (value, rule) in enumerate(rules.items(), 1)
    )
    names = {one.value: one.placeholder for one in hidden}
    return tuple(map(lambda text, secrets: _replaced(text, secrets, names), texts, places)), hidden


def reveal(text: str, hidden: Sequence[Hidden]) -> str:
    """`text` with the values in the places of their placeholders."""
    if not hidden:
        return text
    values = {one.placeholder: one.value for one in hidden}
    return _any_of(hidden).sub(lambda match: values[match[0]], text)


def stem_of(hidden: Sequence[Hidden]) -> str:
    """What the placeholders of a request begin with, its numbers left off; `hidden` is not empty."""
    return hidden[0].placeholder.rstrip("0123456789_") + "_"


def _any_of(hidden: Sequence[Hidden]) -> re.Pattern[str]:
    names = sorted((one.placeholder for one in hidden), key=lambda name: (-len(name), name))
    end = "" if names[0].endswith("_") else "(?![0-9])"
    return re.compile(f"(?:{'|'.join(map(re.escape, names))}){end}")


def _stem(texts: Sequence[Text]) -> str:
    """What placeholders begin with: a name that no text holds already."""
    stem, letters = _NAME, 0
    while any(stem in text.text for text in texts):
        letters += 1
        stem = f"{_NAME}_{'X' * letters}"
    return stem


@lru_cache(maxsize=256)
def _by_rules(text: str, path: str) -> tuple[Secret, ...]:
    """Remembered: of two requests in a row most texts are the same."""
    return by_rules(text, path)


def _values(text: Text, secrets: Sequence[Secret]) -> list[str]:
    return [text.text[secret.start : secret.end] for secret in secrets]


def _meets_digit(text: Text, secrets: Sequence[Secret]) -> bool:
    return any(text.text[secret.end : secret.end + 1].isdigit() for secret in secrets)


def _replaced(text: Text, secrets: Sequence[Secret], names: Mapping[str, str]) -> str:
    pieces, at = [], 0
    for secret, value in zip(secrets, _values(text, secrets), strict=True):
        pieces += [text.text[at : secret.start], names[value]]
        at = secret.end
    return "".join([*pieces, text.text[at:]])
