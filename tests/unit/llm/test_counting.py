"""Exact counts: whole texts by the tokenizers themselves, and the sum over lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.llm import counting
from pairwright.llm.counting import count, pieces

SERVER = Path(counting.__file__).parents[1]
LINES = st.lists(
    st.sampled_from(
        [
            "", " ", "\t", "  \t", "\r", "\x0c", "\u2028", "\x1c", "x = {}", "    return a/b", "/* c */",
            "  /", "//", "});", "é", "计算", "🧪", "'s", "<|endoftext|>", "12345", "...", "\u00a0", "a\r",
        ]
    ),
    max_size=12,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(counting.data()))
        yield


@pytest.fixture(scope="module", params=["cl100k", "o200k"])
def whole(request: pytest.FixtureRequest) -> tuple[str, counting.Count]:
    """A tokenizer's name, and its count of a text taken whole."""
    return request.param, counting._tiktoken(counting._TIKTOKEN[request.param])


@given(LINES, st.text(max_size=40))
def test_the_parts_are_the_text_and_their_tokens_add_up(
    whole: tuple[str, counting.Count], lines: list[str], odd: str
) -> None:
    name, one = whole
    text = "\n".join(lines) + odd + "\n".join(lines)
    assert "".join(pieces(text)) == text
    assert count(name, [text, "", text]) == [one(text), 0, one(text)]


def test_sources_are_counted_exactly(whole: tuple[str, counting.Count]) -> None:
    name, one = whole
    texts = [path.read_text(encoding="utf-8") for path in sorted(SERVER.rglob("*.py"))[::4]]
    assert count(name, texts) == list(map(one, texts))


def test_known_counts() -> None:
    text = "def dedupe(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:\n    return rows\n"
    assert count("cl100k", ["hello world 123", text]) == [4, 24]
    assert count("deepseek", ["hello world 123"]) == [4]
    with pytest.raises(LookupError):
        count("moon", ["x"])
