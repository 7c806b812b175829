"""Does the map show what a real commit went on to touch? Recall on the histories of git repositories.

    python tests/bench/recall.py [--commits N] [--ablate] GIT_DIR…

Of each repository N commits are drawn that touch two to eight source files. The commit's parent is
checked out, with the history up to it and nothing later; the message is the request, one of the
files is open. Expected are the other files, and in them the innermost definition around each line
that the commit changed. `files` and `definitions` are the shares that the map shows. `context` is the
share of shown definitions that the commit touched or that touched definitions refer to (SWE-Explore,
arXiv 2606.07297, calls it context efficiency). Three requests are measured: the message, the message
without the names it is asked to find, and none at all.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pairwright.config.schema import Index
from pairwright.graph import weights
from pairwright.tags.languages import language_of
from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Document
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

BUDGETS = (1024, 4096)
REQUESTS = ("message", "struck", "none")
SOURCES = (
    ("NAMED",),
    ("SAID", "BEST_SAID", "AROUND_SAID", "NAME_SAID"),
    ("FILE_SAID",),
    ("SHARED", "FILE_SHARED", "BESIDE_SHARED"),
    ("CALLS", "CALLED"),
    ("TOGETHER", "OFTEN"),
    ("ALIKE",),
    ("PAST_SAID",),
    ("TWIN", "ACROSS"),
    ("LAST", "LAST_INSIDE", "OUTERMOST"),
    ("VALUE",),
    ("REACHED",),
    ("CHEAPER",),
)
"""Weights of the ranking that `--ablate` sets to zero, one group after another."""

_SEED = 11
_SHORTEST_MESSAGE = 25
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+", re.M)

Place = tuple[str, int]
"""A definition: its file, and the line of its name from 0."""


@dataclass(frozen=True)
class Case:
    """`chat`: the open file. `files`: the others that `commit` touches."""

    repository: str
    commit: str
    message: str
    chat: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """`expected`: definitions to be shown. `useful`: those and what touched definitions refer to.
    `names`: what is struck out of the message."""

    expected: frozenset[Place]
    names: frozenset[str]
    related: frozenset[str]


@dataclass(frozen=True)
class Score:
    """Shares from 0 to 1 of one map."""

    files: float
    definitions: float
    context: float


def git(folder: str, *args: str) -> str:
    """What git says in `folder`, empty where it fails."""
    done = subprocess.run(["git", "-C", folder, *args], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def drawn(repository: str, amount: int) -> Iterator[Case]:
    """`amount` commits of `repository`, always the same ones."""
    dice = random.Random(_SEED)
    commits = git(repository, "log", "--no-merges", "--format=%H", "-n", "1500").split()
    dice.shuffle(commits)
    for commit in commits:
        message = git(repository, "log", "-1", "--format=%B", commit).strip()
        changed = git(repository, "diff-tree", "--no-commit-id", "--name-status", "-r", commit)
        rows = [row.split("\t") for row in changed.splitlines()]
        files = [row[1] for row in rows if row[0] == "M" and language_of(row[1]) is not None]
        if len(message) >= _SHORTEST_MESSAGE and 2 <= len(files) <= 8:
            chat = dice.choice(files)
            others = tuple(path for path in files if path != chat)
            yield Case(repository, commit, message[:2000], chat, others)
            amount -= 1
        if amount <= 0:
            return


def unpack(case: Case, folder: str) -> None:
    """The parent of the commit in `folder`, with no ref that leads past it."""
    git(".", "clone", "-q", "--shared", "--no-checkout", case.repository, folder)
    git(folder, "checkout", "-q", "--detach", case.commit + "^")
    git(folder, "remote", "remove", "origin")
    for ref in git(folder, "for-each-ref", "--format=%(refname)").split():
        git(folder, "update-ref", "-d", ref)


def truth(case: Case, snapshot: Snapshot) -> Truth:
    """What the commit touched, by the tags of its parent."""
    expected: set[Place] = set()
    names: set[str] = set()
    related: set[str] = set()
    for path in (case.chat, *case.files):
        document, tags = snapshot.document(path), snapshot.tags(path)
        if document is None:
            continue
        for item in touched(document, tags, hunks(case, path)):
            related.add(item.name)
            related.update(references(tags, item))
            if path != case.chat:
                expected.add((path, document.lines.line_at(item.name_start)))
                names.add(item.name)
    for path in case.files:
        base = path.rpartition("/")[2]
        names.update((path, base, base.partition(".")[0]))
    return Truth(frozenset(expected), frozenset(names), frozenset(related))


def hunks(case: Case, path: str) -> list[int]:
    """The lines of the parent's text that the commit replaces or adds behind, from 0."""
    text = git(case.repository, "diff", "-U0", case.commit + "^", case.commit, "--", path)
    lines: list[int] = []
    for found in _HUNK.finditer(text):
        first, count = int(found[1]), int(found[2] or 1)
        lines += range(max(first - 1, 0), max(first - 1, 0) + max(count, 1))
    return lines


def touched(document: Document, tags: Tags, lines: Sequence[int]) -> set[Definition]:
    """The innermost definition around each of `lines`."""
    found: set[Definition] = set()
    index = document.lines
    for line in lines:
        around = [
            item
            for item in tags.defs
            if index.line_at(item.name_start) <= line <= index.line_at(max(item.end - 1, 0))
        ]
        if around:
            found.add(max(around, key=lambda item: item.name_start))
    return found


def references(tags: Tags, item: Definition) -> set[str]:
    """The names that definition `item` refers to."""
    pairs = zip(tags.ref_names, tags.ref_starts, strict=True)
    return {name for name, at in pairs if item.start <= at < item.end}


def request(case: Case, known: Truth, kind: str) -> str:
    """The message of `case`, as it is, without what it is asked to find, or empty."""
    text = case.message if kind != "none" else ""
    if kind == "struck":
        for name in sorted((name for name in known.names if len(name) > 2), key=len, reverse=True):
            text = re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


def score(case: Case, known: Truth, snapshot: Snapshot, message: str, budget: int) -> Score:
    """How good the map of `budget` tokens is."""
    made = repo_map(snapshot, focus_of(snapshot, message, (case.chat,)), budget)
    shown = {(item.path, item.line) for item in made.shown}
    listed = {line.removesuffix(":") for line in made.text.splitlines()}
    useful = [
        i for i in made.shown if (i.path, i.line) in known.expected or i.name in known.related
    ]
    return Score(
        len(listed.intersection(case.files)) / len(case.files),
        len(shown & known.expected) / len(known.expected),
        len(useful) / max(len(made.shown), 1),
    )


@contextmanager
def without(sources: tuple[str, ...]) -> Iterator[None]:
    """The ranking without `sources`, one of SOURCES."""
    before = {name: getattr(weights, name) for name in sources}
    try:
        for name in sources:
            setattr(weights, name, 0.0)
        yield
    finally:
        for name, value in before.items():
            setattr(weights, name, value)


Row = tuple[tuple[str, ...], str, int]
"""What was left out, the request and the budget."""


def measured(case: Case, sources: Sequence[tuple[str, ...]], cache: Cache) -> dict[Row, Score]:
    """The scores of `case`; none if nothing of what the commit touched is a definition."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(case, folder)
        host = Host(str(Path(folder).resolve()), Index(), cache)
        try:
            snapshot = host.scan()
            known = truth(case, snapshot)
            if not known.expected:
                return {}
            found: dict[Row, Score] = {}
            for source in sources:
                for kind in REQUESTS:
                    for budget in BUDGETS:
                        with without(source):
                            message = request(case, known, kind)
                            found[source, kind, budget] = score(
                                case, known, snapshot, message, budget
                            )
            return found
        finally:
            host.stop()


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95% of the means of resamples of `values`."""
    dice = random.Random(1)
    count = len(values)
    means = sorted(sum(dice.choices(values, k=count)) / count for _ in range(1000))
    return means[25], means[975]


def table(scores: Sequence[dict[Row, Score]]) -> str:
    """The means as a Markdown table."""
    lines = [
        "| ranking | request | tokens | files | definitions | interval | context |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in scores[0] if scores else ():
        found = [case[row] for case in scores]
        files, definitions, context = (
            sum(values) / len(found)
            for values in zip(*((s.files, s.definitions, s.context) for s in found), strict=True)
        )
        low, high = interval([item.definitions for item in found])
        source, kind, budget = row
        label = f"without {', '.join(source)}" if source else "all"
        lines.append(
            f"| {label} | {kind} | {budget:,} | {files:.3f} | {definitions:.3f} "
            f"| {low:.3f}-{high:.3f} | {context:.3f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure the repositories named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repositories", nargs="+", metavar="GIT_DIR")
    parser.add_argument("--commits", type=int, default=25, metavar="N", help="commits of each")
    parser.add_argument("--ablate", action="store_true", help="leave out each source in turn")
    args = parser.parse_args()
    sources = ((), *SOURCES) if args.ablate else ((),)
    scores: list[dict[Row, Score]] = []
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        for repository in args.repositories:
            for case in drawn(str(Path(repository).resolve()), args.commits):
                if found := measured(case, sources, cache):
                    scores.append(found)
        cache.close()
    print(f"{len(scores)} commits of {len(args.repositories)} repositories\n")
    print(table(scores))


if __name__ == "__main__":
    main()
