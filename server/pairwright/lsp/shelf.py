"""The references at hand: their indexes, kept from one search to the next and shared by all folders of a server.

What has changed is parsed and put together by a child process, since a large reference takes seconds of processor
time; here indexes are only read, and only those that are others than before. Implements `engine.references.Shelf`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.engine.door import Door
from pairwright.engine.references import Examples
from pairwright.engine.rerank import Reranker
from pairwright.lsp.errors import Refused
from pairwright.lsp.progress import Token
from pairwright.lsp.session import Session
from pairwright.reference.build import Built, build, recalled
from pairwright.reference.library import Library, Root
from pairwright.workspace.remote import store
from pairwright.workspace.types import Snapshot

log = logging.getLogger(__name__)

Shelved = Sequence[tuple[Root, Built]]

_MAIN = (
    "import sys; sys.path[:] = {path!r}; from pairwright.cli.main import main; "
    "sys.exit(main(['reference', 'build', '--progress', '--', *sys.argv[1:]]))"
)


class Shelf:
    """Changed on the loop only."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.cache = store(environment())
        self._built: dict[Root, Built] = {}
        # Two searches at once would parse the same files twice.
        self._lock = asyncio.Lock()

    def close(self) -> None:
        """Close the store."""
        self.cache.close()

    async def ready(self) -> Shelved:
        """All references that can be had now, brought up to date; those that cannot are left out, and the log says
        why."""
        env = environment()
        roots = await asyncio.to_thread(Library(data_dir(env), cache_dir(env), env).roots)
        found: list[tuple[Root, Built]] = []
        for root in roots:
            try:
                found += await self.of((root,))
            except Refused as error:
                log.warning("the reference %s is left out: %s", root.name, error)
        return found

    async def of(self, roots: Sequence[Root], token: Token | None = None) -> Shelved:
        """`roots` with their indexes, brought up to date with progress; `token`: the client's for it. Raises
        Refused."""
        async with self._lock:
            late = [root for root in roots if not await self._recall(root)]
            if late:
                await self._make(late, token)
            return [(root, self._built[root]) for root in roots]

    async def _recall(self, root: Root) -> bool:
        """Take the index of `root` if nothing has to be made for it."""
        before = self._built.get(root)
        found = await asyncio.to_thread(recalled, root.path, self.cache, root.subtree, before)
        if found is not None:
            self._built[root] = found
        return found is not None

    async def _make(self, roots: Sequence[Root], token: Token | None) -> None:
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            task.cancel()

        title = "Indexing references"
        async with self._session.progress(
            title, token=token, on_cancel=stop, percent=True
        ) as report:
            await _child([root.name for root in roots], report.report)
            for root in roots:
                if not await self._recall(root):
                    # A file was written meanwhile: it is one of few.
                    self._built[root] = await asyncio.to_thread(
                        build, root.path, self.cache, root.subtree
                    )


def examples(session: Session, door: Door, snapshot: Callable[[], Snapshot]) -> Examples:
    """The references for the steps of a task. Nothing is looked at before a step asks."""
    settings, shelf = session.settings.reference, session.shelf
    judge = None
    if settings.judge == "model":
        judge = Reranker(session.models, door, snapshot, shelf.cache)
    return Examples(shelf, settings, shelf.cache, judge)


async def _child(names: Sequence[str], report: Callable[[str, int | None], None]) -> None:
    """Bring the indexes of `names` up to date in a child. Raises Refused if it fails."""
    path = [place for place in sys.path if place.startswith("/")]
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _MAIN.format(path=path), *names),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    assert child.stdout is not None and child.stderr is not None
    try:
        said = asyncio.ensure_future(child.stderr.read())
        async for line in child.stdout:
            name, done, total = json.loads(line)
            report(f"{name}: {done:,} of {total:,} files", 100 * done // max(1, total))
        reason = (await said).decode("utf-8", "replace").strip().splitlines()
        await child.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            child.kill()
        raise
    if child.returncode:
        raise Refused(reason[-1] if reason else "The references could not be indexed.")
