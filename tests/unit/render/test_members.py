"""Which lines of a type's body are told, and how a map shows them."""

from __future__ import annotations

import pytest

from pairwright.graph.types import Ranked, Ranking
from pairwright.render.map import render
from pairwright.render.members import members
from pairwright.render.types import Source
from pairwright.tags.files import tags_of
from pairwright.text.document import Document


def check(text: str, expected: str, most: int = 9) -> None:
    """The telling lines of `text`, their letters put together."""
    document = Document.of("a.c", text.encode())
    last = document.lines.line_at(len(text))
    found = members(document.data, document.lines, 0, last, most)
    assert "".join(text.split("\n")[line].strip()[0] for line in found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a int\n\n  b int\n}\n", "ab"),
        ("// x\na\n# y\n-- z\nb\n@Inject\nc", "abc"),
        ("/* one */\na;\n/* two\n text\n * more */\nb;\n", "ab"),
        ('"""Says."""\na = 1\n"""\nb = 2\n"""\nc = 3', "ac"),
        ("{\na\n})", "a"),
        ("/* never closed\na\nb", ""),
    ],
)
def test_comments_and_brackets_tell_nothing(text: str, expected: str) -> None:
    check(text, expected)


def test_no_more_than_asked_for() -> None:
    check("a\nb\nc", "ab", most=2)
    check("a\nb\nc", "", most=0)


C = """struct task {
    int kind;
    /* Its place
       among others. */
    int place;

    struct task *outer; // above
};
enum color { RED,
    GREEN };
void run(struct task *task) {
    int kind;
}
"""


def shown(name: str, text: str = C) -> str:
    """A map of one definition of the C file `text`."""
    source = Source(Document.of("a.c", text.encode()), tags_of("a.c", text.encode()))
    ranking = Ranking((Ranked("a.c", name, 1.0),), (("a.c", 1.0),))
    return render(ranking, lambda _: source, 999, len).text.removeprefix("a.c:\n")


def test_a_struct_is_shown_with_its_fields() -> None:
    lines = C.split("\n")
    expected = [lines[0], lines[1], "…", lines[4], "…", lines[6]]
    assert shown("task") == "\n".join(expected) + "\n"


def test_a_type_whose_members_are_definitions_and_a_function_are_not_opened() -> None:
    assert shown("color") == "enum color { RED,\n"
    assert shown("run") == "void run(struct task *task) {\n"


def test_a_long_struct_is_shown_in_part() -> None:
    text = "struct big {\n" + "".join(f"  int f{n};\n" for n in range(30)) + "};\n"
    assert shown("big", text).count("\n") == 8
