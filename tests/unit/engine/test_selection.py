"""The lines a small model may rewrite, and the block its answer becomes."""

from __future__ import annotations

import re

import pytest
from tests.support.fixture import cursor

from pairwright.edits.plan import plan
from pairwright.edits.types import Target
from pairwright.engine import selection
from pairwright.engine.selection import MOST_BYTES, MOST_LINES, Region, block, region, shown
from pairwright.tags.files import tags_of
from pairwright.text.document import Document

CODE = """\
import os

LIMIT = {
    "a": 1,
}


class Cart:
    size = 1

    @property
    def total(self):
        value = 0
        return value


def bare():
    return 1
"""


def chosen(text: str, path: str = "a.py") -> str | None:
    """The text of the region for `text` with the selection between two marks, or one for the cursor."""
    plain, start = cursor(text.replace("<CURSOR>", "<END>").replace("<END>", "<CURSOR>", 1))
    end = plain.find("<END>")
    plain = plain.replace("<END>", "")
    document = Document.of(path, plain.encode())
    found = region(document, tags_of(path, plain.encode()), start, end if end >= 0 else start)
    assert found is None or document.data[found.start : found.end].decode().splitlines() == list(
        found.lines
    )
    return None if found is None else found.text


def check(mark: str, expected: str) -> None:
    first, last = re.findall(expected, CODE, re.S)[0], mark
    assert chosen(CODE.replace(last, f"<CURSOR>{last}<CURSOR>", 1)) == first.rstrip("\n")


def test_a_selection_grows_to_its_function() -> None:
    check("value = 0", r"    @property.*return value\n")
    check("        return value\n", r"    @property.*return value\n")
    check("def bare", r"def bare.*return 1\n")


def test_a_field_is_no_place_of_its_own_but_a_table_is() -> None:
    check("size = 1", r"class Cart:.*return value\n")
    check('"a": 1', r"LIMIT.*?}\n")
    check("import os", r"import os\n")


def test_lines_over_several_definitions_stay_as_selected() -> None:
    text = CODE.replace("        return value", "<CURSOR>        return value")
    text = text.replace("    return 1\n", "    return 1\n<CURSOR>")
    assert chosen(text) == "        return value\n\n\ndef bare():\n    return 1"


def test_the_cursor_alone_is_enough() -> None:
    assert chosen(CODE.replace("return 1", "return <CURSOR>1")) == "def bare():\n    return 1"


def test_a_long_definition_gives_the_selected_lines_and_a_long_selection_nothing() -> None:
    rows = "".join(f"    x{n} = {n}\n" for n in range(MOST_LINES))
    text = f"def f():\n{rows}"
    assert chosen(text.replace("x7 = 7", "<CURSOR>x7 = 7<CURSOR>")) == "    x7 = 7"
    assert chosen(f"<CURSOR>{text}<CURSOR>") is None
    assert chosen(f"<CURSOR>x = '{'y' * MOST_BYTES}'<CURSOR>\n") is None


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_any_line_end(ends: str) -> None:
    text = CODE.replace("def bare", "def <CURSOR>bare").replace("\n", ends)
    expected = ["def bare():", "    return 1"]
    found = chosen(text)
    assert found is not None and found.split("\n") == expected


# --- answers


def made(reply: str, *lines: str) -> tuple[str, ...] | None:
    old = lines or ("    def f():", "        return 1")
    found = block("a.py", Region(0, 0, 0, old), reply)
    assert found is None or found.search == old
    return None if found is None else found.replace


def test_the_answer_is_the_new_lines() -> None:
    assert made("    def f():\n        return 2\n```") == ("    def f():", "        return 2")
    assert made("    def f():\r\n        return 2\r\n```\n") == ("    def f():", "        return 2")
    assert made("```") == ()


@pytest.mark.parametrize("reply", ["", "    def f():\n        return", "    def f():\n", "x```"])
def test_an_answer_without_its_end_is_no_edit(reply: str) -> None:
    assert made(reply) is None


def test_a_fence_with_a_word_is_a_line_like_any_other() -> None:
    reply = '    """\n    ```python\n    f()\n    ```\n    """\n```'
    found = made(reply, "    pass")
    assert found is not None and found[1] == "    ```python" and len(found) == 5
    assert selection.begun(Region(0, 0, 0, ("```", "a")), "md") == "````md\n"
    assert made("```py\na\n````", "```", "b") == ("```py", "a")


def test_lost_indentation_is_put_back() -> None:
    assert made("def f():\n    return 2\n```") == ("    def f():", "        return 2")
    assert made("return 2\n```", "        return 1") == ("        return 2",)
    assert made("\t\tdef f():\n\t\t\treturn 2\n```", "\tdef f():", "\t\treturn 1") == (
        "\tdef f():",
        "\t\treturn 2",
    )


def test_indentation_that_is_meant_stays() -> None:
    assert made("    if a:\n        def f():\n            return 1\n```") == (
        "    if a:",
        "        def f():",
        "            return 1",
    )
    assert made("        return 2\n```") == ("        return 2",)


def test_the_block_is_planned_like_any_other() -> None:
    data = CODE.encode()
    document = Document.of("a.py", data)
    at = data.index(b"value = 0")
    found = region(document, tags_of("a.py", data), at, at + 5)
    assert found is not None
    reply = found.text.replace("value", "amount") + "\n```"
    edit = block("a.py", found, reply)
    assert edit is not None
    planned = plan(
        [edit], {"a.py": Target("a.py", data)}, within={"a.py": (found.start, found.end)}
    )
    assert planned.problems == ()
    assert planned.changes[0].after == data.replace(b"value", b"amount")
    assert shown(edit).startswith("a.py\n```\n<<<<<<< SEARCH\n    @property\n")


def test_the_grammar_ends_with_the_fence_of_the_lines() -> None:
    for lines, marks in ((("<ul>", "</ul>"), "```"), (("```", "x", "```"), "````")):
        root = selection.grammar(Region(0, 0, 0, lines)).partition("\n")[0]
        assert root.startswith("root ::=") and root.endswith(f' line* "{marks}"')
