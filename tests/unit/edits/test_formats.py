"""The formats beside `diff`: what is read as an edit, and what every reader must hold to."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pairwright.config.family import Format
from pairwright.edits.formats import patch, unified, whole
from pairwright.edits.formats.registry import PARSERS, read
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, Parsed, Target

KNOWN = ("app.py", "src/util.py", "q.sql", "README.md")


def check(format: str, reply: str, expected: list[str], *problems: str) -> Parsed:
    """The blocks of `reply` in short form, and a part of each problem's message."""
    parsed = read(reply, format, KNOWN)
    assert [short(block) for block in parsed.blocks] == expected
    said = [problem.message for problem in parsed.problems]
    assert len(said) == len(problems), said
    for part, message in zip(problems, said, strict=True):
        assert part in message
    return parsed


def short(block: Block) -> str:
    """`path: old|lines -> new|lines`, with the operation, the scopes and the rest where there are any."""
    where = block.where
    head = f"{block.operation} " if block.operation != "replace" else ""
    tail = "".join(f" @{scope}" for scope in where.scopes)
    tail += " $" if where.at_end else ""
    if block.operation == "move":
        return f"move {block.path} to {block.to}"
    return f"{head}{block.path}: {'|'.join(block.search)} -> {'|'.join(block.replace)}{tail}"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,2 @@\n-x\n+y\n z\n", ["app.py: x|z -> y|z"]),
        # Half a header, no @@, no fence, CRLF.
        ("+++ app.py\n@@ ... @@\n-x\n+y\n", ["app.py: x -> y"]),
        ("--- app.py\n@@\n-x\n+y\n", ["app.py: x -> y"]),
        ("```diff\r\n--- app.py\r\n+++ app.py\r\n-x\r\n+y\r\n```\r\n", ["app.py: x -> y"]),
        # Numbers are a hint only, however long.
        (f"--- app.py\n+++ app.py\n@@ -1,{'9' * 5000} +1 @@\n-x\n+y\n", ["app.py: x -> y"]),
        # The name stands above the fence, or behind it.
        ("Change `app.py`:\n```diff\n@@\n-x\n+y\n```\n", ["app.py: x -> y"]),
        ("```diff app.py\n@@\n-x\n+y\n```\n", ["app.py: x -> y"]),
        # Two files in one fence; prose ends a diff without fence.
        (
            "```diff\n--- app.py\n+++ app.py\n@@\n-x\n+y\n--- q.sql\n+++ q.sql\n@@\n-a\n+b\n```\n",
            ["app.py: x -> y", "q.sql: a -> b"],
        ),
        ("--- app.py\n+++ app.py\n@@\n-x\n+y\nThat is all.\n- a list\n", ["app.py: x -> y"]),
        # Removed comments are no header.
        (
            "--- q.sql\n+++ q.sql\n@@ -1,2 +1,2 @@\n--- old words\n+++ new words\n select 1;\n",
            ["q.sql: -- old words|select 1; -> ++ new words|select 1;"],
        ),
        # Blank context without its blank; a context line whose blank was forgotten.
        ("```\n--- app.py\n+++ app.py\n@@\n a\n\n-x\n+y\nz\n```\n", ["app.py: a||x|z -> a||y|z"]),
        ("--- app.py\n+++ app.py\n@@\n-x\n\\ No newline at end of file\n+y\n", ["app.py: x -> y"]),
        # Made, gone, renamed.
        ("--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+x\n+\n", ["create new.py:  -> x|"]),
        (
            "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@\n+x\n",
            ["create n.py:  -> x"],
        ),
        ("--- a/app.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ["delete app.py: x -> "]),
        (
            "diff --git a/app.py b/main.py\nsimilarity index 100%\nrename from app.py\nrename to main.py\n",
            ["move app.py to main.py"],
        ),
        (
            'diff --git "a/f\\303\\266.py" "b/f\\303\\266.py"\n'
            '--- "a/f\\303\\266.py"\n+++ "b/f\\303\\266.py"\n@@\n-x\n+y\n',
            ["fö.py: x -> y"],
        ),
        (
            "--- app.py\t2024-01-01 00:00:00\n+++ app.py\t2024-01-02\n@@\n-x\n+y\n",
            ["app.py: x -> y"],
        ),
        # Prose and rules of markdown.
        ("A list:\n- one\n+ two\n\n---\n\n--- not a header\n", []),
    ],
)
def test_unified(reply: str, expected: list[str]) -> None:
    check("udiff", reply, expected)


def test_unified_problems() -> None:
    check(
        "udiff", "--- app.py\n+++ app.py\n@@\n x\n", [], "app.py on line 1 of the reply has no line"
    )
    check(
        "udiff",
        "diff --git a/i.png b/i.png\nindex 1..2\nBinary files a/i.png and b/i.png differ\n",
        [],
        "binary file",
    )


def test_suggested_commands_are_no_edits() -> None:
    reply = "--- app.py\n+++ app.py\n@@\n-x\n+y\n\nThen:\n```bash\npytest -q\n```\n"
    assert check("udiff", reply, ["app.py: x -> y"]).shell == ("pytest -q",)
    reply = "app.py\n```python\nx\n```\n```console\n$ pytest\n3 passed\n```\n"
    assert check("whole", reply, ["whole app.py:  -> x"]).shell == ("pytest",)


BODY = "@@ def f():\n     a = 1\n-    b = 2\n+    b = 3\n"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            f"*** Begin Patch\n*** Update File: app.py\n{BODY}*** End Patch\n",
            ["app.py:     a = 1|    b = 2 ->     a = 1|    b = 3 @def f():"],
        ),
        ("*** Update File: app.py\n-x\n+y\n", ["app.py: x -> y"]),
        (
            "```\n*** Begin Patch\n*** Update File: `app.py`\n@@\n-x\n+y\n```\nBye.\n",
            ["app.py: x -> y"],
        ),
        (
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n.py\n+x\nEOF\n",
            ["create n.py:  -> x"],
        ),
        (
            "*** End Patch\n\n*** Begin Patch\n*** Delete File: app.py\n*** End Patch\n",
            ["delete app.py:  -> "],
        ),
        (
            "*** Begin Patch\n*** Update File: app.py\n@@ class A\n@@   def f(self):\n-x\n+y\n@@\n z\n+w\n"
            "*** End of File\n*** End Patch\n",
            ["app.py: x -> y @class A @def f(self):", "app.py: z -> z|w $"],
        ),
        ("*** Update File: app.py\n@@ -1,2 +1,2 @@ f\n-x\n+y\n", ["app.py: x -> y"]),
        (
            "*** Update File: app.py\n*** Move to: lib/main.py\n@@\n-x\n+y\n",
            ["move app.py to lib/main.py", "app.py: x -> y"],
        ),
        ("*** Update File: app.py\n@@ def f():\n+    new\n", ["app.py:  ->     new @def f():"]),
        ("*** Update File: app.py\n-x\n+y\n\nThat is all.\n", ["app.py: x -> y"]),
    ],
)
def test_patch(reply: str, expected: list[str]) -> None:
    check("patch", reply, expected)


def test_patch_problems() -> None:
    begin = "*** Begin Patch\n"
    check("patch", f"{begin}*** Update File:\n-x\n", [], "Line 2 of the reply names no file")
    check(
        "patch",
        f"{begin}*** Update File: app.py\n-x\n+y\noops\n",
        [],
        "app.py: line 5 of the reply",
    )
    check("patch", f"{begin}*** Add File: n.py\nx\n", [], "each begins with +")
    check("patch", f"{begin}*** Delete File: app.py\n-x\n", [], "no lines of its own")
    check(
        "patch",
        f"{begin}*** Update File: app.py\n x\n*** End Patch\n",
        [],
        "holds no line that begins",
    )


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("app.py\n```python\nx\n\ny\n```\n", ["whole app.py:  -> x||y"]),
        ("### **`src/util.py`** (new)\n\n```\nx\n```\n", ["whole src/util.py:  -> x"]),
        ("```python app.py\nx\n```\n", ["whole app.py:  -> x"]),
        ("1. app.py\n   ```python\n   x\n     y\n   ```\n", ["whole app.py:  -> x|  y"]),
        ("README.md\n````\n```\nx\n```\n````\n", ["whole README.md:  -> ```|x|```"]),
        ("README.md\n```\n```sh\nx\n```\nend\n```\n", ["whole README.md:  -> ```sh|x|```|end"]),
        # An example beside a file; the same file twice alike; the only listing of all.
        ("Like this:\n```\nx = 1\n```\n\napp.py\n```\ny\n```\n", ["whole app.py:  -> y"]),
        ("app.py\n```\ny\n```\napp.py\n```\ny\n```\n", ["whole app.py:  -> y"]),
        ("Here:\n```python\ny\n```\n", ["whole None:  -> y"]),
    ],
)
def test_whole(reply: str, expected: list[str]) -> None:
    check("whole", reply, expected)


def test_whole_problems() -> None:
    check("whole", "app.py\n```\nx\n", [], "cut off")
    check("whole", "README.md\n```\na\n```\nx\n```\nend\n```\n", [], "fences inside it")
    check("whole", "README.md\n```\na\n```py\nx\n", [], "fences inside it")
    check("whole", "app.py\n```\nx\n```\napp.py\n```\ny\n```\n", ["whole app.py:  -> x"], "second")
    check("whole", "One:\n```\nx\n```\nTwo:\n```\ny\n```\n", [], "2 listings")
    check("whole", "app.py\n```\n<<<<<<< SEARCH\nx\n```\n", [], "marker line")
    check("whole", "Here:\n```diff\n--- app.py\n+++ app.py\n@@\n-x\n+y\n```\n", [], "begins a diff")


def test_a_reply_in_another_format_is_read_as_what_it_is() -> None:
    diff = "app.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
    unified_ = "--- app.py\n+++ app.py\n@@\n-x\n+y\n"
    v4a = "*** Begin Patch\n*** Update File: app.py\n@@\n-x\n+y\n*** End Patch\n"
    for reply, name in ((diff, "diff"), (unified_, "udiff"), (v4a, "patch")):
        for asked in ("diff", "udiff", "patch"):
            parsed = check(asked, reply, ["app.py: x -> y"])
            assert parsed.format == (asked if PARSERS[asked] is PARSERS[name] else name)
    # Code in a fence is no file unless files were asked for.
    check("diff", "app.py\n```python\nx\n```\n", [])


LINES = st.lists(st.text("ab \t=+-@*.\u00e9\u2028\f", max_size=6), min_size=1, max_size=12)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A text as lines, and the same with a few lines changed."""
    before = [f"{number} {line}" for number, line in enumerate(draw(LINES))]
    after = list(before)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(after)))
        gone = draw(st.integers(0, 2))
        after[at : at + gone] = draw(
            st.lists(st.text("xyz -+@", min_size=1, max_size=5), max_size=2)
        )
    return before, after


def as_unified(before: list[str], after: list[str]) -> str:
    rows = difflib.unified_diff(before, after, "a/app.py", "b/app.py", lineterm="")
    return "```diff\n" + "\n".join(rows) + "\n```\n"


def as_patch(before: list[str], after: list[str]) -> str:
    rows = list(difflib.unified_diff(before, after, n=len(before), lineterm=""))[3:]
    body = "".join(row + "\n" for row in rows)
    return f"*** Begin Patch\n*** Update File: app.py\n@@\n{body}*** End of File\n*** End Patch\n"


def as_whole(before: list[str], after: list[str]) -> str:
    return "app.py\n````\n" + "".join(line + "\n" for line in after) + "````\n"


@pytest.mark.parametrize(
    ("format", "render"), [("udiff", as_unified), ("patch", as_patch), ("whole", as_whole)]
)
@given(texts=edited())
def test_what_is_written_is_read_back(
    format: str,
    render: Callable[[list[str], list[str]], str],
    texts: tuple[list[str], list[str]],
) -> None:
    before, after = texts
    assume(before != after and any(line.strip() for line in after))
    data = "".join(line + "\n" for line in before).encode()
    parsed = read(render(before, after), format, KNOWN)
    assert parsed.problems == ()
    done = plan(parsed.blocks, {"app.py": Target("app.py", data)}, chat=("app.py",))
    assert done.problems == ()
    assert done.changes[0].after == "".join(line + "\n" for line in after).encode()


PIECES = st.sampled_from(
    (
        "--- a/app.py\n",
        "+++ b/app.py\n",
        "@@ -1,2 +1,2 @@\n",
        "@@\n",
        "@@ f\n",
        "-x\n",
        "+y\n",
        " z\n",
        "\n",
        "```diff\n",
        "```\n",
        "````\n",
        "app.py\n",
        "*** Begin Patch\n",
        "*** End Patch\n",
        "*** Update File: app.py\n",
        "*** Add File: n.py\n",
        "*** Delete File: app.py\n",
        "*** Move to: m.py\n",
        "*** End of File\n",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "diff --git a/app.py b/app.py\n",
        "rename from app.py\n",
        "\r\n",
        "\r",
        "é\u2028\n",
    )
)
REPLIES = st.one_of(st.lists(PIECES, max_size=25).map("".join), st.text(max_size=200))


@pytest.mark.parametrize("module", [unified, patch, whole], ids=["udiff", "patch", "whole"])
@given(reply=REPLIES, cuts=st.lists(st.integers(0, 400), max_size=6))
def test_pieces_give_what_the_whole_gives(module, reply: str, cuts: list[int]) -> None:  # type: ignore[no-untyped-def]
    at = sorted({min(cut, len(reply)) for cut in cuts})
    stream = module.Stream(KNOWN)
    for start, stop in zip([0, *at], [*at, len(reply)], strict=True):
        stream.feed(reply[start:stop])
    assert stream.close() == module.parse(reply, KNOWN)


def test_the_setting_knows_every_format() -> None:
    assert sorted(PARSERS) == sorted(filter(None, get_args(Format)))
