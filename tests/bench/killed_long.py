"""A task of 30 files, killed again and again, whose end has to be the one of its script.

    python -m tests.bench.killed_long FOLDER [--seed 3] [--kills 20]

The task of `bench_task`, in a process that is killed at random points and started anew (`tests.support.killed_task`),
until there were so many kills: in turn where each file is applied as it is done, and where all of it is one proposal.
Prints a line a task.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from pathlib import Path

from tests.bench.bench_task import script
from tests.support.killed_task import Job, main

from pairwright.engine.task.document import render


def judged(line: str, before: dict[str, str], after: dict[str, str]) -> str:
    """What a report says. Raises SystemExit where the end is another than the script's, or was not taken back."""
    report = json.loads(line)
    if report["files"] != after or (report["undo"], report["then"]) != ("done", before):
        raise SystemExit(f"another end than the script's: {line}")
    kills = len(report["killed"])
    return f"{report['mode']}: {len(after)} files as scripted after {kills} kills, all taken back"


def run() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.killed_long", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--kills", type=int, default=20)
    args = parser.parse_args()
    made = script(30)
    before = {path: text.encode() for path, text in made.before.items()}
    after = {path: text.encode().hex() for path, text in made.after.items()}
    job = Job(before, render(made.plan), made.reply)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        main(args.folder, args.seed, args.kills, job, args.kills // 2)
    for line in told.getvalue().splitlines():
        print(judged(line, {path: data.hex() for path, data in before.items()}, after))


if __name__ == "__main__":
    run()
