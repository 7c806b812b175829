"""Suggested commands: which may be offered, and how they are told."""

from __future__ import annotations

import pytest

from pairwright.lsp.suggested import Suggestions, fact, hidden_parts, outcome, page


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("pytest -q\n\tmake", ""),
        ("echo größe 日本", ""),
        ("echo ok\r rm -rf ~", "U+000D"),
        ("echo \x1b[8mhidden", "U+001B"),
        ("echo \u202egnp.exe", "U+202E"),
        ("ls\u200b -la", "U+200B"),
        ("a\u2028b", "U+2028"),
        ("x" * 1001, "too long"),
        ("x\n" * 12, "too long"),
    ],
)
def test_only_what_shows_whole_is_offered(command: str, why: str) -> None:
    found = hidden_parts(command)
    assert why in found and bool(found) == bool(why)


def test_a_command_is_known_by_its_exact_text_and_the_last_conversation() -> None:
    known = Suggestions()
    known.add(("make", "make test"), "one")
    known.add(("make",), "two")
    assert (known.session("make"), known.session("make test")) == ("two", "one")
    assert known.session("make ") is None
    known.add(tuple(f"echo {n}" for n in range(200)), "three")
    assert known.session("make") is None and known.session("echo 0") == "three"


def test_what_is_told_has_the_end_of_a_long_output() -> None:
    assert fact("true", 0, False, "") == (
        "The user ran a suggested command, which ended with exit code 0:\n    true\nIt printed nothing."
    )
    told = fact("make", 2, False, "begun\n" + "x" * 5000 + "\nlast\n")
    assert "begun" not in told and told.endswith("\n    last") and len(told) < 4300
    assert "characters are left out" in told


@pytest.mark.parametrize(
    ("code", "timed_out", "words"),
    [
        (3, False, "exit code 3"),
        (-9, False, "signal 9"),
        (None, False, "not be started"),
        (-15, True, "too long"),
    ],
)
def test_how_it_ended(code: int | None, timed_out: bool, words: str) -> None:
    assert words in outcome(code, timed_out)


def test_the_page_holds_any_output() -> None:
    text = page("cat x", 0, False, "```\nfenced\n```\n")
    assert text.count("````") == 4 and "fenced" in text
