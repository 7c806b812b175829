"""Where files live, and how their paths are written for a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairwright.config.paths import typed


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/ada/.cache/pairwright/ask-1.md", "~/.cache/pairwright/ask-1.md"),
        ("/home/ada", "~"),
        ("/home/adam/a.md", "/home/adam/a.md"),
        ("/srv/a.md", "/srv/a.md"),
    ],
)
def test_a_path_is_written_as_one_types_it(
    path: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert typed(Path(path)) == expected
