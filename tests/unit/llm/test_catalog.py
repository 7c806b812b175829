"""What is known of model families, and what settings override."""

from __future__ import annotations

import pytest

from pairwright.config.schema import Model as Settings
from pairwright.llm.catalog import FAMILIES, Known, counted, embedded, family, is_small, remote
from pairwright.llm.types import ModelInfo


def check(info: ModelInfo, **expected: object) -> None:
    assert {name: getattr(info, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "reminder"),
    [
        ("openai/gpt-4o-mini", "system"),
        ("openai/gpt-5", "user"),
        ("openrouter/anthropic/claude-sonnet-4-5", "user"),
        ("deepseek/deepseek-chat", "system"),
        ("openai/whatever", "user"),
        ("", "user"),
    ],
)
def test_families(name: str, reminder: str) -> None:
    row = family(name)
    assert row.reminder == reminder
    assert row in FAMILIES


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


def test_formats_that_families_write_best() -> None:
    assert family("gemini/gemini-2.5-pro").format == "diff-fenced"
    assert family("openai/gpt-4-turbo-2024-04-09").format == "udiff"
    assert family("openai/gpt-4.1").format == "diff"
    settings = Settings(name="gemini/gemini-2.5-pro", format="whole")
    assert remote(settings.name, Known("gemini"), settings, api_base="").format == "whole"


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
        map_tokens=400, price_in=0.0,
    )  # fmt: skip
    check(embedded(Settings(window=2048, max_output=77)), window=2048, max_output=77)
