"""Comments by the syntax tree: found in every language that has some, and nothing else is one."""

from __future__ import annotations

import pytest

from pairwright.tags.comments import comments_at
from pairwright.tags.files import is_isolated
from pairwright.tags.table import ALL

SIGNS = (
    *("# X", "// X", "-- X", "; X", ";; X", "% X", "! X", '" X', "( X )"),
    *("/* X */", "<!-- X -->", "{- X -}", "(* X *)", "{# X #}", "<?php // X\n"),
)


@pytest.mark.parametrize("language", sorted(name for name in ALL if not is_isolated(name)))
def test_a_comment_is_found(language: str) -> None:
    found = []
    for sign in SIGNS:
        data = f"{sign}\n".encode()
        spans = comments_at(data, language, [data.index(b"X")])
        assert spans is not None
        if spans[0] is not None:
            start, end = spans[0]
            assert b"X" in data[start:end]
            found.append(sign)
    assert found, f"{language} has no comment"


def check(language: str, source: str, *expected: str) -> None:
    """The places are marked by `X`; `expected`: the comment around each, empty for none."""
    data = source.encode()
    places = [at for at, byte in enumerate(data) if byte == ord("X")]
    spans = comments_at(data, language, places)
    assert spans is not None
    assert [data[span[0] : span[1]].decode() if span else "" for span in spans] == list(expected)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("python", 's = "# X"\ny = 1  # é X\n"""X"""', ["", "# é X", ""]),
        ("javascript", "`// X ${1 /* X */}`\n// X", ["", "/* X */", "// X"]),
        ("rust", 'let s = "/* X */"; /* a /* X */ b */', ["", "/* a /* X */ b */"]),
        ("bash", 'echo "# X" ${x#X} # X', ["", "", "# X"]),
        ("html", "<p>X</p><script>// X\n</script><!-- X -->", ["", "// X", "<!-- X -->"]),
        ("sql", "select '-- X' /* X */ -- X", ["", "/* X */", "-- X"]),
    ],
)
def test_strings_and_code_are_none(language: str, source: str, expected: list[str]) -> None:
    check(language, source, *expected)


@pytest.mark.parametrize(
    ("language", "data"),
    [("kotlin", b"// X"), ("nosuch", b"// X"), ("c", b"\x00// X"), ("c", b"// X\n" * 500_000)],
)
def test_what_is_not_parsed_here_is_not_known(language: str, data: bytes) -> None:
    assert comments_at(data, language, [3]) is None
