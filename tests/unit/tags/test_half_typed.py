"""Half-typed code in the languages most people type: what is around it, and what it begins, is still found."""

from __future__ import annotations

import time

import pytest

from pairwright.tags.files import tags_of
from pairwright.tags.line_rules import RULES, rule_of
from pairwright.tags.masks import masked
from pairwright.text.lines import LineIndex


def check(path: str, text: str, lines: dict[str, int]) -> None:
    """Exactly these names, each on its line."""
    data = text.encode()
    index = LineIndex.of(data)
    tags = tags_of(path, data)
    assert tags.damaged
    assert {item.name: index.line_at(item.name_start) + 1 for item in tags.defs} == lines


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        (
            "a.py",
            "class A(Base):\n    def ok(self):\n        return fetch(\n\n    def half(self, x\n        y = 1\n\n"
            'class B:\n    def fine(self):\n        print("x"\n\nasync def tail():\n    return 1\n',
            {"A": 1, "ok": 2, "half": 5, "B": 8, "fine": 9, "tail": 12},
        ),
        (
            "a.ts",
            "export class A {\n  ok() { return fetch( }\n  half(x: number {\n    if (x\n  }\n}\n"
            "export function tail(): void {}\ninterface I { a: \nconst f = () => {\nfunction after() {}\n",
            {"A": 1, "ok": 2, "half": 3, "tail": 7, "I": 8, "f": 9, "after": 10},
        ),
        (
            "a.jsx",
            "function A() {\n  return <p>{x\n}\n\nfunction b() {\n  return 1;\n}\n",
            {"A": 1, "b": 5},
        ),
        (
            "a.go",
            "package p\n\nfunc A() {\n\tif x {\n\nfunc B() int { return 1 }\n\ntype T struct {\n\ta int\n\n"
            "func (t *T) M() {}\n",
            {"A": 3, "B": 6, "T": 8, "M": 11},
        ),
        (
            "a.rs",
            "fn a() { let x = \n\npub fn b() -> i32 { 1 }\n\nstruct S { a: \n\npub(crate) enum E { F }\n",
            {"a": 1, "b": 3, "S": 5, "E": 7},
        ),
        (
            "a.rb",
            "class A\n  def ok\n    if x\n  end\n\n  def half(a\n  end\nend\n\nmodule M\n  def self.go; end\nend\n",
            {"A": 1, "ok": 2, "half": 6, "M": 10, "go": 11},
        ),
        (
            "a.c",
            "int a(void) {\n  if (x {\n}\n\nint b(void) { return 1; }\n\nstruct s { int\nint c(void) { return 2; }\n",
            {"a": 1, "b": 5, "s": 7, "c": 8},
        ),
        (
            "a.cpp",
            "class A {\n  void ok() { go(; }\n};\n\nvoid A::half(int x {\n\n"
            "namespace n {\nint b() { return 1; }\n}\n",
            {"A": 1, "ok": 2, "half": 5, "n": 7, "b": 8},
        ),
    ],
)
def test_names_around_a_fault(path: str, text: str, lines: dict[str, int]) -> None:
    check(path, text, lines)


REPEATED = [
    *[
        "a ",
        "(",
        " ",
        "\t",
        "a.b",
        "public ",
        "<a",
        "@a(b) ",
        "let a ",
        "a::",
        '"',
        "def f(",
        "A ",
        "A(",
        "A\n",
    ],
    *[
        "class A ",
        "A B C f\n",
        ") A\n",
        "{% x ",
        "{{ ",
        "{#",
        "#{",
        "$a:(",
        "<%",
        '@use "a" ',
        "} A((",
        "a A(",
    ],
    *[
        "<<<<<<< a\n",
        "=======\n",
        "(define ",
        "CREATE TABLE ",
        "fn f<",
        "function ",
        "struct ",
        "x: ",
    ],
]


@pytest.mark.parametrize("piece", REPEATED)
def test_lines_and_blanks_cost_time_linear_in_the_text(piece: str) -> None:
    """A rule that looks ahead without a bound costs seconds here; all together cost some milliseconds."""
    data = (piece * (20_000 // len(piece))).encode() + b"\n{% a %}\n"
    start = time.process_time()
    for rule in filter(None, map(rule_of, RULES)):
        for _ in rule.finditer(data):
            pass
    for language in ("c", "python", "scss", "less", "erb", "fsharp"):
        masked(data, language)
    assert time.process_time() - start < 2
