"""The grammar of a plan: what it lets a model write is read back as that, and nothing but what can be carried out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pairwright.engine.task.document import read
from pairwright.engine.task.frame import MOST_PATHS, grammar

PATHS = ("README.md", 'a "b\\c.py', "shop/cart.py")
_TOKEN = re.compile(
    r'"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-z]+)|(\{[0-9,]+\}|[|()?*+])| +'
)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def pattern(rules: str) -> re.Pattern[str]:
    """The language of GBNF rules that do not call themselves, as a regular expression."""
    bodies = dict(row.split(" ::= ", 1) for row in rules.splitlines())

    def of(name: str) -> str:
        body, made, at = bodies[name], "", 0
        while at < len(body):
            found = _TOKEN.match(body, at)
            assert found, f"not GBNF at {body[at:]!r}"
            at = found.end()
            literal, members, rule, sign = found.groups()
            if literal is not None:
                plain = re.sub(r"\\(.)", lambda m: _ESCAPED.get(m[1], m[1]), literal)
                made += re.escape(plain)
            else:
                made += members or (f"(?:{of(rule)})" if rule else sign or "")
        return made

    return re.compile(of("root"))


def check(text: str, expected: Sequence[str] | None, paths: Sequence[str] = PATHS) -> None:
    """`expected`: the headings of the plan that `text` is; None: it cannot be written."""
    assert bool(pattern(grammar(paths)).fullmatch(text)) == (expected is not None)
    if expected is not None:
        plan = read(text)
        assert [f"{entry.action} {entry.path}" for entry in plan.entries] == list(expected)


def test_the_form_of_a_plan_is_what_is_read() -> None:
    text = (
        "# Plan: Carts\n\n## create shop/tax.v2.py\n\nKeeps the rates.\n\n- contract: def rate() -> int\n"
        "\n## modify shop/cart.py\n\nAdds the tax.\n\n- depends: shop/tax.v2.py\n- depends: README.md\n"
    )
    check(text, ["create shop/tax.v2.py", "modify shop/cart.py"])
    tax, cart = read(text).entries
    assert (tax.purpose, tax.contract) == ("Keeps the rates.", ("def rate() -> int",))
    assert cart.depends == ("shop/tax.v2.py", "README.md")


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        ("modify shop/cart.py", True),
        ("delete README.md", True),
        ('modify a "b\\c.py', True),
        ("modify shop/lost.py", False),
        ("delete lost.py", False),
        ("create shop/tax.py", True),
        ("create ../tax.py", False),
        ("create /etc/tax.py", False),
        ("create tax", False),
        ("create shop/tax.py: the rates", False),
    ],
)
def test_only_what_is_there_is_modified(head: str, fits: bool) -> None:
    assert (
        bool(pattern(grammar(PATHS)).fullmatch(f"# Plan: x y\n\n## {head}\n\nA purpose of it.\n"))
        is fits
    )


def test_where_there_are_too_many_files_to_name_any_path_can_be_written() -> None:
    many = tuple(f"f{n}.py" for n in range(MOST_PATHS + 1))
    check("# Plan: x y\n\n## modify f7.py\n\nA purpose of it.\n", ["modify f7.py"], many)
    assert len(grammar(many)) < 2_000


def test_in_an_empty_workspace_there_is_only_something_to_create() -> None:
    check("# Plan: x y\n\n## create a.py\n\nA purpose of it.\n", ["create a.py"], ())
    check("# Plan: x y\n\n## modify a.py\n\nA purpose of it.\n", None, ())
