"""What is known of model families before they are asked: data, overridable by settings.

Prices and windows of providers' models come from litellm's bundled list through the model process;
here is what that list lacks: edit format, place of the reminder, smallness, and how tokens are
counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pairwright.config.schema import Model as Settings
from pairwright.llm.errors import is_loopback
from pairwright.llm.types import ModelInfo

EMBEDDED = "embedded"
EMBEDDED_WINDOW = 8192
EMBEDDED_OUTPUT = 1024
SMALL_MAP_TOKENS = 400
# Below this many billions of parameters a model gets the small prompt and host-fixed SEARCH:
# Qwen2.5-Coder 1.5B wrote 3 of 6 varied edits right by itself and 6 of 6 with SEARCH fixed.
SMALL_BELOW = 5.0
LOCAL_PROVIDERS = frozenset(
    {"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "vllm"}
)
# Ollama cuts a prompt silently at its own context size, 4,096 unless configured: stay inside it.
OLLAMA_WINDOW = 4096

_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*b(?![a-z])", re.I)


@dataclass(frozen=True, slots=True)
class Family:
    """One row. `pattern`: searched in the model's name, lower case, without its provider."""

    pattern: str
    format: str = "diff"
    reminder: Literal["system", "user", "none"] = "user"


# The first match wins. Reminder places are Aider's settings for these families.
FAMILIES: tuple[Family, ...] = (
    # Lazy with any other format.
    Family(r"^gpt-4(-turbo|-\d{4}-preview|-vision)", "udiff", "system"),
    Family(r"^(gpt-4o|gpt-4\.|gpt-4-|chatgpt-4o)", reminder="system"),
    Family(r"deepseek-(chat|reasoner|coder|v\d)", reminder="system"),
    # It writes the path inside the fence, whatever it is told.
    Family(r"gemini", "diff-fenced"),
    Family(r""),
)


@dataclass(frozen=True, slots=True)
class Counted:
    """How the tokens of a model are counted. `pattern`: as a family's. `tokenizer`: one of
    `counting`, then the count is exact; empty = the estimate, times `factor`."""

    pattern: str
    tokenizer: str = ""
    factor: float = 1.0


# The first match wins. Factors lift the estimate above what 99 of 100 source files cost with Gemma
# 3 and Qwen 3; Anthropic publishes no tokenizer, and counts a third more than cl100k for code.
TOKENIZERS: tuple[Counted, ...] = (
    Counted(r"^(chatgpt-4o|gpt-4o|gpt-4\.|gpt-[5-9]|gpt-oss|o\d(?![a-z]))", "o200k"),
    Counted(r"^gpt-(4|3\.5|35)(?!\d)", "cl100k"),
    Counted(r"distill", factor=1.15),
    Counted(r"deepseek-(chat|reasoner|r1|v[34])", "deepseek"),
    Counted(r"claude", factor=1.25),
    Counted(r"gemini|gemma", factor=1.25),
    Counted(r"qwen|llama-?3"),
    Counted(r"", factor=1.15),
)


def counted(name: str) -> Counted:
    """How the tokens of a model name (`provider/model` or bare) are counted."""
    bare = name.rsplit("/", 1)[-1].lower()
    return next(row for row in TOKENIZERS if re.search(row.pattern, bare))


def family(name: str) -> Family:
    """The row of a model name (`provider/model` or bare)."""
    bare = name.rsplit("/", 1)[-1].lower()
    return next(row for row in FAMILIES if re.search(row.pattern, bare))


def is_small(name: str) -> bool:
    """Whether the name states a size below SMALL_BELOW billion parameters."""
    found = _SIZE.search(
        name.rsplit("/", 1)[-1].replace("_", "-").replace(":", "-").replace("-", " ")
    )
    return found is not None and float(found[1]) < SMALL_BELOW


def embedded(settings: Settings) -> ModelInfo:
    """The model run in a process of our own."""
    return ModelInfo(
        name=EMBEDDED,
        window=settings.window or EMBEDDED_WINDOW,
        max_output=settings.max_output or EMBEDDED_OUTPUT,
        format=settings.format or "diff",
        map_tokens=SMALL_MAP_TOKENS,
        price_in=0.0,
        price_out=0.0,
        local=True,
        small=True,
        grammar=True,
        loopback=True,
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What the model process found out without the network. 0 and None: unknown. `provider`: empty
    when the name has none that is known. `missing`: names of keys that are not in its
    environment."""

    provider: str = ""
    window: int = 0
    max_output: int = 0
    price_in: float | None = None
    price_out: float | None = None
    missing: tuple[str, ...] = ()
    images: bool = False


def remote(
    name: str, known: Known, settings: Settings, *, api_base: str, window: int = 0
) -> ModelInfo:
    """A model reached over HTTP. `window`: what the server is known to take, below the user's
    setting."""
    row = family(name)
    local = known.provider in LOCAL_PROVIDERS or is_loopback(api_base)
    small = local and is_small(name)
    defaults = ModelInfo(name=name)
    priced = not api_base or known.provider not in ("openai", "")
    return ModelInfo(
        name=name,
        window=settings.window or window or known.window or defaults.window,
        max_output=settings.max_output or known.max_output or defaults.max_output,
        format=settings.format or row.format,
        reminder=row.reminder,
        map_tokens=SMALL_MAP_TOKENS if small else None,
        price_in=0.0 if local else known.price_in if priced else None,
        price_out=0.0 if local else known.price_out if priced else None,
        local=local,
        small=small,
        grammar=False,
        loopback=is_loopback(api_base) if api_base else local,
        images=known.images,
    )
