"""The estimate against real tokenizers, whose data a dependency ships, on texts of this
repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.estimate import estimate, estimates

ROOT = Path(__file__).parents[3]
CODE = sorted((ROOT / "server").rglob("*.py"))


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base"])
def tokenizer(request: pytest.FixtureRequest) -> object:
    """A tokenizer from the files that litellm ships: no network."""
    tiktoken = pytest.importorskip("tiktoken")
    litellm = pytest.importorskip("importlib.util").find_spec("litellm")
    with pytest.MonkeyPatch.context() as patch:
        place = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers"
        patch.setenv("TIKTOKEN_CACHE_DIR", str(place))
        return tiktoken.get_encoding(request.param)


def check(tokenizer: object, text: str, most: float) -> None:
    """The estimate of `text` is not under the tokenizer's count, and at most `most` times it."""
    exact = len(tokenizer.encode(text, disallowed_special=()))  # type: ignore[attr-defined]
    assert exact <= estimate(text) <= exact * most


def test_source_files_are_not_undercounted(tokenizer: object) -> None:
    exact = guessed = 0
    for path in CODE:
        text = path.read_text(encoding="utf-8")
        if len(text) > 200:
            check(tokenizer, text, 1.4)
            exact += len(tokenizer.encode(text, disallowed_special=()))  # type: ignore[attr-defined]
            guessed += estimate(text)
    assert guessed < exact * 1.15


@pytest.mark.parametrize(
    "name", ["edits.json", "lsp.json", "tags.json", "map/outside-ascii.txt", "map/shop.txt"]
)
def test_other_texts_are_not_undercounted(tokenizer: object, name: str) -> None:
    folder = ROOT / "tests" / ("golden" if "/" in name else "cases")
    check(tokenizer, (folder / name).read_text(encoding="utf-8"), 1.6)


@pytest.mark.parametrize(
    "text",
    [
        "返回订单列表的总额，保留两位小数。" * 20,
        "Возвращает сумму заказа с учётом скидки. " * 20,
        'x = "🧪🧬🔬👩‍🚀"\n' * 50,
        "─│┌┐└┘├┤" * 30,
        "0123456789abcdef" * 40,
        "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IGRhdGE" * 20,
        "{{{{}}}}[[]]();;==>><<||&&" * 30,
        "\t\t\tif (x) {\n\t\t\t\treturn y;\n\t\t\t}\n" * 40,
    ],
)
def test_hard_texts_are_not_undercounted(tokenizer: object, text: str) -> None:
    check(tokenizer, text, 6.0)


@given(st.text())
def test_characters_outside_ascii_cost_a_token_each(text: str) -> None:
    assert estimate(text) >= sum(not char.isascii() and not char.isspace() for char in text)
    assert estimate(text) == estimate(text)
    assert (estimate(text) == 0) == (text == "")


@given(st.lists(st.text()))
def test_several_texts_are_estimated_in_order(texts: list[str]) -> None:
    assert estimates(texts) == [estimate(text) for text in texts]


@given(st.text(), st.text())
def test_texts_joined_by_a_line_end_cost_what_they_cost_apart(one: str, other: str) -> None:
    apart = estimate(one + "\n") + estimate(other)
    assert estimate(one + "\n" + other) <= apart + 4


def test_a_surrogate_and_controls_are_counted_too() -> None:
    assert estimate("\udce9") >= 3
    assert estimate("\x00\x01\x1b") >= 1
    assert estimate(json.dumps("\x00" * 100)) >= 100


def test_a_large_text_of_one_piece_is_not_kept() -> None:
    from pairwright.text.estimate import _memo

    estimate("q" * 100_000)
    assert all(len(piece) <= 64 for piece in _memo)
