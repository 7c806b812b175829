"""The composition root of one server: protocol, session, routes and the wire, put together.

`initialize` is answered before anything heavy is imported. The rest (numpy, scipy, grammars) loads
in a thread right behind the answer; messages that arrive meanwhile wait in order.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import pairwright
from pairwright.config.load import Layer, load, section
from pairwright.lsp import notify as tell
from pairwright.lsp import transport
from pairwright.lsp.capabilities import initialize_result, switched_on
from pairwright.lsp.client import PROTOCOL, Client, folders
from pairwright.lsp.guard import Call
from pairwright.lsp.protocol import MsgId, WireProtocol, lenient_converter
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)

_GRACE = 2.0
_PARENT_CHECK = 2.0
_TRACED = ("messages", "verbose")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line decided. `settings`: values of `--set` by dotted key."""

    settings: Mapping[str, Any]
    problems: tuple[str, ...] = ()


class Server(LanguageServer):
    """One connection from its first byte to the exit code."""

    def __init__(self, options: Options) -> None:
        super().__init__(
            "pairwright",
            pairwright.__version__,
            protocol_cls=WireProtocol,
            converter_factory=lenient_converter,
        )
        self._options = options
        self._session: Session | None = None
        self._waiting: list[Callable[[], None]] | None = []
        self._handler: tell.ClientHandler | None = None
        self._ended = asyncio.Event()
        self._code = 1

    @property
    def wire(self) -> WireProtocol:
        """The protocol with its own type."""
        assert isinstance(self.protocol, WireProtocol)
        return self.protocol

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Failures are logged and never pop up."""
        log.error("%s", error)

    # --- running

    async def run_stdio(self, reader: int, writer: int) -> int:
        """Serve the client at two file descriptors; the exit code."""
        loop = asyncio.get_running_loop()
        out = transport.PipeWriter(writer)
        self._open(out)

        def ended() -> None:
            transport.exit_within(2 * _GRACE, 1)
            loop.call_soon_threadsafe(self._ended.set)

        transport.read_pipe(reader, loop, self._received, ended)
        return await self._serve(out.close)

    async def run_tcp(self, host: str, port: int, listening: Callable[[int], None]) -> int:
        """Serve the first client that connects; `listening` is told the port."""
        connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        connected = asyncio.get_running_loop().create_future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if connected.done():
                writer.close()
            else:
                connected.set_result((reader, writer))

        server = await asyncio.start_server(accept, host, port)
        listening(server.sockets[0].getsockname()[1])
        reader, writer = await connected
        server.close()
        out = transport.StreamWriter(writer)
        self._open(out)

        async def read() -> None:
            with suppress(OSError):
                await transport.read_stream(reader, self._received)
            self._ended.set()

        reading = asyncio.create_task(read())
        try:
            return await self._serve(out.close)
        finally:
            reading.cancel()

    def _open(self, writer: Any) -> None:
        self.wire.bind_thread()
        self.wire.set_writer(writer)

    async def _serve(self, close: Callable[[], None]) -> int:
        await self._ended.wait()
        if self._handler is not None:
            tell.ROOT.removeHandler(self._handler)
        if self._session is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await self._session.close()
        close()
        return self._code

    def _received(self, message: Any) -> None:
        if self._session is not None and self._session.trace in _TRACED:
            self._trace(message)
        self.wire.handle_message(message)

    def _trace(self, message: Any) -> None:
        method = message.get("method", "a response") if isinstance(message, dict) else "a batch"
        self.wire.notify(types.LOG_TRACE, types.LogTraceParams(message=f"received {method}"))

    # --- what the protocol calls

    def on_initialize(self, params: dict[str, Any]) -> types.InitializeResult:
        """Know the client, answer, and start loading the rest."""
        client = Client.of(params)
        layers = {
            "init": Layer("initializationOptions", section(params.get("initializationOptions"))),
            "client": Layer("client", {}),
            "set": Layer("--set", self._options.settings),
        }
        self._session = Session(self.wire, client, folders(params), layers)
        trace = params.get("trace")
        self._session.trace = trace if isinstance(trace, str) else "off"
        loop = asyncio.get_running_loop()
        self._handler = tell.to_client(loop, self.wire.notify)
        # Behind the answer, so that the imports do not compete with it for the interpreter.
        loop.call_later(0.005, self._load)
        if client.process_id is not None and sys.platform != "win32":
            loop.call_later(_PARENT_CHECK, self._check_parent, client.process_id)
        symbols = load(tuple(layers.values())).settings.symbols
        self._session.advertised = frozenset(switched_on(symbols))
        return initialize_result(client, symbols)

    def on_request(self, msg_id: MsgId, method: str, params: object) -> None:
        """Route a request, once the routes are loaded."""
        self._when_loaded(lambda: self._request(msg_id, method, params))

    def on_notification(self, method: str, params: object) -> None:
        """Route a notification, once the routes are loaded."""
        self._when_loaded(lambda: self._notification(method, params))

    def on_shutdown(self) -> None:
        """Nothing is waited for: what runs is answered as cancelled."""
        for action in self._waiting or ():
            action()
        self._waiting = None
        if self._session is not None:
            self._session.guard.cancel_all()

    def on_exit(self, code: int) -> None:
        """The client is done."""
        self._code = code
        transport.exit_within(2 * _GRACE, code)
        self._ended.set()

    # --- routing

    def _request(self, msg_id: MsgId, method: str, params: object) -> None:
        from pairwright.lsp import routes

        session = self._running()
        if method == types.WORKSPACE_EXECUTE_COMMAND:
            self._command(msg_id, params)
        elif (route := routes.METHODS.get(method)) is not None:
            call = Call(session, msg_id, _token(params))
            session.guard.request(route, call, lambda: self.wire.structure(method, params))
        else:
            code = types.ErrorCodes.MethodNotFound
            self.wire.send_error(msg_id, code, f"{method} is not served here.")

    def _command(self, msg_id: MsgId, params: object) -> None:
        from pairwright.lsp import routes
        from pairwright.lsp.errors import InvalidParams, UnknownCommand

        session = self._running()
        method = types.WORKSPACE_EXECUTE_COMMAND
        try:
            route, args = routes.command(self.wire.structure(method, params))
        except (InvalidParams, UnknownCommand) as error:
            self.wire.send_error(msg_id, types.ErrorCodes.InvalidParams, str(error))
            return
        token = _token(params) if _token(params) is not None else _token(args)
        session.guard.request(route, Call(session, msg_id, token), lambda: args)

    def _notification(self, method: str, params: object) -> None:
        from pairwright.lsp import routes

        session = self._running()
        if method == types.CANCEL_REQUEST:
            if isinstance(params, dict) and isinstance(params.get("id"), (int, str)):
                session.guard.cancel(params["id"])
        elif (route := routes.METHODS.get(method)) is not None:
            call = Call(session)
            session.guard.notification(route, call, lambda: self.wire.structure(method, params))
        elif not method.startswith("$/"):
            log.debug("notification %s is not served here", method)

    def _running(self) -> Session:
        assert self._session is not None, "no message is routed before initialize"
        return self._session

    # --- loading

    def _load(self) -> None:
        self._running().guard.spawn(self._load_routes())

    async def _load_routes(self) -> None:
        session = self._running()
        try:
            await session.pool.run(_import_all)
            session.apply_settings()
            for problem in self._options.problems:
                session.show("warning", problem)
            self._check_versions(session)
            session.start()
        finally:
            session.collector.start()
            waiting, self._waiting = self._waiting or [], None
            for action in waiting:
                action()

    def _when_loaded(self, action: Callable[[], None]) -> None:
        if self._waiting is None:
            action()
        else:
            self._waiting.append(action)

    def _check_versions(self, session: Session) -> None:
        """Say which side to update when the custom protocols do not meet."""
        theirs = session.client.protocol
        if theirs > PROTOCOL:
            text = f"The extension speaks protocol {theirs}, this server {PROTOCOL}: "
            session.show("warning", text + "update the `pairwright` Python package.")
        elif 0 < theirs < PROTOCOL - 1:
            text = f"The extension speaks protocol {theirs}, this server {PROTOCOL}: "
            session.show("warning", text + "update the editor extension.")

    def _check_parent(self, process_id: int) -> None:
        try:
            os.kill(process_id, 0)
        except ProcessLookupError:
            log.info("the client's process %d is gone", process_id)
            self._ended.set()
            return
        except (PermissionError, OverflowError, OSError):
            pass
        loop = asyncio.get_running_loop()
        loop.call_later(_PARENT_CHECK, self._check_parent, process_id)


def _import_all() -> None:
    for name in ("pairwright.lsp.routes", "pairwright.lsp.hosts"):
        importlib.import_module(name)


def _token(params: object) -> MsgId | None:
    found = params.get("workDoneToken") if isinstance(params, Mapping) else None
    return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None
