"""`--lint` and `--test` on the command line: what they are taken for."""

from __future__ import annotations

import argparse

import pytest

from pairwright.cli.checks import add, checks_of, lint, words
from pairwright.config.schema import Settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ruff check -", ("*", ("ruff", "check", "-"))),
        ("*.py=ruff check -", ("*.py", ("ruff", "check", "-"))),
        ("python=ruff check --select=E -", ("python", ("ruff", "check", "--select=E", "-"))),
        ("ruff check --select=E -", ("*", ("ruff", "check", "--select=E", "-"))),
        ("src/**/*.ts=eslint 'a b' {file}", ("src/**/*.ts", ("eslint", "a b", "{file}"))),
    ],
)
def test_a_command_for_some_files_or_for_all(text: str, expected: object) -> None:
    assert lint(text) == expected


@pytest.mark.parametrize("text", ["", "  ", "echo 'open"])
def test_what_is_no_command_is_told(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        words(text)


def test_who_types_a_command_vouches_for_it() -> None:
    parser = argparse.ArgumentParser()
    add(parser)
    args = parser.parse_args(["--lint", "*.py=a b", "--lint", "c", "--test", "t -q"])
    checks = checks_of(args, Settings())
    assert checks.trusted and checks.settings.syntax
    assert checks.settings.lint == {"*.py": ("a", "b"), "*": ("c",)}
    assert checks.settings.test == ("t", "-q") and checks.settings.test_when == "before"
    bare = checks_of(argparse.Namespace(), Settings())
    assert bare.settings.lint == {} and bare.settings.test == ()
