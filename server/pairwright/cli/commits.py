"""Commit mode at a terminal: the changes of a command become commits, or leave them, as in an editor."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli.main import asked

if TYPE_CHECKING:
    from pairwright.config.schema import Settings
    from pairwright.engine.commit import Clerk, Told

Recorded = Callable[[str, Sequence[str]], None]
"""See engine.accept.Desk."""


@asynccontextmanager
async def following(root: Path, settings: Settings) -> AsyncIterator[Recorded]:
    """What is told of every change that a command makes. Where commit mode is on, each is brought into the repository
    behind it, and all are at the end; what became of them goes to stderr."""
    if settings.git.mode != "commit":
        yield lambda checkpoint, paths: None
        return
    async with clerk(root, settings) as one:
        tasks: list[asyncio.Task[tuple[Told, ...]]] = []

        def recorded(checkpoint: str, paths: Sequence[str]) -> None:
            tasks.append(asyncio.create_task(one.follow(checkpoint)))

        try:
            yield recorded
        finally:
            for answers in await asyncio.gather(*tasks):
                for told in answers:
                    print(told.message, file=sys.stderr)


@asynccontextmanager
async def clerk(root: Path, settings: Settings) -> AsyncIterator[Clerk]:
    """Who makes the commits of the folder `root`, with a model of its own for their messages."""
    from pairwright.checkpoints.place import folder_of
    from pairwright.checkpoints.repo import Store
    from pairwright.config.load import environment
    from pairwright.config.paths import data_dir
    from pairwright.engine.commit import Clerk, Desk
    from pairwright.engine.door import Door
    from pairwright.engine.spend import kept
    from pairwright.llm.models import ConfiguredModels
    from pairwright.workspace.cache import Cache
    from pairwright.workspace.host import Host

    env, real = environment(), str(root.resolve())
    models = ConfiguredModels(settings.model, env)
    # Not scanned: only its ignore rules are asked.
    host = Host(real, settings.index, Cache(None))
    door = Door(lambda: settings.privacy, kept(data_dir(env), real, lambda: settings.budget))
    desk = Desk(lambda: settings, env, models, door, host.snapshot, asked, lambda event: None)
    try:
        yield Clerk(desk, Store(folder_of(data_dir(env), real), real))
    finally:
        await models.close()
        host.stop()
