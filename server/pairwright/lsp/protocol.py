"""JSON-RPC on top of pygls: the life of a connection and the envelope of every message.

pygls supplies the typed messages, the converter and the book-keeping of requests to the client.
What it does with incoming messages is replaced: messages stay raw until their method is known, so
that a bad parameter costs its own request and nothing else, and pygls' document store, which
splits lines by `str.splitlines` and drops the old text, is never reached. Knows no feature: those
are in `routes`.
"""

from __future__ import annotations

import json
import logging
import threading
from enum import Enum, auto
from inspect import isclass
from typing import Any, Protocol, cast

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter

from pairwright.lsp.errors import InvalidParams
from pairwright.lsp.transport import BROKEN

log = logging.getLogger(__name__)

MsgId = int | str

# One message may carry thousands of entries: its handler reads them as they came.
_RAW = frozenset({types.WORKSPACE_DID_CHANGE_WATCHED_FILES})


class Phase(Enum):
    """Where the connection is in its life."""

    NEW = auto()
    RUNNING = auto()
    DOWN = auto()


class Owner(Protocol):
    """What the protocol hands messages to; `Server` is the one implementation."""

    def on_initialize(self, params: dict[str, Any]) -> types.InitializeResult: ...

    def on_request(self, msg_id: MsgId, method: str, params: object) -> None: ...

    def on_notification(self, method: str, params: object) -> None: ...

    def on_shutdown(self) -> None: ...

    def on_exit(self, code: int) -> None: ...


class WireProtocol(LanguageServerProtocol):
    """One connection. Everything here runs on the loop's thread."""

    def __init__(self, server: Any, converter: cattrs.Converter) -> None:
        super().__init__(server, converter)
        self.phase = Phase.NEW
        self._owner = cast(Owner, server)
        self._thread = threading.get_ident()

    def bind_thread(self) -> None:
        """Name the calling thread the loop's: only it may send."""
        self._thread = threading.get_ident()

    @property
    def backlog(self) -> int:
        """Bytes sent that the client has not taken yet."""
        return int(cast(Any, self.writer).backlog) if self.writer is not None else 0

    # --- incoming

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Nothing is structured before its method is known."""
        return data

    def handle_message(self, message: Any) -> None:
        """The one door for messages: decoded JSON, or BROKEN."""
        if message is BROKEN:
            self.send_error(None, types.ErrorCodes.ParseError, "The message is no JSON.")
        elif isinstance(message, list):
            for item in message:
                self.handle_message(item)
        elif not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._invalid(message)
        elif isinstance(message.get("method"), str):
            if "id" not in message:
                self._notified(message["method"], message.get("params"))
            elif _is_id(message["id"]):
                self._asked(message["id"], message["method"], message.get("params"))
            else:
                self._invalid(message)
        elif "id" in message:
            self._answered(message)

    def _invalid(self, message: object) -> None:
        found = message.get("id") if isinstance(message, dict) else None
        log.warning("a message that is no JSON-RPC 2.0 was refused")
        self.send_error(
            found if _is_id(found) else None,
            types.ErrorCodes.InvalidRequest,
            "The message is no JSON-RPC 2.0 request.",
        )

    def _asked(self, msg_id: MsgId, method: str, params: object) -> None:
        if method == types.INITIALIZE and self.phase is Phase.NEW:
            self._initialize(msg_id, params)
        elif self.phase is Phase.NEW:
            self.send_error(
                msg_id,
                types.ErrorCodes.ServerNotInitialized,
                f"{method} came before initialize.",
            )
        elif self.phase is Phase.DOWN or method == types.INITIALIZE:
            why = "after shutdown" if self.phase is Phase.DOWN else "a second time"
            self.send_error(msg_id, types.ErrorCodes.InvalidRequest, f"{method} came {why}.")
        elif method == types.SHUTDOWN:
            self.phase = Phase.DOWN
            self._owner.on_shutdown()
            self.send_result(msg_id, None)
        else:
            self._owner.on_request(msg_id, method, params)

    def _initialize(self, msg_id: MsgId, params: object) -> None:
        if not isinstance(params, dict):
            message = "initialize needs an object of parameters."
            self.send_error(msg_id, types.ErrorCodes.InvalidParams, message)
            return
        result = self._owner.on_initialize(params)
        self.phase = Phase.RUNNING
        self.send_result(msg_id, result)

    def _notified(self, method: str, params: object) -> None:
        if method == types.EXIT:
            self._owner.on_exit(0 if self.phase is Phase.DOWN else 1)
        elif self.phase is Phase.RUNNING:
            self._owner.on_notification(method, params)

    def _answered(self, message: dict[str, Any]) -> None:
        msg_id = message["id"]
        if not isinstance(msg_id, str):
            log.debug("a response to %r, which was never asked", msg_id)
            return
        result_type = self._result_types.pop(msg_id, None)
        if "error" in message:
            self._handle_response(msg_id, error=_error(message["error"]))
            return
        result = message.get("result")
        if result_type is not None:
            try:
                result = _structure(self._converter, message, result_type).result
            except (cattrs.BaseValidationError, TypeError, ValueError, KeyError) as error:
                why = f"malformed answer: {error}"
                self._handle_response(msg_id, error=types.ResponseError(-32603, why))
                return
        self._handle_response(msg_id, result)

    def _handle_response(
        self,
        msg_id: MsgId,
        result: Any | None = None,
        error: types.ResponseError | None = None,
    ) -> None:
        """Settle the request that waits; a late answer to one given up is no event."""
        future = self._request_futures.pop(msg_id, None)
        if future is None or future.done():
            log.debug("a late or unknown response to %r", msg_id)
        elif error is not None:
            future.set_exception(JsonRpcException.from_error(error))
        else:
            future.set_result(result)

    def structure(self, method: str, params: object) -> Any:
        """`params` as the type LSP gives `method`; raw for methods of our own. Raises
        InvalidParams."""
        found = types.METHOD_TO_TYPES.get(method)
        kind = found[2] if found else None
        if kind is None or method in _RAW:
            return params
        if not isinstance(params, dict):
            raise InvalidParams(f"{method} needs an object of parameters")
        try:
            return _structure(self._converter, params, kind)
        except (cattrs.BaseValidationError, TypeError, ValueError, KeyError) as error:
            why = "; ".join(cattrs.transform_error(error, path="params"))
            raise InvalidParams(f"{method}: {why}"[:500]) from error

    # --- outgoing

    def send_result(self, msg_id: MsgId, result: object) -> None:
        """Answer a request."""
        body = self._converter.unstructure(result)
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": body})

    def send_error(self, msg_id: MsgId | None, code: int, message: str) -> None:
        """Answer a request with an error; `msg_id` None where the message had no readable id."""
        error = {"code": int(code), "message": message}
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": error})

    def give_up(self, msg_id: MsgId) -> None:
        """Forget a request to the client and tell it so."""
        self._result_types.pop(msg_id, None)
        if self._request_futures.pop(msg_id, None) is not None:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(id=msg_id))

    def _send_data(self, data: Any) -> None:
        """Frame and write one message. Bodies are never logged: they hold prompts and sources."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("a message was sent from outside the loop's thread")
        if self.writer is None:
            return
        # ASCII escapes keep lone surrogates, which a client may send and must get back.
        body = json.dumps(data, default=self._serialize_message).encode("ascii")
        cast(Any, self.writer).write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def lenient_converter() -> cattrs.Converter:
    """pygls' converter that keeps a value outside an enumeration as it came: a newer client must
    not be refused for a value that the server would ignore anyway."""
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.register_structure_hook_func(
        lambda kind: isclass(kind) and issubclass(kind, Enum), _enum_or_raw
    )
    return converter


def _structure(converter: cattrs.Converter, raw: Any, kind: Any) -> Any:
    return converter.structure(raw, kind)


def _enum_or_raw(value: Any, kind: Any) -> Any:
    try:
        return kind(value)
    except ValueError:
        if isinstance(value, (str, int)):
            return value
        raise


def _is_id(value: object) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def _error(raw: object) -> types.ResponseError:
    found = raw if isinstance(raw, dict) else {}
    code = found.get("code")
    return types.ResponseError(
        code if isinstance(code, int) else -32603, str(found.get("message") or "no reason given")
    )
