"""Goldens: a text compared with a stored one, rewritten when UPDATE=1 is in the environment."""

from __future__ import annotations

import os
from pathlib import Path

GOLDEN = Path(__file__).parent.parent / "golden"


def golden(name: str, actual: str) -> None:
    """Compare `actual` with tests/golden/`name`; `UPDATE=1` writes it instead."""
    path = GOLDEN / name
    if os.environ.get("UPDATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(actual, encoding="utf-8", newline="")
        return
    assert path.exists(), f"no golden {name}: run `make test UPDATE=1` and review it"
    expected = path.read_text(encoding="utf-8")
    assert actual == expected, (
        f"golden {name} differs: run `make test UPDATE=1` and review the diff"
    )
