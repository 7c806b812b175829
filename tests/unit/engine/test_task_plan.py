"""Plans: read from what a model or a user wrote, rendered, held against the workspace, ordered."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.engine.task.contract import symbol, unmet
from pairwright.engine.task.document import read, render
from pairwright.engine.task.plan import Entry, Place, Plan, blocked, cycles, faults, needed, order
from pairwright.tags.files import tags_here

FULL = """# Plan: Carts

- Money is in cents.

## create src/cart.py

Adds up a cart.

- contract: class Cart
- contract: def total(items: list[Item]) -> int
- depends: src/item.py
- check: pytest -q tests/test_cart.py

## modify src/item.py

## delete old.py
"""
CARTS = Plan(
    "Carts",
    ("Money is in cents.",),
    (
        Entry(
            "src/cart.py",
            "create",
            "Adds up a cart.",
            ("class Cart", "def total(items: list[Item]) -> int"),
            ("src/item.py",),
            ("pytest -q tests/test_cart.py",),
        ),
        Entry("src/item.py", "modify"),
        Entry("old.py", "delete"),
    ),
)
LOOSE = """Sure, here is the plan:

```markdown
# Plan: Carts

Money is in cents.

### 1. Create: `src/cart.py`
Adds up
a cart.
- **Contract:**
  - `class Cart`
  - `def total(items: list[Item]) -> int`
* depends on: `src/item.py`
* Checks: `pytest -q tests/test_cart.py`

### src/item.py (modify)
- depends: none

### File: remove old.py
```
"""


def test_a_document_is_read_and_rendered_to_itself() -> None:
    assert read(FULL) == CARTS
    assert render(CARTS) == FULL


def test_form_is_forgiven() -> None:
    assert read(LOOSE) == CARTS


@pytest.mark.parametrize("path", ["n0.py", "01.py", "part_00.py", "1.2/x.py", "a b/c d.py"])
def test_numbers_in_a_path_stay(path: str) -> None:
    for heading in (f"## create {path}", f"## 3. create {path}", f"### {path} (create)"):
        assert [entry.path for entry in read(heading).entries] == [path]


@pytest.mark.parametrize("text", ["", "No idea.", "# Plan: x\n\nwords\n", "## src/a.py\n", "```\n"])
def test_what_names_no_file_is_an_empty_plan(text: str) -> None:
    assert read(text).entries == ()


LINES = st.sampled_from(
    (
        *LOOSE.splitlines(),
        *FULL.splitlines(),
        "- - contract: x",
        "contract: def f()",
        "# # create a.py",
        "## create ## b.py ##",
        "> 1. ~~~ purpose: depends: y",
        "## modify a b/c d.py",
        "purpose: ``` x",
        "- contract: `` ` ``",
        "- depends: a, b and c",
        "\ttab\u2028x #",
    )
)


@given(st.lists(LINES | st.text(max_size=30), max_size=14))
def test_what_was_rendered_reads_back_the_same(lines: Sequence[str]) -> None:
    plan = read("\n".join(lines))
    assert read(render(plan)) == plan


# --- faults

STANDING = ("src/item.py", "old.py", "docs/Guide.md", "app.py")


def check(text: str, *expected: str) -> None:
    """The faults of the plan `text` in a workspace of STANDING, each by words in it."""
    place = Place(
        STANDING.__contains__, lambda path: "secret." if "secret" in path else None, STANDING
    )
    found = faults(read(text), place)
    assert len(found) == len(expected), found
    for fault, words in zip(found, expected, strict=True):
        assert words in fault


def test_a_plan_that_can_be_carried_out_has_no_faults() -> None:
    check(FULL)


def test_what_is_modified_may_be_said_to_need_its_own_text() -> None:
    check("## modify app.py\n- depends: app.py\n")
    assert order(read("## modify app.py\n- depends: app.py\n")) == (("app.py",),)


def test_a_file_that_is_gone_since_it_was_listed_is_in_nobodys_way() -> None:
    place = Place(lambda path: False, lambda path: None, ("gone.py",))
    assert faults(read("## create gone.py\n## create Gone.md\n"), place) == ()
    assert faults(read("## create GONE.py\n"), place) == ()


def test_an_empty_plan_is_an_error() -> None:
    check("# Plan: nothing to do\n", "names no file")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## create app.py\n", "exists already"),
        ("## create DOCS/guide.md\n", "only in case"),
        ("## modify lost.py\n", "does not exist"),
        ("## delete lost.py\n", "leave it out"),
        ("## create ../out.py\n", "outside the workspace"),
        ("## create /etc/passwd\n", "inside the workspace"),
        ("## create .git/hooks/x\n", ".git"),
        ("## create secret/x.py\n", "secret."),
        ("## create a.py\n## create a.py\n", "twice"),
        ("## create a.py\n## create A.py\n", "but for case"),
        ("## create app.py/x.py\n", "below the file app.py"),
        ("## create a.py\n- depends: lost.py\n", "neither in the plan nor in the workspace"),
        ("## create a.py\n- depends: a.py\n", "depends on itself"),
    ],
)
def test_faults_are_named_and_never_mended(text: str, expected: str) -> None:
    check(text, expected)


def test_two_files_of_one_name_are_two_files() -> None:
    check(
        "## create a/utils.py\n## create b/utils.py\n## create a/__init__.py\n## create b/__init__.py\n"
    )


# --- order


def plan(*rows: str) -> Plan:
    """`a: b c` for a file `a` that needs `b` and `c`; `-a` deletes it."""
    found = []
    for row in rows:
        path, _, needs = row.partition(":")
        action, path = ("delete", path[1:]) if path.startswith("-") else ("create", path)
        found.append(Entry(path, action, depends=tuple(needs.split())))  # type: ignore[arg-type]
    return Plan(entries=tuple(found))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("a: b", "b: c", "c"), "c b a"),
        (("a", "b", "c"), "a b c"),
        (("a: x", "b", "x"), "b x a"),
        (("-old", "a"), "a old"),
        (("a: b", "b: a", "c: a", "d"), "a+b c d"),
        (("a: b", "b: c", "c: b", "d: a"), "b+c a d"),
        (("a: old", "-old"), "a old"),
        (("a: elsewhere.py",), "a"),
    ],
)
def test_what_others_need_comes_first(rows: tuple[str, ...], expected: str) -> None:
    assert " ".join("+".join(group) for group in order(plan(*rows))) == expected


@given(st.integers(0, 10_000))
def test_the_order_is_one_of_the_dependencies(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"f{n}" for n in range(rng.randint(1, 12))]
    rows = [
        f"{name}: {' '.join(rng.sample(names, rng.randint(0, min(3, len(names)))))}"
        for name in names
    ]
    made = plan(*rows)
    groups = order(made)
    at = {path: index for index, group in enumerate(groups) for path in group}
    assert sorted(at) == sorted(names)
    for entry in made.entries:
        assert all(at[need] <= at[entry.path] for need in entry.depends)


def test_circles_are_told_and_needs_are_followed_through_them() -> None:
    made = plan("a: b", "b: a", "c: b", "d")
    assert cycles(made) == (("a", "b"),)
    assert needed(made, ("c",)) == ("b", "a")
    assert blocked(made, "c", ["a"]) == "a"
    assert blocked(made, "d", ["a"]) == ""


# --- contracts


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("def add(item: Item) -> None", "add"),
        ("class Cart(Base)", "Cart"),
        ("class Cart: adds things up", "Cart"),
        ("Cart.total(self) -> int", "Cart.total"),
        ("async def run()", "run"),
        ("function foo(a, b)", "foo"),
        ("export default class Foo extends Bar", "Foo"),
        ("int foo(int a)", "foo"),
        ("public static int size()", "size"),
        ("func (c *Cart) Total() int", "Total"),
        ("type Item struct", "Item"),
        ("Cart::new(x)", "Cart.new"),
        ("pub fn go() -> u32", "go"),
        ("MAX = 3", "MAX"),
        ("const X: number", "X"),
        ("TAX_RATE: float - the rate", "TAX_RATE"),
        ("reads all files and writes the sum", ""),
        ("", ""),
    ],
)
def test_the_name_that_a_signature_promises(signature: str, expected: str) -> None:
    assert symbol(signature) == expected


@pytest.mark.parametrize(
    ("path", "text", "contract", "expected"),
    [
        ("a.py", "class Cart:\n    def total(self): ...\n", ("Cart.total(self)", "class Cart"), ()),
        ("a.py", "def total(): ...\n", ("Cart.total(self)",), ("Cart.total",)),
        ("a.py", "# total\nx = 1\n", ("def total()",), ("total",)),
        ("a.py", "from b import RATE\n", ("RATE: int",), ()),
        ("a.py", "x = 1\n", ("RATE: int", "RATE: int"), ("RATE",)),
        (
            "a.go",
            "package a\n\nfunc (c *Cart) Total() int { return 1 }\n",
            ("func (c *Cart) Total() int",),
            (),
        ),
        ("a.rs", "struct Cart;\nimpl Cart { fn new() -> Cart { Cart } }\n", ("Cart::new()",), ()),
        ("a.unknown", "a recipe of total\n", ("total()",), ()),
    ],
)
def test_promises_that_a_text_does_not_keep(
    path: str, text: str, contract: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert unmet(contract, tags_here(path, text.encode()), text) == expected
