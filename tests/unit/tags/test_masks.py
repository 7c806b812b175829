"""What is blanked before a parse: conflict markers, holes of templates, macros; and that nothing moves."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.tags.files import tags_of
from pairwright.tags.macros import MAX_BYTES, without_macros
from pairwright.tags.masks import masked
from pairwright.tags.table import LANGUAGES
from pairwright.text.lines import LineIndex


def check(path: str, text: str, lines: dict[str, int]) -> None:
    """The definitions of `text`: each name on its line, and no other."""
    data = text.encode()
    index = LineIndex.of(data)
    defs = tags_of(path, data).defs
    assert {item.name: index.line_at(item.name_start) + 1 for item in defs} == lines


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        (
            "merge.ts",
            "class A {\n<<<<<<< HEAD\n  ours() {}\n||||||| base\n=======\n  theirs() {}\n"
            ">>>>>>> x/y\n}\nfunction after() {}\n",
            {"A": 1, "ours": 3, "theirs": 6, "after": 9},
        ),
        ("rst.py", 'def f():\n    """Title\n=======\n"""\n', {"f": 1}),
        (
            "tmpl.py",
            "{% if x %}# {{ y }}{% endif %}\nclass {{ name }}Service:\n    def handle(self):\n"
            "        return {{ value }}\n\ndef plain():\n    return 1\n",
            {"handle": 3, "plain": 6},
        ),
        (
            "conf.go.tmpl",
            "package p\n{% for a in b %}\nfunc F() int { return {{ a }} }\n{% endfor %}\n",
            {"F": 3},
        ),
        ("page.erb", "<p>def no; end</p>\n<% def yes %>x<% end %>\n", {"yes": 2}),
        ("page.ejs", "<p>function no() {}</p>\n<% function yes() { %>x<% } %>\n", {"yes": 2}),
        (
            "a.hpp",
            "class UI_EXPORT Widget final : public Base<int> {\n  Q_OBJECT\n  Q_PROPERTY(int a READ a)\n"
            "public:\n  Q_INVOKABLE void poke();\n};\nenum class API Mode : int { A META(x), B };\n",
            {"Widget": 1, "poke": 5, "Mode": 7, "A": 7, "B": 7},
        ),
        (
            "a.h",
            "UCLASS(Meta, A=(B))\nclass GAME_API AHero : public ACharacter\n{\n  GENERATED_BODY()\n};\n",
            {"AHero": 2},
        ),
        (
            "a.c",
            "DWORD WINAPI run(void) { return 0; }\nint next(void) { return 1; }\n",
            {"run": 1, "next": 2},
        ),
        (
            "k.c",
            "static int __init first(void)\n{\n}\nvoid __user *at(void) { }\n",
            {"first": 1, "at": 4},
        ),
        ("v.c", "typedef struct { int x; } PACKED(8) vec;\n", {"vec": 1}),
        ("s.c", "struct FOO bar = { 1 };\nenum {\n  FOO_A\n};\n", {"bar": 1, "FOO_A": 3}),
        ("kr.c", "int add(a, b)\nint a;\nint b;\n{\n  return a;\n}\n", {"add": 1}),
    ],
)
def test_what_stands_around_a_fault_is_found(path: str, text: str, lines: dict[str, int]) -> None:
    check(path, text, lines)
    check(path, text.replace("\n", "\r\n"), lines)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n=======\ny = 2\n",
        "<<<<<<<\n",
        'a = "{% raw %}"\n',
        "struct FOO bar;\n",
        "enum {\n  A,\n  B\n};\n",
        "int x = CALL(\n  FLAG\n);\n",
        "return FOO BAR(x);\n",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    data = text.encode()
    for language in ("python", "c", "cpp", "ruby"):
        assert masked(data, language) is data or masked(data, language) == data


def test_a_huge_text_keeps_its_macros() -> None:
    data = b"class API A {};\n" * (MAX_BYTES // 16 + 1)
    assert without_macros(data) is data


pieces = st.lists(
    st.sampled_from(
        [
            *[
                "<<<<<<< a\n",
                "=======\n",
                ">>>>>>> b\n",
                "{% x %}",
                "{{ y }}",
                "{# z",
                "#}",
                "<% ",
                "%>",
            ],
            *[
                "class ",
                "API ",
                "FOO(1) ",
                "Name ",
                "{",
                "}",
                ";",
                ":",
                "(",
                ")",
                "\n",
                "\r\n",
                "\r",
                "  ",
            ],
            *[
                "@extend %x;",
                "$m: (a: b);",
                "#{$x}",
                "@name: 1;",
                "!default",
                "é",
                "💩",
                "//",
                '"',
                "_init",
            ],
        ]
    ),
    max_size=25,
).map("".join)


@given(text=pieces, language=st.sampled_from(sorted(LANGUAGES)))
def test_length_and_lines_stay(text: str, language: str) -> None:
    data = text.encode()
    seen = masked(data, language)
    assert len(seen) == len(data)
    assert LineIndex.of(seen).count == LineIndex.of(data).count


@pytest.mark.parametrize(
    "replacement", ["$x =~ s{a{1}}{b}g;", "map {s(a)(b)} @x;", "s\n(a)\n(b);", "s(a);", "tr[a]"]
)
def test_many_replacements_of_perl_are_read(replacement: str) -> None:
    """In a child: without the mask the grammar's scanner ends the process."""
    text = (
        f"sub first {{ {replacement} }}\n" * 150 + "$h{s}{x}; tr(a).b.; sub s($) { last_one() }\n"
    )
    script = (
        "import sys; from pairwright.tags.files import tags_of; "
        "tags = tags_of('a.pl', sys.stdin.buffer.read()); print(len(tags.defs), tags.ref_names[-1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=text, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, ["151", "last_one"])
