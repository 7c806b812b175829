"""A task whose process is killed at random points again and again, and resumed until it is through.

    python -m tests.support.killed_task FOLDER SEED KILLS

Forks a child for every start, so that imports are paid once; a point is a write, a move or a flush below FOLDER (see
`killed`). Each start has a model process of its own, and all of them one scripted server. Prints a JSON line a task,
until KILLS were made: where it was killed, and what stands in the end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tests.support.author import NAME, Author
from tests.support.killed import at_each_write, desk_of, files, forked, kill_before
from tests.support.tasks import block, crew_of, listing, target

from pairwright.config.schema import Model, Settings
from pairwright.config.task import Task
from pairwright.engine.accept import accept
from pairwright.engine.recover import recover
from pairwright.engine.task import control, document
from pairwright.engine.task.run import Recorder, run
from pairwright.engine.task.state import Review, State
from pairwright.llm.models import ConfiguredModels

OLD = {"main.py": b"print(1)\n", "gone.py": b"x = 1\n", "win.txt": b"a\r\nb\r\n"}
PLAN = """# Plan: shop

## create shop/item.py
- contract: class Item
## create shop/cart.py
- contract: def total()
- depends: shop/item.py
## modify main.py
- depends: shop/cart.py
## modify win.txt
## create shop/__init__.py
## delete gone.py
"""
REPLIES = {
    "shop/item.py": listing("shop/item.py", "class Item:\n    pass\n", ["items are frozen"]),
    "shop/cart.py": listing("shop/cart.py", "def total():\n    return 1\n"),
    "main.py": block("main.py", "print(1)\n", "print(2)\n"),
    "win.txt": block("win.txt", "b\n", "B\n"),
    "shop/__init__.py": listing("shop/__init__.py", ""),
}


@dataclass(frozen=True)
class Job:
    """What a task has to do. `reply`: what the model says in the step of a path."""

    before: Mapping[str, bytes]
    plan: str
    reply: Callable[[str], str]


SHOP = Job(OLD, PLAN, REPLIES.__getitem__)


def prepare(base: Path, job: Job) -> None:
    for path, data in job.before.items():
        place = base / "work" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def models_of(chosen: Model) -> ConfiguredModels:
    return ConfiguredModels(chosen, {**os.environ, "OPENAI_API_KEY": "scripted"}, servers=())


def act(base: Path, mode: Review, chosen: Model, job: Job) -> None:
    """What a start does: bring to an end what was cut short, plan if there is no plan yet, and run."""
    desk = desk_of(base)
    asyncio.run(recover(desk))
    settings = replace(Settings(), model=chosen, task=Task(review=mode))
    models = models_of(chosen)
    crew = crew_of(desk, base / "data", models, settings)

    async def go() -> None:
        state = crew.journal.read("t1")
        recorder = Recorder(crew, state or State())
        if state is None:
            await control.opened(recorder, "t1", "Make it.", 1.0)
        if not recorder.state.version:
            await control.planned(recorder, document.read(job.plan), "", 1.0)
        await run(crew, recorder.state)
        await models.close()

    asyncio.run(go())


def look(base: Path, out: Path) -> None:
    """What stands, before and after an accept of what waits, and after the task is taken back."""
    desk = desk_of(base)
    crew = crew_of(desk, base / "data", models_of(Model()), Settings())

    async def go() -> dict[str, object]:
        waiting = desk.proposals.pending()
        for proposal in waiting:
            assert (await accept(desk, proposal.id)).state == "applied"
        state = crew.journal.read("t1")
        assert state is not None
        recorder = Recorder(crew, state)
        state = await control.refreshed(recorder)
        found = {"waiting": len(waiting), "files": files(base), "status": state.status}
        phases = {entry.path: state.file(entry.path).phase for entry in state.plan.entries}
        end = await control.taken_back(recorder)
        return {**found, "phases": phases, "undo": end.state, "then": files(base)}

    out.write_text(json.dumps(asyncio.run(go())))


def steps(base: Path, mode: Review, chosen: Model, job: Job) -> int:
    """How many points there are in a run that nobody kills."""
    counted = base.parent / "count"
    prepare(base, job)

    def work() -> None:
        seen: list[None] = []
        at_each_write(base, lambda: seen.append(None))
        act(base, mode, chosen, job)
        counted.write_text(str(len(seen)))

    assert forked(work) == 0
    shutil.rmtree(base)
    return int(counted.read_text())


@contextmanager
def writing(job: Job) -> Iterator[Model]:
    """The scripted server in a process of its own, since forks and threads go ill together; how it is asked."""
    said, saying = os.pipe()
    alive, living = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(living)
        with Author(lambda prompt: job.reply(target(prompt))) as author:
            os.write(saying, author.url.encode())
            # Until everybody who could ask is gone.
            os.read(alive, 1)
        os._exit(0)
    url = os.read(said, 200).decode()
    yield Model(name=NAME, api_base=url, window=32_000, max_output=8_000)
    os.close(living)
    os.waitpid(process, 0)


def main(base: Path, seed: int, kills: int, job: Job = SHOP, each: int = 3) -> None:
    """Prints the reports. `each`: the most kills that one task meets."""
    with writing(job) as chosen:
        _main(base, random.Random(seed), kills, chosen, job, each)


def _main(base: Path, rng: random.Random, kills: int, chosen: Model, job: Job, each: int) -> None:
    modes: tuple[Review, ...] = ("task", "end")
    most = {mode: steps(base / "count-it", mode, chosen, job) for mode in modes}
    # Few kills are to meet both modes.
    each = min(each, kills // len(modes))
    done = number = 0
    while done < kills:
        mode, place, points = modes[number % 2], base / f"try-{number}", list[int]()
        prepare(place, job)
        while True:
            # Some kill is the last: then the task is to come to its end.
            point = rng.randrange(most[mode] * 2 // 3) if len(points) < each else 10**9

            def work(point: int = point, place: Path = place, mode: Review = mode) -> None:
                kill_before(point, place)
                act(place, mode, chosen, job)

            status = forked(work)
            if not os.WIFSIGNALED(status):
                assert status == 0, status
                break
            points.append(point)
        out = base / "out"
        looked = forked(partial(look, place, out))
        assert looked == 0, looked
        report = json.loads(out.read_text())
        print(json.dumps({"mode": mode, "killed": points, "of": most[mode], **report}), flush=True)
        shutil.rmtree(place)
        done, number = done + len(points), number + 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
