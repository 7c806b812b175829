"""Pairwright and a user with git at the same files: no work lost or committed unasked, undo exact or
refused. A few seeds here, many and longer ones by `make soak`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.crossfire import Crossfire

SOAK = bool(os.environ.get("PAIRWRIGHT_SOAK"))
FIRST = int(os.environ.get("PAIRWRIGHT_SEED", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + (40 if SOAK else 3)))
async def test_no_work_is_lost_and_undo_is_exact_or_refused(tmp_path: Path, seed: int) -> None:
    run = Crossfire(tmp_path, seed)
    await run.run(200 if SOAK else 50)
    assert run.counts.get("accept applied", 0) > 0, run.counts
    assert run.counts.get("undo done", 0) > 0, run.counts
