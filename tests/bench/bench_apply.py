"""What it takes to read a reply and find its places, beside Aider's own matcher on the same blocks.

In one process, texts in memory: nothing of disk, editor or model. All is computing, so times are the processor's and
hold on a busy machine too. Floods are replies of one kind of line, as no
model writes them; each format's slowest kind is shown.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.corpora import aider_python
from tests.bench.table import Figure, ms, under

from pairwright.edits.formats.registry import PARSERS, read
from pairwright.edits.plan import plan
from pairwright.edits.types import Target

FILES = 200
BLOCKS_A_FILE = 5
BIG_LINES = 24_000
BIG = "src/big.py"
FLOODS = {
    "heads": "<<<<<<< SEARCH\n",
    "dividers": "=======\n",
    "ends": ">>>>>>> REPLACE\n",
    "fences": "```\n",
    "other fences": "~~~\n",
    "commands": "```bash\nls\n```\n",
    "hunks": "@@\n",
    "headers": "--- a/app.py\n+++ b/app.py\n",
    "removed": "-x\n",
    "added": "+x\n",
    "sections": "*** Update File: app.py\n@@ f\n-x\n+y\n",
    "definitions": "app.py\n<<<<<<< DEFINITION A.f\nx\n>>>>>>> REPLACE\n",
    "blocks": "app.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
    "listings": "app.py\n```\nx\n```\n",
    "blank lines": "\n",
    "carriage returns": "\r",
    "one line": "x",
    "one line of ticks": "`",
}
FLOOD = 10_000_000
RUNS = 3


@dataclass(frozen=True)
class Job:
    """A reply, the files it is about, and those it should change as they are then."""

    name: str
    files: dict[str, str]
    reply: str
    after: dict[str, str]
    approximate: bool = False

    def run(self) -> float:
        """Seconds from the reply's text to the changes, which are checked."""
        targets = {path: Target(path, text.encode()) for path, text in self.files.items()}
        known = tuple(self.files)
        began = time.process_time()
        parsed = read(self.reply, "diff", known)
        done = plan(parsed.blocks, targets, chat=known, approximate=self.approximate)
        seconds = time.process_time() - began
        assert not parsed.problems and not done.problems, (parsed.problems, done.problems)
        assert {c.path: (c.after or b"").decode() for c in done.changes} == self.after
        return seconds


def applying(runs: int) -> Iterator[Figure]:
    """The rows of the part `apply`."""
    jobs = [many(), *map(single, RUNGS)]
    theirs = aider(jobs)
    for job, (seconds, right) in zip(jobs, theirs, strict=True):
        ours = median(job.run() for _ in range(max(runs, 3)))
        goal = 1000 if len(job.files) > 1 else 50
        told = f"Aider {ms(seconds)}" if right == len(job.after) else f"Aider {ms(seconds)}, wrong"
        yield Figure(
            job.name,
            f"under {goal:,} ms",
            f"{ms(ours)} ({told}: {seconds / ours:.1f} times)",
            ours * 1000 < goal,
        )
    for format in ("diff", "udiff", "patch", "symbol", "whole"):
        yield from flood(format)


def many() -> Job:
    """A thousand blocks over two hundred files."""
    files = {f"src/part{n % 10}/file{n}.py": module(n, 400) for n in range(FILES)}
    reply, after = [], {}
    for path, text in files.items():
        rows = text.split("\n")
        for part in range(BLOCKS_A_FILE):
            at = 20 + part * 75
            old = rows[at : at + 4]
            new = [old[0] + "  # seen", *old[1:3], "    pass", old[3]]
            reply.append(block(path, old, new))
            text = text.replace("\n".join(old) + "\n", "\n".join(new) + "\n")
        after[path] = text
    name = f"{FILES * BLOCKS_A_FILE:,} blocks over {FILES} files"
    return Job(name, files, "".join(reply), after)


def single(rung: str) -> Job:
    """One block for a file of 1 MB, which only `rung` finds."""
    rows = module(7, BIG_LINES).split("\n")[:-1]
    at = BIG_LINES * 3 // 4
    rows[at + 1] = "    “quoted” – line = 'x'" if rung == "look-alikes" else rows[at + 1]
    before, there = "\n".join(rows) + "\n", rows[at : at + 8]
    sought = RUNGS[rung](there)
    changed = [*sought[:-2], sought[-2] + "  # seen", sought[-1]]
    real = [*there[:-2], there[-2] + "  # seen", there[-1]]
    after = "\n".join([*rows[:at], *real, *rows[at + 8 :]]) + "\n"
    name = f"one block, {len(before) / 1e6:.1f} MB file: {rung}"
    reply = block(BIG, sought, changed)
    return Job(name, {BIG: before}, reply, {BIG: after}, rung == "similarity")


RUNGS = {
    "exact": lambda rows: rows,
    "trailing blanks": lambda rows: [*rows[:3], rows[3] + "  ", *rows[4:]],
    "indentation": lambda rows: [row[4:] for row in rows],
    "outer blank lines": lambda rows: ["", *rows],
    "elision": lambda rows: [*rows[:2], "...", *rows[5:]],
    "look-alikes": lambda rows: [rows[0], "    \"quoted\" - line = 'x'", *rows[2:]],
    "similarity": lambda rows: [*rows[:3], rows[3].replace("total", "sum"), *rows[4:]],
}


def module(seed: int, lines: int) -> str:
    """Source text of `lines` lines, no two alike."""
    rows = (f"    total_{seed}_{n} = compute({n * 7919 % 1009}, 'row {n}')" for n in range(lines))
    return "\n".join(rows) + "\n"


def block(path: str, old: list[str], new: list[str]) -> str:
    rows = [path, "```python", "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", "```"]
    return "\n".join(rows) + "\n\n"


def aider(jobs: list[Job]) -> list[tuple[float, int]]:
    """Aider's seconds for `jobs`, and how many files it changed as wanted."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "jobs.json"
        listed = [{"files": job.files, "reply": job.reply, "after": job.after} for job in jobs]
        path.write_text(json.dumps(listed), encoding="utf-8")
        script = Path(__file__).with_name("aider_apply.py")
        run = [str(aider_python()), str(script), str(path)]
        done = subprocess.run(
            run, capture_output=True, text=True, check=True, cwd=scratch, stdin=subprocess.DEVNULL
        )
    return [(seconds, right) for seconds, right in json.loads(done.stdout.splitlines()[-1])]


def flood(format: str) -> Iterator[Figure]:
    """The slowest flood of `format`: seconds, and how many times those of a tenth of it.

    The least of several runs of each size: what else runs beside it only ever adds.
    """
    times = {name: parsed(format, piece, FLOOD // 10) for name, piece in FLOODS.items()}
    worst = max(times, key=lambda name: times[name])
    small = min(parsed(format, FLOODS[worst], FLOOD // 10) for _ in range(RUNS))
    large = min(parsed(format, FLOODS[worst], FLOOD) for _ in range(RUNS))
    name = f"{format}: 10 MB of {worst}, its slowest flood"
    yield under(name, 10_000, large)
    yield Figure(
        f"{name}, to 1 MB", "at most 12 times", f"{large / small:.1f} times", large < 12 * small
    )


def parsed(format: str, piece: str, size: int) -> float:
    """Seconds of the processor to read `size` characters of `piece`."""
    reply = piece * (size // len(piece))
    began = time.process_time()
    PARSERS[format](reply, ("app.py",))
    return time.process_time() - began
