"""The conversations of one workspace: what was said in each, the files in it, and the map it was shown.

One writer, the event loop. Where there is a store every record goes there at once, and what other servers added is
read before each turn. What is sent again is the policy of `memory.history`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from pairwright.memory.chat import (
    Chat,
    Exchange,
    Fact,
    Files,
    Opened,
    Record,
    Summary,
    forked,
    grown,
)
from pairwright.memory.store import Listed, Read, Store
from pairwright.render.types import RepoMap
from pairwright.workspace.manifest import MapManifest

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Mapped:
    """A map and what it was made from."""

    map: RepoMap
    manifest: MapManifest

    @property
    def paths(self) -> tuple[str, ...]:
        """The files whose text is in it, in order."""
        return tuple(dict.fromkeys(item.path for item in self.map.shown))


@dataclass(frozen=True, slots=True)
class Frozen:
    """The map a session was shown first. It stays while `files` and `budget` do, so that all that follows
    it in the prompt can be served from a provider's cache. `is_whole`: it was made from a finished index."""

    mapped: Mapped
    files: tuple[str, ...]
    budget: int
    is_whole: bool = True

    @property
    def map(self) -> RepoMap:
        return self.mapped.map


@dataclass(slots=True)
class _Open:
    """A conversation of this process. `known`: ids of its records. `end`: how far its file was read. `unwritten`:
    records that are not in the file yet."""

    chat: Chat
    known: set[str] = field(default_factory=set)
    end: int = 0
    unwritten: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> bool:
        if record.id in self.known:
            return False
        self.known.add(record.id)
        self.chat = grown(self.chat, record)
        return True


class Sessions:
    """Conversations by id. The empty id is the one in progress, a new one with every start of the server."""

    def __init__(
        self,
        store: Store | None = None,
        keeps: Callable[[], bool] = lambda: True,
        now: Callable[[], float] = time.time,
        suffix: Callable[[], str] = lambda: secrets.token_hex(4),
    ) -> None:
        """`store`: where they are kept while `keeps()`. `suffix`: random characters, so that two servers never
        give the same id."""
        self._store = store
        self._keeps = keeps
        self._now = now
        self._suffix = suffix
        self._open: dict[str, _Open] = {}
        self._maps: dict[str, Frozen] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._problems: list[str] = []
        self._current = self.fresh()

    # --- which conversation

    def fresh(self) -> str:
        """The id of a conversation that does not exist yet."""
        day = time.strftime("%Y%m%d-%H%M%S", time.localtime(self._now()))
        return f"{day}-{self._suffix()}"

    def key(self, session: str) -> str:
        """The id of `session`, which may be empty for the one in progress."""
        return session or self._current

    def go_on(self, session: str) -> None:
        """Requests that name no conversation belong to `session` from now on; empty: to a new one."""
        self._current = session or self.fresh()

    # --- what was said

    async def opened(self, session: str) -> Chat:
        """The conversation as it is now, with what other servers added to it."""
        key = self.key(session)
        if self._store is not None:
            await self._refreshed(key, self._store)
        return self._of(key).chat

    def chat(self, session: str) -> Chat:
        """The conversation as far as this process knows it."""
        return self._of(self.key(session)).chat

    def exchanges(self, session: str) -> tuple[Exchange, ...]:
        return self.chat(session).exchanges

    def add(self, session: str, exchange: Exchange) -> None:
        """A turn ended well."""
        key = self.key(session)
        self._grow(key, exchange)
        self._write(key)

    def tell(self, session: str, fact: Fact | str) -> None:
        """Something the next request has to tell: what became of an edit, or any line."""
        key = self.key(session)
        self._grow(key, Fact(fact) if isinstance(fact, str) else fact)
        self._write(key)

    def summarise(self, session: str, summary: Summary) -> None:
        """`summary` stands for the older part from now on, if that was not deleted meanwhile."""
        key = self.key(session)
        if any(exchange.id == summary.through for exchange in self.exchanges(key)):
            self._grow(key, summary)
            self._write(key)

    async def asked_in(self, proposal: str) -> str | None:
        """The conversation that made `proposal`, of whatever process."""
        for key, one in self._open.items():
            if any(exchange.proposal == proposal for exchange in one.chat.exchanges):
                return key
        if self._store is None:
            return None
        return await self._run(self._store.holding, proposal)

    # --- files in the chat

    def files(self, session: str) -> Files:
        """The files in the chat."""
        return self.chat(session).files

    def set_files(
        self, session: str, editable: Sequence[str] = (), read_only: Sequence[str] = ()
    ) -> None:
        """These files are in the chat from now on."""
        key = self.key(session)
        self._grow(key, Files(tuple(editable), tuple(read_only)))
        self._write(key)

    # --- all of them

    async def listed(self) -> tuple[Listed, ...]:
        """Every conversation with a turn in it, the last used first."""
        here = {key: one for key, one in self._open.items() if one.chat.exchanges}
        kept = await self._run(self._store.listed) if self._store is not None else ()
        names = {one.session for one in kept}
        fresh = [
            Listed(
                key,
                one.chat.exchanges[0],
                len(one.chat.exchanges),
                one.chat.opened.at,
                one.chat.exchanges[-1].at,
            )
            for key, one in here.items()
            if key not in names
        ]
        return tuple(sorted((*kept, *fresh), key=lambda one: (-one.updated, one.session)))

    async def fork(self, session: str, turn: int | None = None) -> str:
        """A new conversation that begins as `session` did, up to its turn number `turn` (all of it if None); its
        id."""
        chat = await self.opened(session)
        many = len(chat.exchanges)
        at = many if turn is None else max(0, min(turn, many))
        key = self.fresh()
        opened = Opened(key, self._now(), self.key(session), at, id=self._suffix())
        one = self._open[key] = _Open(Chat(opened))
        for record in forked(chat, opened)[1:]:
            one.add(record)
            one.unwritten.append(record)
        self._write(key)
        return key

    async def delete(self, session: str) -> bool:
        """Forget a conversation, here and on disk; False if there is none."""
        key = self.key(session)
        was_here = bool(self._open.pop(key, None))
        self.thaw(key)
        if key == self._current:
            self.go_on("")
        was_kept = self._store is not None and await self._run(self._store.delete, key)
        return was_kept or was_here

    async def prune(self, days: float) -> None:
        """Forget the conversations not used for so many days."""
        if self._store is not None:
            await self._run(self._store.prune, self._now() - days * 86_400)

    async def flush(self) -> None:
        """What was said so far is on disk, or why not among the problems."""
        if self._thread is not None:
            await self._run(lambda: None)
            # A failure comes back through the loop.
            await asyncio.sleep(0)

    def take_problems(self) -> tuple[str, ...]:
        """What went wrong with the disk since the last call, in words for the user."""
        found, self._problems = tuple(self._problems), []
        return found

    # --- the map

    def frozen(self, session: str) -> Frozen | None:
        """The map of `session`, if it was shown one."""
        return self._maps.get(self.key(session))

    def freeze(self, session: str, frozen: Frozen) -> None:
        """Show `frozen` from now on."""
        self._maps[self.key(session)] = frozen

    def thaw(self, session: str) -> None:
        """Make a new map with the next request."""
        self._maps.pop(self.key(session), None)

    # --- inside

    def _of(self, key: str) -> _Open:
        one = self._open.get(key)
        if one is None:
            opened = Opened(key, self._now(), id=self._suffix())
            one = self._open[key] = _Open(Chat(opened))
        return one

    def _grow(self, key: str, record: Record) -> None:
        one = self._of(key)
        made = replace(record, id=record.id or self._suffix(), at=record.at or self._now())
        one.add(made)
        one.unwritten.append(made)

    def _write(self, key: str) -> None:
        """Begin to put what is unwritten to disk. Not waited for: a cancel could come in between."""
        one = self._of(key)
        if self._store is None or not self._keeps() or not one.unwritten:
            return
        batch, one.unwritten = one.unwritten, []
        written = self._threads().submit(self._store.append, one.chat.opened, batch)
        loop = asyncio.get_running_loop()

        def settled(done: Future[None]) -> None:
            if (error := done.exception()) is not None:
                loop.call_soon_threadsafe(self._unwritten, key, batch, error)

        written.add_done_callback(settled)

    def _unwritten(self, key: str, batch: list[Record], error: BaseException) -> None:
        one = self._of(key)
        one.unwritten = [*batch, *one.unwritten]
        self._problem(
            f"This conversation could not be stored ({error}); it is tried again with the next turn."
        )

    async def _refreshed(self, key: str, store: Store) -> None:
        """Take what stands in the file and is not known yet."""
        one = self._of(key)
        try:
            read = await self._run(store.read, key, one.end)
            if one.end and (read.opened is None or read.opened.id != one.chat.opened.id):
                # Another server deleted it, and may have begun it anew.
                one = self._open[key] = _Open(Chat(Opened(key, self._now(), id=self._suffix())))
                self.thaw(key)
                read = await self._run(store.read, key, 0)
        except (OSError, ValueError) as error:
            self._problem(f"The conversation {key} cannot be read: {error}. It begins anew.")
            return
        self._take(one, read)

    def _take(self, one: _Open, read: Read) -> None:
        if read.opened is not None and one.end == 0:
            one.chat = replace(one.chat, opened=read.opened)
        one.end = read.end
        for record in read.records:
            one.add(record)
        if read.damaged:
            lines = "1 line is" if read.damaged == 1 else f"{read.damaged} lines are"
            self._problem(
                f"{lines} damaged in the conversation {one.chat.opened.session} and left out."
            )

    def _problem(self, text: str) -> None:
        if text not in self._problems:
            self._problems.append(text)

    async def _run(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await asyncio.wrap_future(self._threads().submit(work, *args, **kwargs))

    def _threads(self) -> ThreadPoolExecutor:
        # One thread keeps the order of writes, and reads behind them.
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "pairwright-sessions")
        return self._thread
