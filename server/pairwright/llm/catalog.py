"""What is known of models before they are asked: `models.toml`, litellm's table and the user's overrides.

Prices and windows of providers' models come from litellm's bundled list through the model process; the table
here has what that list lacks: edit format, place of the reminder, temperature, thinking in the text, caches,
smaller companions, and how tokens are counted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pairwright.config.family import Family
from pairwright.config.schema import Model as Settings
from pairwright.llm.addresses import is_loopback
from pairwright.llm.types import ModelInfo

EMBEDDED = "embedded"
EMBEDDED_WINDOW = 8192
EMBEDDED_OUTPUT = 1024
# Free edits: 5 of 8 right in it, none in diff; see docs/benchmarks.md.
EMBEDDED_FORMAT = "symbol"
SMALL_MAP_TOKENS = 400
# Below this many billions of parameters a model gets the small prompt and host-fixed SEARCH:
# Qwen2.5-Coder 1.5B wrote 3 of 6 varied edits right by itself and 6 of 6 with SEARCH fixed.
SMALL_BELOW = 5.0
LOCAL_PROVIDERS = frozenset(
    {"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "vllm"}
)
# Ollama cuts a prompt silently at its own context size, 4,096 unless configured: stay inside it.
OLLAMA_WINDOW = 4096
WHOLE_MOST_LINES = 200
"""Lines of a file up to which a weak model writes it whole; above, `long_format`."""

_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*b(?![a-z])", re.I)


# An unknown model of a few billion parameters: what it can write at all.
_WEAK = Family(format="whole", long_format="symbol")


@dataclass(frozen=True, slots=True)
class Counted:
    """How the tokens of a model are counted. `tokenizer`: one of `counting`, then the count is exact; empty =
    the estimate, times `factor`."""

    tokenizer: str = ""
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Known:
    """What the model process found out without the network. 0 and None: unknown. `provider`: empty
    when the name has none that is known. `missing`: names of keys that are not in its
    environment. `sampling`: takes a temperature."""

    provider: str = ""
    window: int = 0
    max_output: int = 0
    price_in: float | None = None
    price_out: float | None = None
    missing: tuple[str, ...] = ()
    images: bool = False
    prefill: bool = False
    sampling: bool = True


def counted(name: str) -> Counted:
    """How the tokens of a model name (`provider/model` or bare) are counted."""
    return next(row for pattern, row in _table().counts if pattern.search(bare(name)))


def family(name: str, overrides: Mapping[str, Mapping[str, Any]] | None = None) -> Family:
    """What the table says of a model name (`provider/model` or bare), and over it the user's `overrides`: fields
    by name or glob, exact names last."""
    row = _WEAK if is_small(name) else Family()
    for pattern, fields in _table().families:
        if pattern.search(bare(name)):
            row = replace(row, **fields)
    for _, glob in sorted((_weight(glob), glob) for glob in overrides or {}):
        if _matches(name, glob):
            row = replace(row, **(overrides or {})[glob])
    return row


def resolved(name: str, aliases: Mapping[str, str]) -> str:
    """`name`, or what it is short for: by the user's aliases, then by the built-in ones."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        name = aliases.get(name) or _table().aliases.get(name, name)
    return name


def companion(name: str, role: Literal["weak", "editor"], row: Family) -> str:
    """The full name of the companion for `role`, of the same provider; empty where there is none, or where the
    model is it itself."""
    other = row.weak if role == "weak" else row.editor
    provider, slash, own = name.rpartition("/")
    if not other or other == own or not _is_direct(name):
        return ""
    return other if "/" in other else f"{provider}{slash}{other}"


def bare(name: str) -> str:
    """A model name without its provider, lower case."""
    return name.rsplit("/", 1)[-1].lower()


def is_small(name: str) -> bool:
    """Whether the name states a size below SMALL_BELOW billion parameters."""
    words = bare(name).replace("_", "-").replace(":", "-").replace("-", " ")
    found = _SIZE.search(words)
    return found is not None and float(found[1]) < SMALL_BELOW


def edit_format(info: ModelInfo, lines: int) -> str:
    """The format in which `info` is asked for edits of files of which the longest has so many `lines`."""
    return info.long_format if info.long_format and lines > WHOLE_MOST_LINES else info.format


def embedded(settings: Settings) -> ModelInfo:
    """The model run in a process of our own."""
    return ModelInfo(
        name=EMBEDDED,
        window=settings.window or EMBEDDED_WINDOW,
        max_output=settings.max_output or EMBEDDED_OUTPUT,
        format=settings.format or EMBEDDED_FORMAT,
        map_tokens=SMALL_MAP_TOKENS,
        price_in=0.0,
        price_out=0.0,
        local=True,
        small=True,
        grammar=True,
        loopback=True,
        temperature=0.0 if settings.temperature is None else settings.temperature,
        prefill=True,
    )


def remote(
    name: str, known: Known, settings: Settings, *, api_base: str, window: int = 0
) -> ModelInfo:
    """A model reached over HTTP. `window`: what the server is known to take, below the user's
    setting."""
    row = family(name, settings.overrides)
    local = known.provider in LOCAL_PROVIDERS or is_loopback(api_base)
    small = row.small if row.small is not None else local and is_small(name)
    defaults = ModelInfo(name=name)
    cache_marks, session_key = _caches(name, known.provider, api_base, row)
    price_in, price_out = _prices(row, known, local, api_base)
    return ModelInfo(
        name=name,
        window=settings.window or row.window or window or known.window or defaults.window,
        max_output=settings.max_output or row.max_output or known.max_output or defaults.max_output,
        format=settings.format or row.format,
        long_format="" if settings.format else row.long_format,
        reminder=row.reminder,
        map_tokens=SMALL_MAP_TOKENS if small else None,
        price_in=price_in,
        price_out=price_out,
        local=local,
        small=small,
        grammar=False,
        loopback=is_loopback(api_base) if api_base else local,
        temperature=_temperature(settings, row, known),
        reasoning_tag=row.reasoning_tag,
        reasoning_open=row.reasoning_open,
        prefix=row.prefix,
        system=row.system,
        streaming=row.streaming,
        prefill=known.prefill if row.prefill is None else row.prefill,
        images=known.images if row.images is None else row.images,
        cache=cache_marks,
        session_key=session_key,
    )


def lent(name: str, known: Known, settings: Settings) -> ModelInfo:
    """A model that the client lends. `known.window` is what it reads, to which the answer is not counted."""
    info = remote(name, known, settings, api_base="")
    window = info.window if settings.window else info.window + info.max_output
    # What goes beyond plain messages of the two parties is between the client and its model.
    return replace(
        info,
        window=window,
        system=False,
        images=False,
        prefill=False,
        cache=False,
        session_key=False,
        temperature=None,
    )


def _temperature(settings: Settings, row: Family, known: Known) -> float | None:
    if settings.temperature is not None:
        return settings.temperature
    return row.temperature if known.sampling else None


def _prices(
    row: Family, known: Known, local: bool, api_base: str
) -> tuple[float | None, float | None]:
    """US dollars a token. What a server of one's own asks for is not what the provider does."""
    if row.price_in is not None or row.price_out is not None:
        return row.price_in, row.price_out
    if local:
        return 0.0, 0.0
    priced = not api_base or known.provider not in ("openai", "")
    return (known.price_in, known.price_out) if priced else (None, None)


def _caches(name: str, provider: str, api_base: str, row: Family) -> tuple[bool, bool]:
    """Whether cache marks and the session's id are sent. Another server than the provider's own may refuse a
    field it does not know."""
    marks = session_key = False
    for names, pattern, fields in _table().providers:
        if provider in names and pattern.search(bare(name)):
            marks = fields.get("cache", marks)
            session_key = fields.get("session_key", session_key) and not api_base
    return (
        marks if row.cache is None else row.cache,
        session_key if row.session_key is None else row.session_key,
    )


@dataclass(frozen=True, slots=True)
class _Table:
    families: tuple[tuple[re.Pattern[str], dict[str, Any]], ...]
    providers: tuple[tuple[tuple[str, ...], re.Pattern[str], dict[str, Any]], ...]
    counts: tuple[tuple[re.Pattern[str], Counted], ...]
    aliases: Mapping[str, str]


@cache
def _table() -> _Table:
    raw = tomllib.loads(files("pairwright.llm").joinpath("models.toml").read_text("utf-8"))
    return _Table(
        tuple((re.compile(row.pop("match")), _values(row)) for row in raw["family"]),
        tuple(
            (tuple(row.pop("names")), re.compile(row.pop("match")), row) for row in raw["provider"]
        ),
        tuple((re.compile(row.pop("match")), Counted(**row)) for row in raw["count"]),
        raw["aliases"],
    )


def _values(row: dict[str, Any]) -> dict[str, Any]:
    """The fields of a row; TOML has no null."""
    return {
        name: None if value == "none" and name == "temperature" else value
        for name, value in row.items()
    }


def _is_direct(name: str) -> bool:
    """Whether the last part of `name` is what its provider calls the model, so that another one's can stand in
    its place: not so for brokers, who spell names their own way."""
    return name.count("/") <= 1


def _weight(glob: str) -> tuple[bool, int]:
    """Globs before names, and short ones before long ones: what comes later counts."""
    return not any(sign in glob for sign in "*?["), len(glob)


def _matches(name: str, glob: str) -> bool:
    wanted = glob.lower()
    return fnmatchcase(name.lower(), wanted) or fnmatchcase(bare(name), wanted)
