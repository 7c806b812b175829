"""A kill at any write step leaves the old state or the new one, and the next start says which.

The suite tries every few steps, `make soak` each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.killed import OLD, WANTED

ROOT = Path(__file__).parents[3]
BEFORE = {path: data.hex() for path, data in OLD.items()}
AFTER = {path: text.hex() for path, text in WANTED.items() if text is not None}
AFTER["sixteen.txt"] = "\ufeffö\n".encode("utf-16-le").hex()


def check(report: Mapping[str, Any], kind: str, seen: set[str]) -> None:
    """One kill and what came of it. `seen`: gathers the endings."""
    assert not report["bad"], report
    assert report["again"] == [], report
    is_old = report["files"] == BEFORE
    assert is_old or report["files"] == AFTER, report
    if kind == "undo":
        assert report["state"] == ("undone" if is_old else "applied"), report
        assert report["then"] == BEFORE, report
    else:
        assert report["state"] == ("proposed" if is_old else "applied"), report
        assert (report["on"], report["then"]) == (
            ("applied", AFTER) if is_old else ("done", BEFORE)
        ), report
    if not report["said"]:
        seen.add("nothing")
        return
    (said,) = report["said"]
    has_old_files = is_old != (kind == "undo")
    if "all of it had been applied" in said:
        assert not has_old_files, report
        seen.add("all")
    else:
        assert has_old_files, report
        assert "nothing had been changed" in said or "it was put back" in said, report
        seen.add("none" if "nothing" in said else "part")


@pytest.mark.parametrize(("kind", "by"), [("accept", 7), ("undo", 7), ("first", 60)])
def test_a_kill_leaves_the_old_state_or_the_new(tmp_path: Path, kind: str, by: int) -> None:
    by = 1 if os.environ.get("PAIRWRIGHT_SOAK") else by
    command = [sys.executable, "-m", "tests.support.killed", str(tmp_path), kind, "0", str(by)]
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    seen: set[str] = set()
    for report in reports:
        check(report, kind, seen)
    assert [report["killed"] for report in reports[-2:]] == [True, False]
    assert seen == {"nothing", "none", "part", "all"} or by > 7
