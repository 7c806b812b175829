"""What records of files save and cost, whom they name as users, and whether any is ever stale.

    python -m tests.bench.bench_records [--steps N] [--seed N] [FOLDER ...]

Of each folder, Django without any: how its files are served when they are asked for, the tokens of the records as a
share of those of their texts, processor time of all records as a share of that of the tags, and users against the
imports that Python's own parser finds (names that the file defines at its top level; only Python). Then N random
steps of edits by hand and in buffers, branch switches, words of a model, and questions: each answer is held against
the text of that moment.
"""

from __future__ import annotations

import argparse
import ast
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.corpora import django
from tests.support.shop import hosted
from tests.support.world import PLACES, STEPS, VARIANTS, World, carried_out

from pairwright.config.schema import Index
from pairwright.engine.records import MOST_USERS, Notebook, Records
from pairwright.engine.serve import ANYTHING, Need, serve
from pairwright.tags.files import tags_here
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

_NEEDS = (ANYTHING, Need(is_target=True), Need(is_named=True))


@dataclass(frozen=True)
class Users:
    """Pairs of a file and a user of it. `imports`: that take a name it defines from it, `found` of these by records.
    `named`: that records name, `sure` of these where the user imports the file in any way."""

    imports: int
    found: int
    named: int
    sure: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    print(
        "| folder | files | by record | record / text | records / tags | of imports named | named that import |"
    )
    print("|---|---|---|---|---|---|---|")
    for root in args.folders or [django().root]:
        print(row(root.resolve()), flush=True)
    asked, stale = steps(args.steps, args.seed)
    print(f"\n{args.steps:,} steps, {asked:,} answers, {stale} of them stale")


def row(root: Path) -> str:
    host = Host(str(root), Index(workers=1), Cache(None))
    try:
        snapshot = host.scan()
        snapshot.graph()
        tags = _spent(
            lambda: [tags_here(p, d.data) for p in snapshot.paths() if (d := snapshot.document(p))]
        )
        records = Notebook().at(snapshot)
        made = _spent(lambda: [records.of(path) for path in snapshot.paths()])
        forms: Counter[str] = Counter()
        shown = full = 0
        for path in snapshot.paths():
            one = serve(records, path)
            forms[one.form if one else "none"] += 1
            document = snapshot.document(path)
            if one is not None and one.form == "record" and document is not None:
                shown += one.tokens
                full += estimate(document.text)
        users = _users(snapshot, records)
    finally:
        host.stop()
    return (
        f"| {root.name} | {len(snapshot.paths()):,} | {forms['record'] / max(1, sum(forms.values())):.2f} "
        f"| {shown / max(1, full):.2f} | {made / tags:.2f} | {users.found / max(1, users.imports):.3f} "
        f"| {users.sure / max(1, users.named):.3f} |"
    )


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


# --- users


def _users(snapshot: Snapshot, records: Records) -> Users:
    modules = {_module(path): path for path in snapshot.paths() if path.endswith(".py")}
    defined = {path: frozenset(_top(snapshot, path)) for path in modules.values()}
    wanted: set[tuple[str, str]] = set()
    importing: set[tuple[str, str]] = set()
    for path in modules.values():
        for module, name in _imports(snapshot, path):
            target = modules.get(module)
            if target is not None and target != path:
                importing.add((target, path))
                if name in defined[target]:
                    wanted.add((target, path))
            if (inner := modules.get(f"{module}.{name}")) is not None and inner != path:
                importing.add((inner, path))
    # Of a file that everybody uses a record names the first users only.
    cut = {p for p in modules.values() if (one := records.of(p)) and len(one.used_by) >= MOST_USERS}
    wanted = {pair for pair in wanted if pair[0] not in cut}
    named = {
        (path, user)
        for path in modules.values()
        if path not in cut
        if (record := records.of(path)) is not None
        for user, _ in record.used_by
    }
    return Users(len(wanted), len(named & wanted), len(named), len(named & importing))


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _tree(snapshot: Snapshot, path: str) -> ast.Module | None:
    document = snapshot.document(path)
    try:
        return ast.parse(document.data) if document is not None else None
    except (SyntaxError, ValueError):
        return None


def _top(snapshot: Snapshot, path: str) -> Iterator[str]:
    tree = _tree(snapshot, path)
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def _imports(snapshot: Snapshot, path: str) -> Iterator[tuple[str, str]]:
    """(module, name) of each import; a module by itself has no name. Relative ones are resolved."""
    tree = _tree(snapshot, path)
    package = _module(path).split(".")
    if not path.endswith("/__init__.py"):
        package = package[:-1]
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join((*above, *((node.module,) if node.module else ())))
            yield from ((module, alias.name) for alias in node.names)


# --- never stale


def steps(count: int, seed: int) -> tuple[int, int]:
    """How many answers were asked for in `count` random steps, and how many were not of the text of the moment."""
    chance = random.Random(seed)
    asked = stale = 0
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        with hosted(root) as host:
            world = World(root, host)
            world.begin()
            for _ in range(count):
                step = (chance.choice(STEPS), chance.choice(PLACES), chance.randrange(VARIANTS))
                carried_out(world, step)
                for path in (step[1], chance.choice(PLACES)):
                    asked += 1
                    try:
                        world.ask(path, chance.choice(_NEEDS))
                    except AssertionError as error:
                        stale += 1
                        print(f"stale: {step} {path}: {error}")
    return asked, stale


if __name__ == "__main__":
    main()
