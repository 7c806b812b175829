"""`python -m tests.bench.duel`: Aider and Pairwright on the same 24 small edits with the same embedded model.

One server runs the model and both ask it. Aider is asked twice, for `whole` and for `diff`, with its other settings
as they are by default; Pairwright as `pairwright edit --chat FILE` asks. Each edit begins in a fresh git repository
with the whole source distribution. Timed is the edit itself, from the request to the file on disk: no import, no
scan, the model loaded. An edit passes when the module's syntax tree is the wanted one (`edits`) and nothing else in
the tree changed; a file is broken when it no longer parses, when a function the request does not name changed, or
when another file did.

Results and raw replies go to a folder, one file an edit and contestant; what is there is not run again.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from tests.bench.corpora import aider_python, folder
from tests.bench.duel.draw import TASKS, tree
from tests.bench.duel.edits import KINDS, outside

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Settings
from pairwright.edits.diff import apply
from pairwright.edits.types import FileChange
from pairwright.engine.door import Door
from pairwright.engine.events import Event, Said
from pairwright.engine.session import Sessions
from pairwright.engine.turn import Tools, Turn, run
from pairwright.llm.embedded import EmbeddedModel
from pairwright.llm.models import ConfiguredModels
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

LIMIT = 900.0
"""Seconds after which an edit of either is given up: failed, with these as its time."""
CONTESTANTS = ("aider-whole", "aider-diff", "pairwright")


@dataclass(frozen=True, slots=True)
class Edit:
    """One of the 24; see draw."""

    id: str
    kind: str
    sdist: str
    path: str
    sha256: str
    function: str
    words: Mapping[str, str]
    request: str


@dataclass(frozen=True, slots=True)
class Result:
    """`seconds`: None where it failed before an answer. `said`: all the model wrote, and what the tool said."""

    edit: str
    by: str
    passed: bool
    broken: bool
    seconds: float | None
    said: Sequence[str]
    after: str


def edits() -> list[Edit]:
    return [Edit(**one) for one in json.loads(TASKS.read_text(encoding="utf-8"))]


def prepared(edit: Edit, root: Path) -> dict[str, bytes]:
    """A fresh repository below `root`; its files."""
    tree(edit.sdist, root)
    before = files(root)
    assert hashlib.sha256(before[edit.path]).hexdigest() == edit.sha256, edit
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        subprocess.run([*git, *words], cwd=root, check=True)
    for name, value in (("user.name", "bench"), ("user.email", "bench@localhost")):
        subprocess.run(["git", "config", name, value], cwd=root, check=True)
    return before


def files(root: Path) -> dict[str, bytes]:
    """All files below `root` by path, git's own and Aider's left out."""
    found = {}
    for place in sorted(root.rglob("*")):
        path = place.relative_to(root).as_posix()
        if place.is_file() and not path.startswith((".git/", ".aider")):
            found[path] = place.read_bytes()
    return found


def judged(edit: Edit, before: Mapping[str, bytes], root: Path) -> tuple[bool, bool]:
    """Whether the edit passed, and whether something broke."""
    after = files(root)
    old, new = before[edit.path].decode(), after.get(edit.path, b"").decode("utf-8", "replace")
    others = {p: d for p, d in before.items() if p != edit.path}
    if others != {p: d for p, d in after.items() if p != edit.path}:
        return False, True
    try:
        is_broken = outside(new, [edit.function]) != outside(old, [edit.function])
        kind = KINDS[edit.kind]
        is_wanted = kind.found(new, edit.function) == kind.wanted(old, edit.function, edit.words)
    except SyntaxError:
        return False, True
    return is_wanted, is_broken


class Aider:
    """Aider's process for one edit format; started at the first edit."""

    def __init__(self, form: str, base: str, key: str) -> None:
        words = [str(aider_python()), str(Path(__file__).with_name("aider_run.py")), base, form]
        env = {**os.environ, "OPENAI_API_KEY": key, "HOME": tempfile.mkdtemp()}
        self._process = subprocess.Popen(
            words, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    async def edit(self, edit: Edit, root: Path) -> tuple[float | None, list[str]]:
        return await asyncio.to_thread(self._edit, edit, root)

    def _edit(self, edit: Edit, root: Path) -> tuple[float | None, list[str]]:
        asked = {"root": str(root), "path": edit.path, "request": edit.request}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["seconds"], [*answer["messages"], answer["printed"]]

    def close(self) -> None:
        self._process.kill()


async def pairwright(
    edit: Edit, root: Path, models: ConfiguredModels
) -> tuple[float | None, list[str]]:
    """One edit by the engine, everything it proposes accepted."""
    settings = Settings()
    host = Host(str(root), settings.index, Cache(None))
    changes: list[FileChange] = []
    said: list[str] = []

    def proposed(found: Sequence[FileChange], at: Snapshot, missing: Sequence[str] = ()) -> str:
        changes[:] = found
        return "proposal"

    def heard(event: Event) -> None:
        if isinstance(event, Said):
            said.append(event.text)

    async def ask(question: str, options: Sequence[str]) -> str | None:
        return options[0]

    door = Door(lambda: settings.privacy)
    tools = Tools(settings, models, door, Sessions(), heard, ask, proposed)
    try:
        await asyncio.to_thread(host.scan, None)
        turn = Turn("edit", edit.request, edit.path, chat=(edit.path,))
        began = time.perf_counter()
        outcome = await run(turn, host.snapshot, tools)
        for change in changes:
            data = apply((root / change.path).read_bytes(), change.hunks)
            (root / change.path).write_bytes(data)
        return time.perf_counter() - began, ["".join(said), repr(outcome)]
    finally:
        host.stop()


async def duel(keep: Path, only: Sequence[str], kinds: Sequence[str]) -> None:
    models = ConfiguredModels(ModelSettings(name="embedded"), os.environ)
    contestants: dict[str, Aider] = {}
    try:
        model = await models.get()
        assert isinstance(model, EmbeddedModel)
        with model.engine.use():
            at = await model.engine.address()
            for edit in edits():
                for by in only:
                    place = keep / f"{edit.id}.{by}.json"
                    if place.is_file() or edit.kind not in kinds:
                        continue
                    if by.startswith("aider") and by not in contestants:
                        contestants[by] = Aider(by.removeprefix("aider-"), at.base, at.key)
                    result = await once(edit, by, contestants.get(by), models)
                    if result.seconds == LIMIT and by in contestants:
                        contestants.pop(by).close()
                    place.write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")
                    print(shown(result), file=sys.stderr, flush=True)
    finally:
        for one in contestants.values():
            one.close()
        await models.close()


async def once(edit: Edit, by: str, aider: Aider | None, models: ConfiguredModels) -> Result:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        root = Path(scratch).resolve() / "repo"
        root.mkdir()
        before = prepared(edit, root)
        trying = aider.edit(edit, root) if aider else pairwright(edit, root, models)
        try:
            seconds, said = await asyncio.wait_for(trying, LIMIT)
        except TimeoutError:
            seconds, said = LIMIT, [f"given up after {LIMIT:.0f} s"]
        passed, broken = judged(edit, before, root)
        after = (root / edit.path).read_text(encoding="utf-8", errors="replace")
    return Result(edit.id, by, passed, broken, seconds, said, after)


def shown(result: Result) -> str:
    end = "passed" if result.passed else "BROKEN" if result.broken else "failed"
    return f"{result.edit} {result.by}: {end}, {result.seconds or 0:.0f} s"


def table(keep: Path) -> str:
    """What lies in `keep`, as a Markdown table."""
    found = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(keep.glob("*.json"))]
    rows = ["| | edits | passed | files broken | seconds, median |", "|---|---|---|---|---|"]
    for by in CONTESTANTS:
        mine = [one for one in found if one["by"] == by]
        if not mine:
            continue
        times = [one["seconds"] for one in mine if one["seconds"] is not None]
        passed, broken = (sum(one[name] for one in mine) for name in ("passed", "broken"))
        rows.append(f"| {by} | {len(mine)} | {passed} | {broken} | {median(times):.1f} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.duel", description=__doc__)
    parser.add_argument("--keep", type=Path, default=None, metavar="DIR", help="replies, results")
    parser.add_argument("--only", action="append", choices=CONTESTANTS, default=[])
    parser.add_argument("--kind", action="append", choices=tuple(KINDS), default=[])
    args = parser.parse_args()
    keep = args.keep or folder() / "duel"
    keep.mkdir(parents=True, exist_ok=True)
    asyncio.run(duel(keep, args.only or CONTESTANTS, args.kind or tuple(KINDS)))
    print(table(keep))


if __name__ == "__main__":
    main()
