"""What the user is told outside of answers: log lines, messages, the server's status.

Log lines go to stderr, to a file in the data folder and to the client, at the configured level.
Bodies of messages, prompts and keys are never logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from lsprotocol import types

ROOT = logging.getLogger("pairwright")
_LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
Notify = Callable[[str, Any], None]


class ClientHandler(logging.Handler):
    """Log records as `window/logMessage`. Records come from any thread; the loop sends them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, notify: Notify) -> None:
        super().__init__()
        self._loop = loop
        self._notify = notify

    def emit(self, record: logging.LogRecord) -> None:
        kind = _message_type(record.levelno)
        params = types.LogMessageParams(type=kind, message=self.format(record))
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._notify, types.WINDOW_LOG_MESSAGE, params)


def to_client(loop: asyncio.AbstractEventLoop, notify: Notify) -> ClientHandler:
    """Start sending log lines to the client; the caller removes the handler in the end."""
    handler = ClientHandler(loop, notify)
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    ROOT.addHandler(handler)
    return handler


def to_stderr() -> None:
    """Warnings and errors on stderr, which several clients show as errors whatever they say."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter(_FORMAT))
    ROOT.addHandler(handler)
    ROOT.propagate = False


def to_file(path: Path) -> bool:
    """Log lines in `path`, at most 3 MB of them kept; False if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    except OSError:
        return False
    handler.setFormatter(logging.Formatter(_FORMAT))
    ROOT.addHandler(handler)
    return True


def set_level(name: str) -> None:
    """The least level that is logged anywhere; a name of `log.level`."""
    ROOT.setLevel(_LEVELS[name])


def show(notify: Notify, kind: str, text: str) -> None:
    """A pop-up: `kind` is error, warning or info."""
    params = types.ShowMessageParams(type=_message_type(_LEVELS[kind]), message=text)
    notify(types.WINDOW_SHOW_MESSAGE, params)


def _message_type(level: int) -> types.MessageType:
    if level >= logging.ERROR:
        return types.MessageType.Error
    if level >= logging.WARNING:
        return types.MessageType.Warning
    return types.MessageType.Info if level >= logging.INFO else types.MessageType.Log
