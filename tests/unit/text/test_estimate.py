"""The estimate against real tokenizers, whose data a dependency ships, on texts of this
repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairwright.text.estimate import estimate, estimate_rows, estimates

ROOT = Path(__file__).parents[3]
# A list of nothing but common words has six characters a token, so the floor of a quarter holds there.
CODE = sorted(p for p in (ROOT / "server").rglob("*.py") if p.name != "vocabulary.py")


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base"])
def tokenizer(request: pytest.FixtureRequest) -> object:
    """A tokenizer from the files that litellm ships: no network."""
    tiktoken = pytest.importorskip("tiktoken")
    litellm = pytest.importorskip("importlib.util").find_spec("litellm")
    with pytest.MonkeyPatch.context() as patch:
        place = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers"
        patch.setenv("TIKTOKEN_CACHE_DIR", str(place))
        return tiktoken.get_encoding(request.param)


def check(tokenizer: object, text: str, most: float, least: float = 1.0) -> None:
    """The estimate of `text` is between `least` and `most` times the tokenizer's count."""
    exact = len(tokenizer.encode(text, disallowed_special=()))  # type: ignore[attr-defined]
    assert exact * least <= estimate(text) <= exact * most


def test_source_files_are_not_undercounted(tokenizer: object) -> None:
    exact = guessed = 0
    for path in CODE:
        text = path.read_text(encoding="utf-8")
        if len(text) > 200:
            # The bound that `estimate` states; a file of nothing but regular expressions comes near it.
            check(tokenizer, text, 1.4, 0.945)
            exact += len(tokenizer.encode(text, disallowed_special=()))  # type: ignore[attr-defined]
            guessed += estimate(text)
    assert exact < guessed < exact * 1.12


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
        "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\nRTESMBAGA1UEChMJQmFsdGltb3JlMRMw"
        "EQYDVQQLEwpDeWJlclRydXN0MSIwIAYD\nVQQDExlCYWx0aW1vcmUgQ3liZXJUcnVzdCBSb290MB4XDTAwMDUxMjE4NDYw\n",
        "{{{{}}}}[[]]();;==>><<||&&" * 30,
        "\t\t\tif (x) {\n\t\t\t\treturn y;\n\t\t\t}\n" * 40,
    ],
)
def test_hard_texts_are_not_undercounted(tokenizer: object, text: str) -> None:
    check(tokenizer, text, 6.0)


@pytest.mark.parametrize(
    ("text", "qwen", "most"),
    [
        ("", 0, 1),
        ("hello world 123", 6, 1.6),
        ("x = 1\n" * 50, 250, 1.2),
        ("这是一个测试。我们要检查分词器的计数是否准确，包括各种标点符号。" * 20, 640, 1.8),
        ("😀🎉👍🏽 ok " * 50, 550, 1.6),
    ],
)
def test_held_against_counts_of_qwen(text: str, qwen: int, most: float) -> None:
    assert qwen <= estimate(text) <= qwen * most


@given(st.text(), st.integers(0, 400))
def test_never_less_than_a_quarter_token_a_character(text: str, more: int) -> None:
    whole = text + "internationalization " * more
    assert estimate(whole) * 4 >= sum(1 if char.isascii() else 4 for char in whole)


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


_ROWS = st.sampled_from("a Z_9\t\n\r\x0b\x1c\x85\u2028\xa0.(;…é漢" + "0") | st.just("aB3" * 15)


@given(st.text() | st.lists(_ROWS, max_size=40).map("".join))
@example("a;\n \r\n  b\n\n…\n\t\n")
def test_rows_cost_one_by_one_what_they_cost_together(text: str) -> None:
    assert estimate_rows(text) == estimate(text)


def test_a_map_costs_row_by_row_what_it_costs_whole() -> None:
    text = (ROOT / "tests/golden/map/outside-ascii.txt").read_text(encoding="utf-8")
    assert estimate_rows(text) == estimate_rows(text) == estimate(text)


def test_a_surrogate_and_controls_are_counted_too() -> None:
    assert estimate("\udce9") >= 3
    assert estimate("\x00\x01\x1b") >= 1
    assert estimate(json.dumps("\x00" * 100)) >= 100


def test_a_large_text_of_one_piece_is_not_kept() -> None:
    from pairwright.text.estimate import _memo

    estimate("q" * 100_000)
    assert all(len(piece) <= 64 for piece in _memo)
