"""Addresses of virtual documents: as we write them, as editors write them back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.lsp.virtual import address, uri_of


@pytest.mark.parametrize(
    ("uri", "name", "rest", "args"),
    [
        ("pairwright:/map", "map", "", {}),
        ("pairwright:/map.txt?budget=5", "map", "", {"budget": ("5",)}),
        ("pairwright:///map?a=1&a=2", "map", "", {"a": ("1", "2")}),
        (
            "pairwright:/map?budget%3D5%26message%3Da%20b",
            "map",
            "",
            {"budget": ("5",), "message": ("a b",)},
        ),
        ("pairwright:/proposal/ab12.diff", "proposal", "ab12.diff", {}),
        ("pairwright:map", "map", "", {}),
    ],
)
def test_taken_apart(uri: str, name: str, rest: str, args: dict[str, tuple[str, ...]]) -> None:
    found = address(uri)
    assert found is not None
    assert (found.name, found.rest, dict(found.args)) == (name, rest, args)


@pytest.mark.parametrize("uri", ["file:///map", "", "map", "git:/map"])
def test_other_schemes_are_not_ours(uri: str) -> None:
    assert address(uri) is None


@given(
    st.text(st.characters(codec="utf-8"), max_size=9),
    st.lists(st.text("aé&=%/ ?#+", min_size=1, max_size=5), max_size=3),
)
def test_what_is_written_is_read(message: str, chat: list[str]) -> None:
    found = address(uri_of("map", message=message, chat=tuple(chat), budget=0))
    assert found is not None
    assert found.one("message") == message
    assert found.args.get("chat", ()) == tuple(chat)
    assert found.one("budget") == "0"
