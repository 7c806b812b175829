"""Commit messages: the form holds whatever a model answers, and there is always one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.prompts.build import build, parts
from pairwright.prompts.commit import (
    KINDS,
    WIDTH,
    chunks,
    fallback,
    message,
    of_own_work,
    shortened,
    signed,
)

FORM = re.compile(rf"({'|'.join(KINDS)})(\([^()]+\))?!?: \S.*")
PATHS = ("src/app.py", "src/util.py")


def check(answer: str, expected: str, paths: tuple[str, ...] = PATHS) -> None:
    assert message(answer, paths) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("feat: add a parser", "feat: add a parser\n"),
        ("Fix(Core)!: Handle EOF.", "fix(Core)!: handle EOF\n"),
        ("feature: x", "feat: x\n"),
        ('"fix: handle EOF"', "fix: handle EOF\n"),
        ("`fix: handle EOF`", "fix: handle EOF\n"),
        ("```\nfix: handle EOF\n```", "fix: handle EOF\n"),
        (
            "Here it is:\n\n```text\nfix: handle EOF\n\nIt hung.\n```\nBye",
            "fix: handle EOF\n\nIt hung.\n",
        ),
        ("<think>fix: no\nhm</think>\nfeat: yes", "feat: yes\n"),
        ("**feat: bold**", "feat: bold\n"),
        ("Commit message: feat: led", "feat: led\n"),
        ("Add a parser", "chore: add a parser\n"),
        ("HTTPError is caught", "chore: HTTPError is caught\n"),
        ("feat: a\n\nCo-authored-by: Eve <e@e>\nSigned-off-by: Eve", "feat: a\n"),
        ("feat: a\nwhy so\n- one\n- two", "feat: a\n\nwhy so\n- one\n- two\n"),
        ("", ""),
        ("```\n```", ""),
        ("feat: !!!", ""),
    ],
)
def test_an_answer_is_brought_into_form(answer: str, expected: str) -> None:
    check(answer, expected)


def test_a_long_subject_is_cut_between_words() -> None:
    long = "feat: " + "take the words of the request into account when the map is ranked for a chat"
    check(long, "feat: take the words of the request into account when the map is ranked\n")
    assert len(message("feat: " + "x" * 100, PATHS).strip()) == WIDTH


def test_a_body_is_wrapped() -> None:
    found = message("feat: a\n\n" + "word " * 60, PATHS)
    assert max(map(len, found.splitlines())) <= WIDTH
    assert found.count("word") == 60


@given(st.text(), st.lists(st.sampled_from(["a.md", "tests/test_a.py", "b/c.py"]), min_size=1))
def test_every_message_has_the_form(text: str, paths: list[str]) -> None:
    for found in (message(text, paths), fallback(text, paths), of_own_work(paths)):
        lines = found.splitlines()
        if found:
            assert FORM.fullmatch(lines[0]), found
            assert len(lines[0]) <= WIDTH
            assert lines[1:2] in ([], [""])
            assert found.endswith("\n") and "\0" not in lines[0]
    assert fallback(text, paths)


def test_without_a_model_the_request_or_the_names_speak() -> None:
    assert fallback("\nAdd a parser\nand more", PATHS) == "chore: add a parser\n"
    assert fallback("", ("docs/a.md",)) == "docs: change a.md\n"
    assert fallback("", PATHS) == "chore: change app.py and util.py\n"
    assert fallback("", (*PATHS, "c.py")) == "chore: change app.py and 2 more files\n"
    assert fallback("fix: it", PATHS) == "fix: it\n"


def test_a_trailer_stands_apart() -> None:
    assert signed("feat: a\n", "Co-authored-by: M <m>") == "feat: a\n\nCo-authored-by: M <m>\n"
    assert signed("feat: a\n", "") == "feat: a\n"


def test_a_diff_is_cut_by_file() -> None:
    one = "diff --git a/a b/a\n" + "+line\n" * 500
    two = "diff --git a/b b/b\n+end\n"
    found = shortened(one + two, 1000)
    assert "+end\n" in found and "more lines" in found and len(found) < 1100
    assert shortened(two, 1000) == two


def test_what_the_model_is_asked() -> None:
    diff = "diff --git a/a b/a\n+```\n"
    asked = chunks(diff, PATHS, note="Add it", language="German")
    assert set(parts(asked)) == {"system", "request"}
    user = build(asked)[1].content
    assert user.startswith("Files: src/app.py, src/util.py\n\n````diff\n")
    assert 'asked for as "Add it". Write it in German' in user
    assert "one line" in build(chunks(diff, PATHS, brief=True))[0].content
