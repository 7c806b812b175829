"""The state of one connection: the client, its settings, its folders and documents, what runs.

Handlers reach everything through here. Changed on the loop only; what goes to a thread is an
immutable snapshot. Knows no feature.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pairwright.config.load import Layer, load
from pairwright.config.schema import Settings
from pairwright.lsp import notify as tell
from pairwright.lsp.client import Client, Folder
from pairwright.lsp.collector import Collector
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Guard
from pairwright.lsp.marks import Marks
from pairwright.lsp.progress import Progresses, Report, Token
from pairwright.lsp.protocol import WireProtocol
from pairwright.lsp.schedule import Debounce, OpQueue, Pool

if TYPE_CHECKING:
    from pairwright.llm.models import ConfiguredModels
    from pairwright.lsp.documents import Documents
    from pairwright.lsp.lender import ClientLender
    from pairwright.lsp.names import KnownNames
    from pairwright.lsp.shelf import Shelf
    from pairwright.lsp.views import Views
    from pairwright.lsp.virtual import VirtualDocuments
    from pairwright.lsp.watchers import Watchers
    from pairwright.lsp.workbench import Workbench

log = logging.getLogger(__name__)

MAP_TOKENS = 1024
"""Budget of the map where neither the settings nor a model say otherwise."""

SETTLE = 0.05
"""Seconds after the last keystroke until tags and graph follow by themselves."""

LATER = 0.1
"""Seconds after which work starts that nobody waits for."""

FRESH = 1.0
"""Seconds of quiet after which damaged texts are parsed from scratch."""


class Session:
    """One client. `layers`: settings by source, in order of weight."""

    def __init__(
        self,
        protocol: WireProtocol,
        client: Client,
        folders: tuple[Folder, ...],
        layers: Mapping[str, Layer],
    ) -> None:
        self.client = client
        self.folders = folders
        self.layers = dict(layers)
        self.pool = Pool()
        self.ops = OpQueue()
        self.guard = Guard(protocol, self.pool)
        self.collector = Collector()
        self.progresses = Progresses(self, client.progress)
        self.settings = Settings()
        self.registered: set[str] = set()
        self.advertised: frozenset[str] = frozenset()
        """Methods that depend on settings and stood in the answer to `initialize`."""
        self.trace = "off"
        self.marks = Marks()
        self.watchers: Watchers | None = None
        """Our own watching of the disk; None where the client does it."""
        self.closing: list[Callable[[], None]] = []
        """Called once when the connection ends: children to stop, files to close."""
        self.benches: dict[str, Workbench] = {}
        """The engine's state by real path of the folder, made at the first request that needs
        it."""
        self._models: ConfiguredModels | None = None
        self._protocol = protocol
        self._documents: Documents | None = None
        self._is_closed = False
        self._views: Views | None = None
        self._names: KnownNames | None = None
        self._shelf: Shelf | None = None
        self._virtual: VirtualDocuments | None = None
        self._lender: ClientLender | None = None
        self._settle = Debounce(SETTLE, self._settled)
        self._fresh = Debounce(FRESH, self._refreshed)
        self._health: dict[str, Any] = {}
        self._told: frozenset[str] = frozenset()
        self._waiters: list[asyncio.Future[None]] = []

    # --- life

    def start(self) -> None:
        """Build the hosts; called once the heavy modules are loaded."""
        from pairwright.lsp.documents import Documents
        from pairwright.lsp.hosts import Hosts
        from pairwright.lsp.views import Views

        hosts = Hosts()
        self._views = Views(self.later(asyncio.get_running_loop()))
        self._documents = Documents(
            self.client.encoding, lambda root: hosts.make(root, self.settings.index)
        )
        self._documents.add(self.folders)
        self.closing.append(hosts.close)

    @property
    def documents(self) -> Documents:
        """Folders and open documents."""
        if self._documents is None:
            raise RuntimeError("the session has not started")
        return self._documents

    @property
    def views(self) -> Views:
        """The map as hovers see it."""
        if self._views is None:
            raise RuntimeError("the session has not started")
        return self._views

    @property
    def names(self) -> KnownNames:
        """Every defined name, ready for fuzzy search."""
        if self._names is None:
            from pairwright.lsp.names import KnownNames

            self._names = KnownNames()
        return self._names

    @property
    def shelf(self) -> Shelf:
        """The references at hand."""
        if self._shelf is None:
            from pairwright.lsp.shelf import Shelf

            self._shelf = Shelf(self)
            self.closing.append(self._shelf.close)
        return self._shelf

    @property
    def virtual(self) -> VirtualDocuments:
        """Documents of our scheme that the client shows."""
        if self._virtual is None:
            from pairwright.lsp.routes import DOCUMENTS
            from pairwright.lsp.virtual import VirtualDocuments

            self._virtual = VirtualDocuments(self, DOCUMENTS)
        return self._virtual

    @property
    def models(self) -> ConfiguredModels:
        """The models of the settings; their processes start with the first request."""
        if self._models is None:
            from pairwright.config.load import environment
            from pairwright.llm.models import ConfiguredModels
            from pairwright.lsp.secret import asked
            from pairwright.lsp.vouched import hosts

            env = environment()
            self._models = ConfiguredModels(
                self.settings.model,
                env,
                own=hosts(self.layers.get("set", Layer("--set", {})), env),
                secret=partial(asked, self) if self.client.secrets else None,
                lender=self.lender if self.client.models else None,
            )
        return self._models

    @property
    def lender(self) -> ClientLender:
        """The models of the client, and the answers of theirs that are under way."""
        if self._lender is None:
            from pairwright.lsp.lender import ClientLender

            self._lender = ClientLender(self)
        return self._lender

    async def close(self) -> None:
        """Stop everything; never waits for a model."""
        self._is_closed = True
        self._settle.cancel()
        self._fresh.cancel()
        self.guard.cancel_all()
        for action in self.closing:
            action()
        if self._documents is not None:
            for root in self._documents.hosts():
                root.host.stop()
        self.pool.close()
        await self.ops.close()
        if self._models is not None:
            await self._models.close()

    # --- the wire

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification; `params` is an lsprotocol object or plain JSON."""
        self._protocol.notify(method, params)

    @property
    def backlog(self) -> int:
        """Bytes sent that the client has not taken yet."""
        return self._protocol.backlog

    async def request(self, method: str, params: Any = None, timeout: float | None = None) -> Any:
        """Ask the client and wait. The answer is an lsprotocol object for LSP's own methods, plain
        JSON for others. Raises RequestFailed when the client refuses or `timeout` seconds pass; if
        the caller is cancelled the client is told, and its late answer is ignored."""
        if isinstance(params, Mapping):
            params = self._protocol.structure(method, params)
        msg_id = str(uuid.uuid4())
        future = self._protocol.send_request(method, params, msg_id=msg_id)
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise RequestFailed(f"{method}: the client did not answer in {timeout:g} s") from None
        except JsonRpcException as error:
            raise RequestFailed(f"{method}: {error.message}") from error
        finally:
            self._protocol.give_up(msg_id)

    async def register(
        self, id_: str, method: str, options: object, timeout: float | None = None
    ) -> None:
        """Register a capability with the client. Raises RequestFailed."""
        item = types.Registration(id=id_, method=method, register_options=options)
        params = types.RegistrationParams(registrations=[item])
        await self.request(types.CLIENT_REGISTER_CAPABILITY, params, timeout)
        self.registered.add(id_)

    async def unregister(self, id_: str, method: str) -> None:
        """Take a registration back. Raises RequestFailed."""
        item = types.Unregistration(id=id_, method=method)
        params = types.UnregistrationParams(unregisterations=[item])
        self.registered.discard(id_)
        await self.request(types.CLIENT_UNREGISTER_CAPABILITY, params)

    def structure(self, method: str, params: object) -> Any:
        """`params` as the type LSP gives `method`. Raises InvalidParams."""
        return self._protocol.structure(method, params)

    @property
    def converter(self) -> cattrs.Converter:
        """For parts of messages inside plain JSON, such as a range in a command's argument."""
        return self._protocol._converter

    def show(self, kind: str, text: str) -> None:
        """A pop-up of `kind` error, warning or info. For what the user must know, not for our
        bugs."""
        tell.show(self.notify, kind, text)

    def progress(
        self,
        title: str,
        *,
        token: Token | None = None,
        on_cancel: Callable[[], None] | None = None,
        percent: bool = False,
    ) -> AbstractAsyncContextManager[Report]:
        """See progress.Progresses.run."""
        return self.progresses.run(title, token=token, on_cancel=on_cancel, percent=percent)

    def status(self, health: str, message: str = "", quiescent: bool = True) -> None:
        """Tell a client that has our protocol how we are; `health` is ok, warning or error."""
        value = {"health": health, "quiescent": quiescent, "message": message}
        if self._health != value:
            self._health = value
            if self.client.protocol:
                self.notify("pairwright/status", value)

    @property
    def health(self) -> Mapping[str, Any]:
        """The last status: health, quiescent, message."""
        return self._health or {"health": "ok", "quiescent": True, "message": ""}

    # --- settings

    def apply_settings(self, refused: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Merge the layers anew; bad values, and what was `refused` beside them, are told once each. The sections
        that changed, sorted."""
        before = self.settings
        loaded = load(tuple(self.layers.values()), before)
        self.settings = loaded.settings
        if self._models is not None:
            self._models.configure(self.settings.model)
        tell.set_level(self.settings.log.level)
        for line in loaded.unknown:
            log.warning("%s", line)
        problems = (*loaded.problems, *refused)
        fresh = [line for line in problems if line not in self._told]
        self._told = frozenset(problems)
        if fresh:
            self.show("warning", "Pairwright settings: " + " ".join(fresh))
        names = sorted(type(before).__dataclass_fields__)
        return tuple(
            name for name in names if getattr(before, name) != getattr(self.settings, name)
        )

    @property
    def map_budget(self) -> int:
        """Tokens of the map where a request names none."""
        tokens = self.settings.map.tokens
        return MAP_TOKENS if tokens is None else tokens

    # --- pauses

    def touched(self) -> None:
        """A text changed: tags and graph follow when typing pauses."""
        self._settle.touch()
        self._fresh.touch()
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def next_change(self, timeout: float) -> bool:
        """Wait for the next change of any text; False when none came within `timeout` seconds."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter
        except TimeoutError:
            return False
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
        return True

    def later(self, loop: asyncio.AbstractEventLoop) -> Callable[[Callable[[], None]], None]:
        """Starts a job in a thread a little later, from any thread: what was asked meanwhile is
        answered first, since both would share the interpreter."""

        def start(job: Callable[[], None]) -> None:
            if not self._is_closed:
                self.pool.submit(job)

        def soon(job: Callable[[], None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(loop.call_later, LATER, start, job)

        return soon

    def renew_lenses(self) -> None:
        """What waits for a choice has changed: the client asks for its lenses again, and draws it anew."""
        if self.client.protocol:
            self.notify("pairwright/proposals/changed", {})
        if self.client.lens_refresh and self.settings.apply.lenses and self.client.commands:
            self.guard.spawn(self._renew_lenses())

    async def _renew_lenses(self) -> None:
        with suppress(RequestFailed):
            await self.request(types.WORKSPACE_CODE_LENS_REFRESH, None, timeout=10.0)

    def refresh(self) -> None:
        """Parse damaged texts from scratch now; called on save."""
        self._fresh.cancel()
        self._refreshed()

    def _settled(self) -> None:
        for root in self.documents.hosts():
            root.host.settle()

    def _refreshed(self) -> None:
        for root in self.documents.hosts():
            root.host.settle_fresh()
        self.rest()

    def rest(self) -> None:
        """Nothing is typed just now: a good moment for what would hold the interpreter."""
        self.pool.submit(self.collector.rest)
