"""What is known of model families, and what settings override."""

from __future__ import annotations

import pytest

from pairwright.config.family import Family
from pairwright.config.load import check as checked
from pairwright.config.schema import Model as Settings
from pairwright.llm import catalog
from pairwright.llm.catalog import (
    Known,
    companion,
    counted,
    edit_format,
    embedded,
    family,
    is_small,
    remote,
    resolved,
)
from pairwright.llm.types import ModelInfo

GEMINI = "gemini/gemini-2.5-pro"


def check(info: ModelInfo, **expected: object) -> None:
    assert {name: getattr(info, name) for name in expected} == expected


def says(name: str, **expected: object) -> None:
    """The row of `name` differs from an unknown model's in exactly these fields."""
    row, plain = family(name), Family()
    differs = {f: getattr(row, f) for f in Family.__slots__ if getattr(row, f) != getattr(plain, f)}
    differs.pop("weak", None)
    differs.pop("editor", None)
    assert differs == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai/gpt-4o-mini", {"reminder": "system"}),
        ("openai/gpt-4.1", {"reminder": "system"}),
        ("openai/gpt-4-turbo-2024-04-09", {"format": "udiff", "reminder": "system"}),
        ("openai/gpt-3.5-turbo", {"format": "whole", "long_format": "symbol", "reminder": "system"}),
        ("openai/gpt-5", {"temperature": None}),
        ("openai/gpt-5-chat-latest", {}),
        ("openai/o3", {"temperature": None, "prefix": "Formatting re-enabled"}),
        ("o1-mini", {"temperature": None, "system": False}),
        ("openai/o1-pro", {"temperature": None, "prefix": "Formatting re-enabled", "streaming": False}),
        ("openrouter/anthropic/claude-sonnet-4-5", {}),
        ("deepseek/deepseek-chat", {"reminder": "system"}),
        ("openrouter/deepseek/deepseek-r1", {
            "reminder": "system", "temperature": 0.6, "reasoning_tag": "think", "reasoning_open": True,
        }),
        (GEMINI, {"format": "diff-fenced"}),
        ("gemini/gemini-3.1-pro-preview", {"format": "diff-fenced", "temperature": None}),
        ("ollama_chat/qwen3:14b", {"temperature": 0.6, "reasoning_tag": "think"}),
        ("ollama_chat/qwen3-coder:30b", {"reasoning_tag": "think"}),
        ("ollama/qwen2.5-coder:3b", {"format": "whole", "long_format": "symbol"}),
        ("openai/whatever", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_families(name: str, expected: dict[str, object]) -> None:
    says(name, **expected)


def test_every_row_of_the_table_could_be_an_override() -> None:
    """The same fields, with values that settings would take too."""
    rows = catalog._table().families
    assert len(rows) > 20
    for pattern, fields in rows:
        assert checked("model.overrides", {pattern.pattern: fields}) == {pattern.pattern: fields}


def test_overrides_win_and_names_beat_globs() -> None:
    settings = Settings(
        overrides={
            "openai/my-model": {"window": 3},
            "openai/*": {"window": 1, "format": "udiff", "temperature": None, "extra": {"seed": 1}},
            "my-*": {"window": 2, "price_in": 1e-6, "price_out": 2e-6, "cache": True},
        }
    )
    info = remote("openai/my-model", Known("openai"), settings, api_base="")
    check(
        info, window=3, format="udiff", temperature=None, price_in=1e-6, price_out=2e-6, cache=True
    )
    check(remote("openai/other", Known("openai"), settings, api_base=""), window=1, price_in=None)
    check(remote("xai/other", Known("xai"), settings, api_base=""), window=8192, format="diff")


def test_what_settings_say_of_the_main_model_comes_first() -> None:
    settings = Settings(format="whole", window=5, overrides={"*": {"format": "patch", "window": 9}})
    check(remote(GEMINI, Known("gemini"), settings, api_base=""), format="whole", window=5)
    check(remote(GEMINI, Known("gemini"), Settings(), api_base=""), format="diff-fenced")


def test_a_weak_model_writes_short_files_whole_and_names_what_it_changes_in_long_ones() -> None:
    info = remote("ollama/qwen2.5-coder:3b", Known("ollama"), Settings(), api_base="")
    assert [edit_format(info, n) for n in (0, 200, 201)] == ["whole", "whole", "symbol"]
    strong = remote("openai/gpt-4.1", Known("openai"), Settings(), api_base="")
    assert edit_format(strong, 5000) == "diff"
    told = remote("ollama/qwen2.5-coder:3b", Known("ollama"), Settings(format="whole"), api_base="")
    assert edit_format(told, 5000) == "whole"


@pytest.mark.parametrize(
    ("name", "provider", "base", "cache", "session_key"),
    [
        ("anthropic/claude-sonnet-4-5", "anthropic", "", True, False),
        ("anthropic/claude-sonnet-4-5", "anthropic", "https://gateway.example", True, False),
        ("openrouter/anthropic/claude-sonnet-4-5", "openrouter", "", True, False),
        ("openrouter/openai/gpt-5", "openrouter", "", False, False),
        ("openai/claude-look-alike", "openai", "http://localhost:1/v1", False, False),
        ("openai/gpt-5", "openai", "", False, True),
        ("openai/gpt-5", "openai", "https://gateway.example/v1", False, False),
        (GEMINI, "gemini", "", False, False),
    ],
)
def test_prefix_caches(name: str, provider: str, base: str, cache: bool, session_key: bool) -> None:
    info = remote(name, Known(provider), Settings(), api_base=base)
    check(info, cache=cache, session_key=session_key)


def test_what_litellms_table_knows_of_a_model() -> None:
    known = Known("anthropic", images=True, prefill=True, sampling=False)
    info = remote("anthropic/claude-x", known, Settings(), api_base="")
    check(info, images=True, prefill=True, temperature=None)
    check(remote("a/x", known, Settings(temperature=0.5), api_base=""), temperature=0.5)
    check(remote("a/x", Known("a"), Settings(), api_base=""), temperature=0.0, prefill=False)


@pytest.mark.parametrize(
    ("name", "weak", "editor"),
    [
        ("anthropic/claude-opus-4-5", "anthropic/claude-haiku-latest", "anthropic/claude-sonnet-latest"),
        ("claude-opus-4-5", "claude-haiku-latest", "claude-sonnet-latest"),
        ("openai/gpt-5", "openai/gpt-5-mini", ""),
        ("openai/gpt-5-mini", "", ""),
        ("openai/o3", "openai/gpt-5-mini", "openai/gpt-5"),
        (GEMINI, "gemini/gemini-flash-latest", ""),
        ("openrouter/anthropic/claude-opus-4-5", "", ""),
        ("openai/whatever", "", ""),
    ],
)  # fmt: skip
def test_companions(name: str, weak: str, editor: str) -> None:
    row = family(name)
    assert (companion(name, "weak", row), companion(name, "editor", row)) == (weak, editor)


def test_short_names() -> None:
    assert resolved("sonnet", {}).startswith("anthropic/claude-sonnet")
    assert resolved("mine", {"mine": "sonnet"}) == resolved("sonnet", {})
    assert resolved("sonnet", {"sonnet": "openai/x"}) == "openai/x"
    assert resolved("openai/gpt-5", {}) == "openai/gpt-5"
    assert resolved("a", {"a": "b", "b": "a"}) in ("a", "b")


@pytest.mark.parametrize(
    ("name", "tokenizer", "factor"),
    [
        ("openai/gpt-4o-mini", "o200k", 1.0),
        ("openai/gpt-4.1", "o200k", 1.0),
        ("openai/gpt-5", "o200k", 1.0),
        ("o3-mini", "o200k", 1.0),
        ("gpt-4-turbo", "cl100k", 1.0),
        ("azure/gpt-35-turbo", "cl100k", 1.0),
        ("deepseek/deepseek-chat", "deepseek", 1.0),
        ("openrouter/deepseek/deepseek-r1-distill-qwen-32b", "", 1.15),
        ("openrouter/anthropic/claude-sonnet-4-5", "", 1.25),
        ("gemini/gemini-2.5-pro", "", 1.25),
        ("ollama/qwen2.5-coder:7b", "", 1.0),
        ("openai/o4you", "", 1.15),
        ("openai/whatever", "", 1.15),
        ("", "", 1.15),
    ],
)
def test_how_tokens_are_counted(name: str, tokenizer: str, factor: float) -> None:
    row = counted(name)
    assert (row.tokenizer, row.factor) == (tokenizer, factor)


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("qwen2.5-coder:3b", True),
        ("Qwen2.5-Coder-1.5B-Instruct-GGUF", True),
        ("llama-3.2-3b-instruct", True),
        ("codellama:7b", False),
        ("qwen2.5-coder-32b", False),
        ("mixtral-8x7b", False),
        ("phi3", False),
        ("gpt-4o", False),
        ("model-b3", False),
    ],
)
def test_small_by_the_size_in_the_name(name: str, small: bool) -> None:
    assert is_small(f"openai/{name}") is small


def test_a_known_model_of_a_provider() -> None:
    known = Known("openai", 1000, 100, 1e-6, 2e-6)
    check(
        remote("openai/gpt-5", known, Settings(), api_base=""),
        window=1000, max_output=100, price_in=1e-6, local=False, small=False, map_tokens=None,
    )  # fmt: skip
    settings = Settings(window=5, max_output=6, format="whole")
    check(
        remote("openai/gpt-5", known, settings, api_base=""), window=5, max_output=6, format="whole"
    )


def test_a_server_of_ones_own_costs_nothing_that_is_known() -> None:
    known = Known("openai", 1000, 100, 1e-6, 2e-6)
    check(
        remote("openai/gpt-5", known, Settings(), api_base="https://gateway.example/v1"),
        price_in=None, local=False,
    )  # fmt: skip
    check(
        remote("openai/qwen:3b", known, Settings(), api_base="http://localhost:1/v1", window=4096),
        price_in=0.0, local=True, small=True, map_tokens=400, window=4096,
    )  # fmt: skip


def test_the_embedded_model() -> None:
    check(
        embedded(Settings()), name="embedded", window=8192, small=True, grammar=True, local=True,
        map_tokens=400, price_in=0.0, format="symbol", long_format="",
    )  # fmt: skip
    check(embedded(Settings(window=2048, max_output=77)), window=2048, max_output=77)
