"""`python -m tests.bench.duel.draw`: draw the 24 edits of the duel into tasks.json; done once, before the first run.

Functions come from pinned source distributions, four for each kind of `edits.KINDS`, by a seeded draw: top-level
functions of 4 to 30 lines in files of 1.5 to 8 KB, one edit a function, no file more than twice.
"""

from __future__ import annotations

import ast
import hashlib
import json
import random
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.bench.corpora import folder
from tests.bench.duel.edits import KINDS, Function

SEED = 11
EACH = 4
LINES = range(4, 31)
BYTES = range(1_500, 8_001)
NOT_FROM = frozenset({"tests", "test", "docs", "examples", "misc", "easterutils.py"})
TASKS = Path(__file__).with_name("tasks.json")
SDISTS = {
    "boltons==25.0.0": "boltons-25.0.0.tar.gz",
    "cachetools==5.5.2": "cachetools-5.5.2.tar.gz",
    "click==8.1.8": "click-8.1.8.tar.gz",
    "humanize==4.12.3": "humanize-4.12.3.tar.gz",
    "itsdangerous==2.2.0": "itsdangerous-2.2.0.tar.gz",
    "natsort==8.4.0": "natsort-8.4.0.tar.gz",
    "packaging==24.2": "packaging-24.2.tar.gz",
    "python-slugify==8.0.4": "python-slugify-8.0.4.tar.gz",
    "toolz==1.0.0": "toolz-1.0.0.tar.gz",
    "werkzeug==3.1.3": "werkzeug-3.1.3.tar.gz",
}


def sdist(requirement: str) -> Path:
    """The source distribution, fetched once."""
    place = folder() / "sdists"
    found = place / SDISTS[requirement]
    if not found.is_file():
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*pip, requirement, "-d", str(place)], check=True)
    return found


def sources(requirement: str) -> dict[str, str]:
    """The Python files of a distribution, tests and setup left out, by path."""
    found = {}
    with tarfile.open(sdist(requirement)) as archive:
        for member in archive:
            path = member.name.partition("/")[2]
            if member.isfile() and path.endswith(".py"):
                data = archive.extractfile(member)
                assert data is not None
                found[path] = data.read().decode("utf-8")
    return dict(sorted(found.items()))


def tree(requirement: str, place: Path) -> None:
    """Unpack a distribution below `place`."""
    with tarfile.open(sdist(requirement)) as archive:
        for member in archive:
            member.name = member.name.partition("/")[2]
            if member.name:
                archive.extract(member, place, filter="data")


def candidates() -> list[tuple[str, str, str, Function]]:
    """Package, path, text and function of all that may be drawn."""
    found = []
    for requirement in SDISTS:
        for path, text in sources(requirement).items():
            parts = path.split("/")
            if len(text) not in BYTES or NOT_FROM & set(parts) or len(parts) < 2:
                continue
            nodes = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
            names = [node.name for node in nodes]
            for node in nodes:
                assert node.end_lineno is not None
                is_fit = node.end_lineno - node.lineno + 1 in LINES
                is_plain = not node.decorator_list and not node.name.startswith("__")
                if is_fit and names.count(node.name) == 1 and is_plain:
                    found.append((requirement, path, text, node))
    return found


def drawn() -> list[dict[str, object]]:
    chance = random.Random(SEED)
    pool = candidates()
    chance.shuffle(pool)
    used: list[str] = []
    tasks: list[dict[str, object]] = []
    for kind, made in KINDS.items():
        count = 0
        for requirement, path, text, node in pool:
            words = made.drawn(node)
            key = f"{requirement} {path} {node.name}"
            full = sum(one.startswith(f"{requirement} {path} ") for one in used) > 1
            if words is None or key in used or full or count == EACH:
                continue
            used.append(key)
            count += 1
            tasks.append(
                {
                    "id": f"{kind}-{count}",
                    "kind": kind,
                    "sdist": requirement,
                    "path": path,
                    "sha256": hashlib.sha256(text.encode()).hexdigest(),
                    "function": node.name,
                    "words": dict(words),
                    "request": made.text.format(function=node.name, **words),
                }
            )
        assert count == EACH, f"only {count} of {kind}"
    return tasks


def main() -> int:
    if TASKS.exists():
        sys.exit(f"{TASKS} is there: the edits are drawn once and never changed afterwards")
    TASKS.write_text(json.dumps(drawn(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
