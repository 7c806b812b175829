"""Which definer a text means: imported, beside, elsewhere."""

from __future__ import annotations

import pytest

from pairwright.graph.near import imported, nearest

PATHS = (
    "z/other.py",
    "db/models/query.py",
    "db/query.py",
    "app/beside.py",
    "app/views.py",
    "lib/web/index.js",
)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("from db.models.query import Q\n", ["db/models/query.py", "db/query.py"]),
        ("import {x} from '../lib/web'\n", ["lib/web/index.js"]),
        ('#include "z/other.h"\n', ["z/other.py"]),
        ("query = other  # no such line\n", []),
    ],
)
def test_order(text: str, first: list[str]) -> None:
    found = nearest(PATHS, "app/views.py", imported(text.encode()))
    assert list(found[: 1 + len(first)]) == ["app/views.py", *first]
    assert found[1 + len(first)] == "app/beside.py"
    assert sorted(found) == sorted(PATHS)


def test_only_lines_that_import_count() -> None:
    assert imported(b"x = shop\nimport till\n") == {"import", "till"}
