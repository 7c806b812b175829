"""A task that is killed at random points and resumed ends as if nobody had killed it, and is undone exactly.

The suite makes a few kills, `make soak` twenty and more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.killed_task import OLD

ROOT = Path(__file__).parents[3]
BEFORE = {path: data.hex() for path, data in OLD.items()}
AFTER = {
    "main.py": b"print(2)\n".hex(),
    "shop/__init__.py": "",
    "shop/cart.py": b"def total():\n    return 1\n".hex(),
    "shop/item.py": b"class Item:\n    pass\n".hex(),
    "win.txt": b"a\r\nB\r\n".hex(),
}


def test_a_killed_task_that_is_resumed_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    kills = 60 if os.environ.get("PAIRWRIGHT_SOAK") else 4
    command = [sys.executable, "-m", "tests.support.killed_task", str(tmp_path), "7", str(kills)]
    others = [path for path in [os.environ.get("PYTHONPATH")] if path]
    # Without ROOT, which `-m` has on the path by itself: its model processes start as those of other tests do.
    places = os.pathsep.join([str(ROOT / "server"), *others])
    env = {**os.environ, "PYTHONPATH": places}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(len(report["killed"]) for report in reports) >= kills
    for report in reports:
        assert report["files"] == AFTER, report
        assert set(report["phases"].values()) == {"applied"}, report
        assert report["waiting"] == (report["mode"] == "end"), report
        assert (report["undo"], report["then"]) == ("done", BEFORE), report
