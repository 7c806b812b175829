"""Reading SEARCH/REPLACE replies: names, markers, dividers, broken blocks, streams, cost."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pairwright.edits.formats.search_replace import Stream, parse
from pairwright.edits.types import Parsed

BLOCK = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"


def check(
    reply: str, expected: list[tuple[str | None, str, str]], known: tuple[str, ...] = ()
) -> Parsed:
    """`reply` holds exactly the blocks `expected` (path, SEARCH and REPLACE joined by |) and no
    fault."""
    parsed = parse(reply, known)
    found = [(b.path, "|".join(b.search), "|".join(b.replace)) for b in parsed.blocks]
    assert found == expected
    assert parsed.problems == ()
    return parsed


def check_fault(reply: str, *words: str) -> None:
    """`reply` holds no block and one format problem that says all `words`."""
    parsed = parse(reply)
    assert parsed.blocks == ()
    assert [problem.kind for problem in parsed.problems] == ["edit-format"]
    for word in words:
        assert word in parsed.problems[0].message


NAMES = [
    "**src/app.py**:\n```python\n",
    "`src/app.py`\n```\n",
    "### src/app.py\n\n```python\n",
    "#### `src/app.py`\n",
    "File: src/app.py\n",
    "Filename: src/app.py\n",
    "**File:** `src/app.py`\n",
    "**File: src/app.py**\n",
    "1. src/app.py\n```python\n",
    "1. `src/app.py`:\n```python\n",
    "- src/app.py\n",
    "> src/app.py\n",
    "[src/app.py](src/app.py)\n```\n",
    "[`src/app.py`](../src/app.py):\n```\n",
    '"src/app.py"\n',
    "“src/app.py”\n",
    "<source>src/app.py\n",
    "<path>src/app.py</path>\n",
    "src/app.py (new)\n```\n",
    "**`src/app.py`** (new file)\n",
    "src/app.py - updated\n",
    "src/app.py:12-30\n",
    "```python src/app.py\n",
    "```src/app.py\n",
    "```python:src/app.py\n",
    '```python title="src/app.py"\n',
    "```python {file=src/app.py}\n",
    "```python\nsrc/app.py\n",
    "```python\n# src/app.py\n",
    "```c\n// src/app.py\n",
    "```html\n<!-- src/app.py -->\n",
    "/* src/app.py */\n",
    "\N{PAGE FACING UP} src/app.py\n",
    "In `src/app.py`:\n",
    "Create a new file `src/app.py`:\n",
    "src/app.py\n\n\n\n```python\n",
    "src/app.py\n```\n```python\n",
    "```\nsrc/app.py\n```\n```python\n",
    "src/app.py\r\n```python\r\n",
    "   src/app.py\n   ```python\n",
]


@pytest.mark.parametrize("above", NAMES)
def test_a_name_is_read_without_its_decoration(above: str) -> None:
    check(above + BLOCK, [("src/app.py", "x", "y")])


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("src/app/[id] copy/route.ts", "src/app/[id] copy/route.ts"),
        ("doc/fänny dir/résumé.md", "doc/fänny dir/résumé.md"),
        ("app/(shop)/page.tsx", "app/(shop)/page.tsx"),
        (".gitignore", ".gitignore"),
        (".git/hooks/pre-commit", ".git/hooks/pre-commit"),
        ("../x.py", "../x.py"),
        ("/etc/passwd", "/etc/passwd"),
        ("src\\app.py", "src\\app.py"),
        ("Makefile", "Makefile"),
        ("Dockerfile:", "Dockerfile"),
        ("`my notes.md`", "my notes.md"),
    ],
)
def test_odd_names_are_names(line: str, name: str) -> None:
    check(line + "\n```\n" + BLOCK, [(name, "x", "y")])


@pytest.mark.parametrize(
    "above",
    [
        "```crystal\n",
        "```c++\n",
        "```vb.net\n",
        "and also\n\n```crystal\n",
        "Here is the change to the file:\n",
        "x = foo.bar\n",
        "import os.path\n",
        "https://example.org/a.py\n",
        "Version 1.2\n",
        "1.2\n",
        "...\n",
        "---\n",
        "`obj.attr` must change\n",
        "Run `pytest -q tests/a.py` next.\n",
        "```\nlib/other.py\nlib/third.py\n```\n",
        "a\nb\nc.d/e.py\nf\ng\nh\n",
    ],
)
def test_what_is_no_name_leaves_the_file_named_last(above: str) -> None:
    check(
        "src/app.py\n" + BLOCK + "\n" + above + BLOCK,
        [("src/app.py", "x", "y"), ("src/app.py", "x", "y")],
    )
    check(above + BLOCK, [(None, "x", "y")])


def test_a_known_name_is_found_inside_prose_and_a_line_of_its_own_comes_first() -> None:
    known = ("src/app.py", "src/b.py")
    check("The change to src/app.py:\n" + BLOCK, [("src/app.py", "x", "y")], known)
    check("**Step 2** — `app.py`\n" + BLOCK, [("app.py", "x", "y")], known)
    check("src/app.py\nThis mirrors src/b.py\n```\n" + BLOCK, [("src/app.py", "x", "y")], known)


@pytest.mark.parametrize(
    ("head", "divider", "end"),
    [
        ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
        ("<<<<< SEARCH", "=======", ">>>>> REPLACE"),
        ("<<<<<<<<< SEARCH>", "======= ", ">>>>>>>>> REPLACE>"),
        ("<<<<<<<SEARCH", "=======", ">>>>>>>REPLACE "),
        ("<<<<<<< SEARCH>>>>>>>", "=======\t", ">>>>>>> REPLACE:"),
        ("<<<<<<< search", "=======", ">>>>>>> replace"),
        ("<<<<<<< SEARCH (line 3)", "=======", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH a.py", "=======", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH", "=====", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH", "=========", ">>>>>>> REPLACE"),
    ],
)
def test_the_form_of_markers_is_forgiven(head: str, divider: str, end: str) -> None:
    check(f"a.py\n{head}\nx\n{divider}\ny\n{end}\n", [("a.py", "x", "y")])


def test_a_name_behind_the_head_beats_one_above() -> None:
    check("a.py\n" + BLOCK.replace("SEARCH", "SEARCH `b.py`"), [("b.py", "x", "y")])


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", "# <<<<<<< SEARCH", "<<<<<<< SEARCHING"])
def test_other_lines_open_no_block(line: str) -> None:
    check(f"a.py\n{line}\nx\n=======\ny\n>>>>>>> REPLACE\n", [])


@pytest.mark.parametrize("line", ["<<<< SEARCH", "<<<<<<<<<< SEARCH"])
def test_a_head_of_another_length_is_a_fault(line: str) -> None:
    check_fault(f"a.py\n{line}\nx\n=======\ny\n>>>>>>> REPLACE\n", "Line 2", line, "seven")


@pytest.mark.parametrize(
    "content",
    [
        "  >>>>>>> REPLACE",
        "#   <<<<<<< SEARCH",
        "<<<<<<< HEAD",
        ">>>>>>> feature",
        "====",
        "========",
        "====== =",
        "```",
    ],
)
def test_what_only_looks_like_a_marker_is_content(content: str) -> None:
    check(
        f"a.py\n<<<<<<< SEARCH\n{content}\n=======\n{content}\ny\n>>>>>>> REPLACE\n",
        [("a.py", content, f"{content}|y")],
    )


def test_other_lengths_divide_only_where_no_seven_does() -> None:
    check(
        "a.md\n<<<<<<< SEARCH\nT\n=====\nx\n=======\nT\n=====\ny\n>>>>>>> REPLACE\n",
        [("a.md", "T|=====|x", "T|=====|y")],
    )


def test_every_possible_divider_is_a_reading() -> None:
    (block,) = parse("a.md\n<<<<<<< SEARCH\nT\n=======\nU\n=======\n>>>>>>> REPLACE\n").blocks
    assert block.splits == ((("T",), ("U", "=======")), (("T", "=======", "U"), ()))
    assert (block.search, block.replace) == block.splits[0]


def test_a_fence_in_a_list_indents_the_whole_block() -> None:
    check(
        "1. do:\n\n   a.py\n   ```python\n   <<<<<<< SEARCH\n   x\n     z\n   =======\n\n   y\n"
        "   >>>>>>> REPLACE\n   ```\n",
        [("a.py", "x|  z", "|y")],
    )


def test_an_indented_example_in_a_fence_is_no_edit_but_never_silent() -> None:
    check_fault(
        "```\n    <<<<<<< SEARCH\n    x\n    =======\n    y\n    >>>>>>> REPLACE\n```\n",
        "line 2",
        "<<<<<<< SEARCH",
    )


def test_empty_halves_and_several_blocks_in_one_fence() -> None:
    check(
        "a.py\n```\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nold\n=======\n"
        ">>>>>>> REPLACE\n```\n",
        [("a.py", "", "new"), ("a.py", "old", "")],
    )


def test_a_first_line_that_is_the_file_name_stays_content() -> None:
    check(
        "a.py\n```\n<<<<<<< SEARCH\n# a.py\nx\n=======\n# a.py\ny\n>>>>>>> REPLACE\n```\n",
        [("a.py", "# a.py|x", "# a.py|y")],
    )


def test_line_separators_of_other_kinds_are_content() -> None:
    check(
        "a.py\n<<<<<<< SEARCH\na\x0cb\x85c\u2028d\n=======\ny\x1cz\n>>>>>>> REPLACE\n",
        [("a.py", "a\x0cb\x85c\u2028d", "y\x1cz")],
    )


def test_replies_with_other_line_ends() -> None:
    text = "a.py\n" + BLOCK
    for end in ("\r\n", "\r"):
        check(text.replace("\n", end), [("a.py", "x", "y")])


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            "a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n",
            ("no divider =======", "a.py", "line 2", "^^^"),
        ),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n", ("cut off", ">>>>>>> REPLACE", "^")),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLAC", ("incomplete",)),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n```\n", ("incomplete",)),
        ("a.py\n<<<<<<< SEARCH", ("incomplete",)),
        (
            "a.py\n<<<<<<< SEARCH\n" + "=======\n" * 20 + ">>>>>>> REPLACE\n",
            ("20 lines", "======="),
        ),
    ],
)
def test_a_broken_block_is_quoted_and_no_edit(reply: str, words: tuple[str, ...]) -> None:
    check_fault(reply, "malformed", *words)


def test_a_block_inside_a_block_is_a_fault_and_reading_goes_on() -> None:
    parsed = parse("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n" + BLOCK + "b.py\n" + BLOCK)
    assert [block.path for block in parsed.blocks] == ["a.py", "b.py"]
    assert "another block begins on line 6" in parsed.problems[0].message


def test_many_faults_are_counted() -> None:
    parsed = parse("<<<<<<< SEARCH\n>>>>>>> REPLACE\n" * 50)
    assert len(parsed.problems) == 21
    assert parsed.problems[-1].message.startswith("30 more")


def test_shell_fences_are_commands_unless_they_hold_an_edit() -> None:
    reply = (
        "run.sh\n```bash\n" + BLOCK + "```\n```bash\nchmod +x run.sh\n\nmake\n```\n"
        "```console\n$ ls\nrun.sh\n$ pwd\n```\n```python\nx\n```\n```sh\nunfinished"
    )
    assert check(reply, [("run.sh", "x", "y")]).shell == ("chmod +x run.sh\n\nmake", "ls\npwd")


LINES = st.sampled_from(
    [
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "<<<<<<< HEAD",
        "===== ",
        "```",
        "```python a.py",
        "```bash",
        "~~~~",
        "a.py",
        "**b/c.py**:",
        "  <<<<<<< SEARCH",
        "",
        "    x = 1",
        "\r",
        "*** [x](y",
    ]
)
REPLIES = st.one_of(
    st.text(), st.lists(st.one_of(LINES, st.text(max_size=8)), max_size=30).map("\n".join)
)


@given(
    REPLIES, st.lists(st.integers(0, 400), max_size=8), st.lists(st.text(max_size=8), max_size=3)
)
@example("a.py\n<<<<<<< SEARCH\r\nx\r\n=======\r\n>>>>>>> REPLACE", [3, 20, 24, 25], [])
def test_a_stream_gives_what_the_whole_gives(reply: str, cuts: list[int], known: list[str]) -> None:
    stream = Stream(known)
    at = [0, *sorted(min(cut, len(reply)) for cut in cuts), len(reply)]
    early = [block for a, b in itertools.pairwise(at) for block in stream.feed(reply[a:b])]
    parsed = stream.close()
    assert parsed == parse(reply, known)
    assert tuple(early) == parsed.blocks[: len(early)]


@given(REPLIES, st.integers(0, 400))
def test_a_cut_reply_adds_no_block(reply: str, cut: int) -> None:
    """Cut behind any line; inside the end marker's line too, see the broken blocks above."""
    cut = reply.rfind("\n", 0, cut) + 1
    early = parse(reply[:cut]).blocks
    assert parse(reply).blocks[: len(early)] == early
