"""Edits that name a definition: how they are written, which lines they mean, how they are fitted in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.formats import symbol
from pairwright.edits.formats.registry import read
from pairwright.edits.plan import plan
from pairwright.edits.types import Target

SHOP = b"""\
import math


class Order:
    rate = 2

    def total(self):
        return sum(self.rows)

    @property
    def size(self):
        return len(self.rows)


class Cart:
    # Counted anew each time.
    def total(self):
        return 0


def total():
    return None
"""
JAVA = b"""\
class A {
    int add(int a) {
        return a;
    }

    int add(int a, int b) {
        return a + b;
    }
}
"""


def block(head: str, *lines: str, path: str = "shop.py") -> str:
    return "\n".join([path, "```", f"<<<<<<< {head}", *lines, ">>>>>>> REPLACE", "```", ""])


def done(reply: str, data: bytes = SHOP, path: str = "shop.py") -> str:
    parsed = read(reply, "symbol", (path,))
    assert parsed.problems == ()
    made = plan(parsed.blocks, {path: Target(path, data)}, chat=(path,))
    assert made.problems == ()
    after = made.changes[0].after
    assert after is not None
    return after.decode()


def check(reply: str, old: str, new: str, data: bytes = SHOP, path: str = "shop.py") -> None:
    """`reply` turns the one `old` in the text into `new` and touches nothing else."""
    text = data.decode()
    assert text.count(old) == 1
    assert done(reply, data, path) == text.replace(old, new)


def refuse(reply: str, *says: str, data: bytes = SHOP, path: str = "shop.py") -> None:
    parsed = read(reply, "symbol", (path,))
    made = plan(parsed.blocks, {path: Target(path, data)}, chat=(path,))
    assert made.changes == ()
    said = " ".join(problem.message for problem in (*parsed.problems, *made.problems))
    for part in says:
        assert part in said, said


def test_a_definition_gets_its_new_text() -> None:
    old = "    def total(self):\n        return sum(self.rows)\n"
    new = "    def total(self):\n        return sum(self.rows) * 2\n"
    check(block("DEFINITION Order.total", *new.splitlines()), old, new)
    # At another indentation, with blank lines around, with an argument list or another sign.
    flush = ["", "def total(self):", "    return sum(self.rows) * 2", ""]
    check(block("DEFINITION Order.total", *flush), old, new)
    check(block("definition Order::total(self)", *flush), old, new)


def test_decorators_belong_to_a_definition() -> None:
    old = "    @property\n    def size(self):\n        return len(self.rows)\n"
    check(
        block("DEFINITION size", "def size(self):", "    return 1"),
        old,
        "    def size(self):\n        return 1\n",
    )


def test_names_that_fit_several_or_none() -> None:
    refuse(block("DEFINITION total", "def f(): pass"), "ambiguous", "lines 7, 17, 21", "total:7")
    check(
        block("DEFINITION total:21", "def total():", "    return 1"),
        "    return None\n",
        "    return 1\n",
    )
    # The first line of the new text says which.
    check(
        block("DEFINITION total", "def total():", "    return 1"),
        "    return None\n",
        "    return 1\n",
    )
    refuse(block("DEFINITION Order.totl", "x"), "no definition Order.totl", "Order.total")
    refuse(block("DEFINITION zzz", "x"), "Its definitions are", "Cart")


def test_overloads() -> None:
    new = ["int add(int a, int b) {", "    return b + a;", "}"]
    old = "        return a + b;\n"
    for name in ("A.add(int a, int b)", "add(int a,int b)", "A.add:6"):
        check(
            block(f"DEFINITION {name}", *new, path="A.java"),
            old,
            "        return b + a;\n",
            JAVA,
            "A.java",
        )
    refuse(
        block("DEFINITION A.add", "int sub() {", "}", path="A.java"),
        "ambiguous",
        data=JAVA,
        path="A.java",
    )


def test_lines_beside_a_definition() -> None:
    new = ["def half(self):", "    return self.total() / 2"]
    placed = "    def half(self):\n        return self.total() / 2\n"
    anchor = "    def total(self):\n        return sum(self.rows)\n"
    check(block("AFTER Order.total", *new), anchor, f"{anchor}\n{placed}")
    check(block("BEFORE Order.total", *new), anchor, f"{placed}\n{anchor}")
    # A comment right above belongs to what it is about.
    check(
        block("BEFORE Cart.total", "def first(self):", "    pass"),
        "    # Counted anew each time.\n",
        "    def first(self):\n        pass\n\n    # Counted anew each time.\n",
    )
    last = "def total():\n    return None\n"
    assert done(block("AFTER total:21", "def more():", "    pass")).endswith(
        f"{last}\n\ndef more():\n    pass\n"
    )


def test_a_definition_is_removed_with_the_blank_lines_behind_it() -> None:
    check(
        block("DELETE Order.total"),
        "    def total(self):\n        return sum(self.rows)\n\n    @property\n",
        "    @property\n",
    )
    assert done(block("DELETE Cart")).count("\n\n\n") == SHOP.decode().count("\n\n\n") - 1


def test_code_beside_a_definition_on_its_line_is_not_lost() -> None:
    data = b"a = 1; b = 2\n"
    refuse(block("DEFINITION a", "a = 3"), "shares line 1", data=data)


def test_strings_keep_their_lines() -> None:
    data = b'class A:\n    def f(self):\n        return """\ntext\n  more\n"""\n'
    new = ["def f(self):", "    x = 1", '    return """', "text", "  more", '"""']
    assert done(block("DEFINITION A.f", *new), data) == (
        'class A:\n    def f(self):\n        x = 1\n        return """\ntext\n  more\n"""\n'
    )


def test_line_ends_and_the_last_line_stay() -> None:
    data = b"def a():\r\n    return 1\r\n\r\ndef b():\r\n    return 2"
    assert done(block("DEFINITION b", "def b():", "    return 3"), data).encode() == data.replace(
        b"2", b"3"
    )
    assert done(block("DEFINITION a", "def a():", "    return 3"), data).encode() == data.replace(
        b"1", b"3"
    )


def test_what_a_block_must_be() -> None:
    refuse(block("DEFINITION Order.total"), "malformed", "write DELETE")
    refuse(block("DELETE Order.total", "x"), "malformed", "no lines of its own")
    refuse("shop.py\n<<<<<<< DEFINITION Order.total\nx\n", "malformed", "cut off")
    refuse(block("DEFINITION a", "<<<<<<< DEFINITION b", "x"), "another block begins")
    refuse(block("DEFINITION Cart", "# ... rest of the class ..."), "placeholder")
    refuse(block("DEFINITION x", "y", path="gone.py"), "gone.py", "no such file")


def test_what_lies_outside_of_definitions_is_searched() -> None:
    reply = block("DEFINITION Cart.total", "def total(self):", "    return math.inf")
    reply += (
        block("SEARCH", "import math", "=======", "import math", "import os") + "```sh\nls\n```\n"
    )
    text = SHOP.decode().replace("        return 0\n", "        return math.inf\n")
    assert done(reply) == text.replace("import math\n", "import math\nimport os\n")
    assert read(reply, "symbol", ("shop.py",)).shell == ("ls",)


PIECES = st.sampled_from(
    (
        "shop.py\n",
        "```python\n",
        "```\n",
        "<<<<<<< DEFINITION Order.total\n",
        "<<<<<<< DELETE Cart\n",
        "<<<<<<< AFTER total:21\n",
        ">>>>>>> REPLACE\n",
        "def f():\n",
        "    pass\n",
        "\n",
        "prose\r\n",
    )
)


@given(st.lists(PIECES, max_size=20).map("".join), st.lists(st.integers(0, 300), max_size=5))
def test_pieces_give_what_the_whole_gives(reply: str, cuts: list[int]) -> None:
    at = sorted({min(cut, len(reply)) for cut in cuts})
    stream = symbol.Stream(("shop.py",))
    for start, stop in zip([0, *at], [*at, len(reply)], strict=True):
        stream.feed(reply[start:stop])
    whole = symbol.parse(reply, ("shop.py",))
    assert stream.close() == whole
    made = plan(whole.blocks, {"shop.py": Target("shop.py", SHOP)}, chat=("shop.py",))
    assert bool(made.changes) <= (not made.problems)


@pytest.mark.parametrize(
    "piece", ["<<<<<<< DEFINITION a\n", "<<<<<<< DEFINITION a\nx\n>>>>>>> REPLACE\n", "x\n"]
)
def test_reading_never_raises_on_much_of_the_same(piece: str) -> None:
    assert len(symbol.parse(piece * 5_000).problems) <= 21


def test_a_text_that_is_not_parsed_has_no_ends() -> None:
    """Where definitions are told by lines alone, replacing one would leave its body behind."""
    data = b"use strict;\nsub one {\n    two();\n}\n"
    reply = block("DEFINITION one", "=======", "sub one {", "    three();", "}", path="a.pl")
    parsed = read(reply, "symbol", ("a.pl",))
    made = plan(parsed.blocks, {"a.pl": Target("a.pl", data)}, chat=("a.pl",))
    assert not made.changes
    assert "one has no known end" in made.problems[0].message


def bare(*lines: str, path: str = "shop.py") -> str:
    return "\n".join([path, "```python", *lines, "```", ""])


def test_a_definition_without_markers_says_itself_which_it_is() -> None:
    found = done(bare("def total():", "    return 1"))
    assert found == SHOP.decode().replace("return None", "return 1")


def test_a_method_without_markers_is_fitted_to_its_place() -> None:
    lines = ("@property", "def size(self):", "    return 3")
    assert done(bare(*lines)) == SHOP.decode().replace("return len(self.rows)", "return 3")
    indented = tuple(f"    {line}" for line in lines)
    assert done(bare(*indented)) == done(bare(*lines))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("def total(self):", "    return 1"), "total is ambiguous"),
        (("def gone():", "    return 1"), "there is no definition gone"),
        (("import os", "", "def total():", "    return 1"), "are not just one definition"),
        (("def a():", "    pass", "", "def b():", "    pass"), "are not just one definition"),
        (("def total(:", "    return 1"), "are not just one definition"),
        (("x = 1",), ""),
    ],
)
def test_lines_that_are_not_one_known_definition_are_refused(
    lines: tuple[str, ...], reason: str
) -> None:
    parsed = read(bare(*lines), "symbol", ("shop.py",))
    made = plan(parsed.blocks, {"shop.py": Target("shop.py", SHOP)}, chat=("shop.py",))
    assert made.changes == () and len(made.problems) == 1
    assert reason in made.problems[0].message


def test_code_under_no_known_name_is_no_edit() -> None:
    assert (
        read(bare("def total():", "    pass", path="other.py"), "symbol", ("shop.py",)).blocks == ()
    )
    assert read("```python\ndef total():\n    pass\n```\n", "symbol", ("shop.py",)).blocks == ()
    assert read(bare("def total():", "    pass"), "diff", ("shop.py",)).blocks == ()
