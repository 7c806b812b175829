"""What a reply asks to see."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.looks import MOST, Look, wishes
from pairwright.edits.prose import pieces


def check(reply: str, looks: list[Look], unread: list[str] | None = None, rest: str = "") -> None:
    found = wishes(reply)
    assert list(found.looks) == looks
    assert list(found.unread) == (unread or [])
    assert found.rest == rest


def look(*lines: str) -> str:
    return "\n".join(("```look", *lines, "```", ""))


def test_every_kind_of_wish() -> None:
    check(
        look(
            "file shop/cart.py",
            "file shop/cart.py:10-40",
            "symbol Cart.total",
            "references round_up",
            'search "rounded up"',
            "map rounding of prices",
        ),
        [
            Look("file", "shop/cart.py"),
            Look("file", "shop/cart.py", 10, 40),
            Look("symbol", "Cart.total"),
            Look("references", "round_up"),
            Look("search", "rounded up"),
            Look("map", "rounding of prices"),
        ],
    )


def test_form_is_forgiven() -> None:
    check(
        look("- file: `a b.py`, lines 3-9", "2. FILE a.py#L7", "* refs `x`", "file a.py 4 to 5"),
        [
            Look("file", "a b.py", 3, 9),
            Look("file", "a.py", 7, 7),
            Look("references", "x"),
            Look("file", "a.py", 4, 5),
        ],
    )
    check("~~~ Look\nfile a.py", [Look("file", "a.py")])


def test_prose_around_a_block_stays() -> None:
    check(
        "I need more.\n" + look("file a.py") + "Then I go on.",
        [Look("file", "a.py")],
        rest="I need more.\n\nThen I go on.".replace("\n\n", "\n"),
    )


def test_what_is_no_wish_is_named() -> None:
    check(look("delete a.py", "file", "file a.py"), [Look("file", "a.py")], ["delete a.py", "file"])
    many = [f"file {n}.py" for n in range(MOST + 2)]
    found = wishes(look(*many, many[0]))
    assert len(found.looks) == MOST and list(found.unread) == many[MOST:]


def test_a_block_inside_an_edit_is_text() -> None:
    edit = (
        f"README.md\n````\n<<<<<<< SEARCH\nold\n=======\n{look('file a.py')}>>>>>>> REPLACE\n````\n"
    )
    check(edit, [], rest=edit)
    nested = f"````markdown\n{look('file a.py')}````\n"
    check(nested, [], rest=nested)
    check(edit + look("file b.py"), [Look("file", "b.py")], rest=edit)


@given(
    st.lists(
        st.sampled_from(
            [
                "```",
                "```look",
                "````py",
                "file a.py",
                "<<<<<<< SEARCH",
                "=======",
                ">>>>>>> REPLACE",
                "words",
                "*** Begin Patch",
                "*** End Patch",
                "--- a",
                "+++ a",
                "~~~",
                "",
            ]
        )
    )
)
def test_pieces_are_the_whole_reply_in_order(lines: list[str]) -> None:
    found = pieces("\n".join(lines))
    assert [piece.first for piece in found[1:]] == [piece.stop for piece in found[:-1]]
    assert (found[0].first, found[-1].stop) == (0, len("\n".join(lines).split("\n")))
    assert wishes(wishes("\n".join(lines)).rest).looks == ()


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for reply in (text, f"```look\n{text}\n```", f"```look\n{text}"):
        found = wishes(reply)
        assert len(found.looks) <= MOST


def test_a_line_without_end_is_no_wish() -> None:
    found = wishes(look("file a.py" + " " * 100_000 + "x", "-" * 100_000))
    assert found.looks == () and all(len(line) <= 400 for line in found.unread)
