"""From what clients and the command line send to one valid `Settings`; the only reader of the
environment.

A bad value never fails the whole: it is named in one problem and the last good value of that key
stays. Keys of model providers are never accepted here: settings travel through repositories and
logs, so a key comes from the environment or from the client's secret store.
"""

from __future__ import annotations

import json
import math
import os
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pairwright.config.environment import environment as environment
from pairwright.config.schema import Settings

SECTION = "pairwright"
# Sections of the thin clients, which the server never sees the meaning of.
_CLIENT_ONLY = frozenset({"server", "trace"})
_SECRET = ("api_key", "apikey", "api-key", "secret", "password", "authorization")
_KEY_NAMES = (
    "ANTHROPIC_API_KEY",
    "AZURE_API_KEY",
    "COHERE_API_KEY",
    "DEEPSEEK_API_KEY",
    "FIREWORKS_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "TOGETHERAI_API_KEY",
    "XAI_API_KEY",
)


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of values. `name`: for messages, "initializationOptions". `values`: the tree
    below the section, keys nested or dotted."""

    name: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """`refused`: values that were refused, each a sentence for the user; `problems`: the same, with
    what is used instead. `unknown`: keys that mean nothing here, for the log."""

    settings: Settings
    problems: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class BadValue(ValueError):
    """A value that its key cannot hold; the text says what is expected."""


def load(layers: Sequence[Layer], last: Settings | None = None) -> Loaded:
    """Settings of `layers`, later ones winning; a refused value falls back to `last`, or the
    default."""
    problems: list[str] = []
    refused: list[str] = []
    unknown: list[str] = []
    chosen: dict[str, Any] = {}
    for layer in layers:
        for key, value in leaves(layer.values):
            if key.split(".")[0] in _CLIENT_ONLY:
                continue
            if key not in options():
                unknown.append(f"{SECTION}.{key} ({layer.name}) is not a setting")
                continue
            try:
                chosen[key] = check(key, value)
            except BadValue as error:
                if last is not None or key not in chosen:
                    chosen[key] = get(last or Settings(), key)
                refused.append(f"{SECTION}.{key} ({layer.name}): {error}.")
                problems.append(f"{refused[-1]} Using {_show(chosen[key])}.")
    return Loaded(_build(chosen), tuple(problems), tuple(unknown), tuple(refused))


def section(raw: object) -> dict[str, Any]:
    """The values of our section in whatever shape a client sent them: the tree itself, below
    `pairwright`, below `settings`, or with dotted keys. Anything that is no object is empty."""
    if not isinstance(raw, Mapping):
        return {}
    for wrapper in ("settings", SECTION):
        inner = raw.get(wrapper)
        if isinstance(inner, Mapping):
            return section(inner)
    prefix = SECTION + "."
    return {str(key).removeprefix(prefix): value for key, value in raw.items()}


def assignments(pairs: Sequence[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """`key=value` words of the command line as values, and what was wrong with the rest. A value
    is JSON where it parses, else a string."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for pair in pairs:
        key, sign, text = pair.partition("=")
        key = key.strip().removeprefix(SECTION + ".")
        if not sign or key not in options():
            problems.append(f"--set {pair}: expected KEY=VALUE with a key of docs/settings.md")
            continue
        try:
            values[key] = json.loads(text)
        except ValueError:
            values[key] = text
    return values, tuple(problems)


@dataclass(frozen=True, slots=True)
class Option:
    """One leaf of the tree. `type`: its resolved annotation. `field`: with `metadata` `doc`,
    `minimum`..."""

    key: str
    type: Any
    field: Field[Any]
    default: Any


@lru_cache(maxsize=1)
def options() -> Mapping[str, Option]:
    """Every setting by dotted key, in the order of the schema."""
    return {option.key: option for option in _options(Settings, Settings(), "")}


def get(settings: Settings, key: str) -> Any:
    """The value at dotted `key`."""
    value: Any = settings
    for part in key.split("."):
        value = getattr(value, part)
    return value


def check(key: str, value: object) -> Any:
    """`value` as the type of `key`; null stands for the default where null is no value of its own.
    Raises BadValue."""
    option = options()[key]
    if value is None and type(None) not in get_args(option.type):
        return option.default
    result = _bounded(_convert(option.type, value), option.field.metadata)
    if inner := option.field.metadata.get("fields"):
        return {name: _fields(inner, name, item) for name, item in result.items()}
    return result


def _bounded(value: Any, meta: Mapping[str, Any]) -> Any:
    """`value`, unless it is a number beyond its bounds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = meta.get("minimum"), meta.get("maximum")
        if low is not None and value < low:
            raise BadValue(f"expected at least {low}, got {_show(value)}")
        if high is not None and value > high:
            raise BadValue(f"expected at most {high}, got {_show(value)}")
    return value


def _fields(kind: type, name: str, value: object) -> dict[str, Any]:
    """The fields of `kind` that the object `value` sets, each checked."""
    known, hints = {item.name: item for item in fields(kind)}, get_type_hints(kind)
    found = {}
    for key, item in _mapping((str, Any), value, f"`{name}`: ").items():
        if key not in known:
            raise BadValue(f"`{name}`: `{key}` is not one of {', '.join(known)}")
        try:
            found[key] = _bounded(_convert(hints[key], item), known[key].metadata)
        except BadValue as error:
            raise BadValue(f"`{name}`: `{key}`: {error}") from None
    return found


def provider_keys() -> tuple[str, ...]:
    """Names (never values) of the provider keys present in the environment."""
    return tuple(name for name in _KEY_NAMES if os.environ.get(name))


def _options(kind: type, default: Any, prefix: str) -> Iterator[Option]:
    hints = get_type_hints(kind)
    for item in fields(kind):
        value = getattr(default, item.name)
        if is_dataclass(value):
            yield from _options(type(value), value, f"{prefix}{item.name}.")
        else:
            yield Option(prefix + item.name, hints[item.name], item, value)


def leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The settings in a tree, each with its dotted key; what no setting has there is left as it is."""
    for name, value in values.items():
        key = f"{prefix}{name}"
        if key not in options() and isinstance(value, Mapping):
            yield from leaves(value, key + ".")
        elif key in options() or value is not None:
            yield key, value


def _build(chosen: Mapping[str, Any]) -> Settings:
    tree = Settings()
    for key, value in chosen.items():
        tree = _with(tree, key.split("."), value)
    return tree


def _with(node: Any, path: Sequence[str], value: Any) -> Any:
    if len(path) > 1:
        value = _with(getattr(node, path[0]), path[1:], value)
    return replace(node, **{path[0]: value})


def _convert(kind: Any, value: object) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        inner = [item for item in arguments if item is not type(None)]
        return _convert(inner[0], value)
    if origin is Literal:
        return _literal(arguments, value)
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise BadValue(f"expected a list, got {_show(value)}")
        return tuple(_convert(arguments[0], item) for item in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(arguments, value)
    if is_dataclass(kind):
        return _record(kind, value)
    return _scalar(kind, value)


def _record(kind: Any, value: object) -> Any:
    """An object with the fields of `kind`; those without a default are needed."""
    if isinstance(value, kind):
        return value
    known = {item.name: item for item in fields(kind)}
    if not isinstance(value, Mapping) or not all(name in known for name in value):
        raise BadValue(f"expected an object with {', '.join(known)}, got {_show(value)}")
    needed = [n for n, item in known.items() if item.default is MISSING and not value.get(n)]
    if needed:
        raise BadValue(f"{_show(value)} lacks {', '.join(needed)}")
    hints = get_type_hints(kind)
    return kind(**{name: _convert(hints[name], item) for name, item in value.items()})


def _literal(allowed: tuple[Any, ...], value: object) -> Any:
    if value in allowed:
        return value
    raise BadValue(f"expected one of {', '.join(map(_show, allowed))}, got {_show(value)}")


def _mapping(kinds: tuple[Any, ...], value: object, lead: str = "") -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BadValue(f"{lead}expected an object, got {_show(value)}")
    for name in value:
        if any(word in str(name).lower() for word in _SECRET):
            raise BadValue(
                f"{lead}`{name}` looks like a credential and is not taken from settings; put it into the "
                "environment of the editor, or store it with `pairwright model key`"
            )
    if kinds[1] is str or get_origin(kinds[1]) is tuple:
        return {str(name): _named(kinds[1], str(name), item) for name, item in value.items()}
    return {str(name): item for name, item in value.items()}


def _named(kind: Any, name: str, value: object) -> Any:
    try:
        return _convert(kind, value)
    except BadValue as error:
        raise BadValue(f"`{name}`: {error}") from None


_NAMES = {str: "a string", bool: "true or false", int: "a whole number", float: "a number"}


def _scalar(kind: Any, value: object) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadValue(f"expected {_NAMES.get(kind, 'another value')}, got {value}")
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    # Editors written in Lua or JavaScript send 3.0 where they mean 3.
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    raise BadValue(f"expected {_NAMES.get(kind, 'another value')}, got {_show(value)}")


def _show(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
