"""Commands of the user's (lint, tests, what a reply suggests): run within bounds, with nothing left behind.

A command gets a process group of its own and the environment without credentials. What it prints is kept up to a cap,
its beginning and its end. Knows nothing of what a command means, nor whether it may run.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CAP = 64 * 1024
"""Bytes of output that are kept unless the caller says otherwise."""

_GRACE = 1.0
"""Seconds between the request to end and the end."""
_LINGER = 0.3
"""Seconds that the rest of the output may take after the end: a child that left the group may hold the pipe."""
_CHUNK = 64 * 1024

_CREDENTIAL = re.compile(
    r"(?:^|_)(?:API_?KEYS?|ACCESS_KEY(?:_ID)?|SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PRIVATE_KEY|"
    r"AUTH|CREDENTIALS?)(?:_|$)|_KEYS?$",
    re.IGNORECASE,
)
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command. `code`: its exit status, negative for a signal; None if it could not be started, and
    `output` then says why. `output`: both streams as they came, without colours. `timed_out`: it was ended. `cut`:
    the middle of the output is missing."""

    code: int | None
    output: str
    timed_out: bool = False
    cut: bool = False


def without_credentials(environment: Mapping[str, str], keep: Sequence[str] = ()) -> dict[str, str]:
    """`environment` without the variables whose names say that they hold a key, but for those named in `keep`."""
    return {
        name: value
        for name, value in environment.items()
        if name in keep or _CREDENTIAL.search(name) is None
    }


class Commands:
    """Runs commands in the environment it is given, stripped of credentials. Implements engine.ports.Runner."""

    def __init__(self, environment: Mapping[str, str], keep: Sequence[str] = ()) -> None:
        stripped = without_credentials(environment, keep)
        stripped.pop("FORCE_COLOR", None)
        self._environment = {**stripped, **_PLAIN}

    async def run(
        self,
        command: Sequence[str],
        cwd: str,
        timeout: float,
        cap: int = CAP,
        stdin: bytes = b"",
    ) -> Ran:
        """Run `command` in the folder `cwd` to its end, at most `timeout` seconds. However it ends, and when the
        caller is cancelled, nothing of its process group goes on. Never raises for what a command does."""
        if not command:
            return Ran(None, "the command is empty")
        loop = asyncio.get_running_loop()
        kept = _Kept(cap)
        source, sink = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=cwd,
                env=self._environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            os.close(source)
            return Ran(None, f"{command[0]}: {_reason(error)}")
        finally:
            os.close(sink)
        reader = asyncio.StreamReader()
        pipe = os.fdopen(source, "rb", 0)
        transport: asyncio.ReadTransport | None = None
        try:
            transport, _ = await loop.connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), pipe
            )
        finally:
            if transport is None:
                pipe.close()
                await _ended(process)
        draining = asyncio.ensure_future(_drained(reader, kept))
        timed_out = False
        try:
            async with asyncio.timeout(timeout):
                await _fed(process, stdin)
                await process.wait()
        except TimeoutError:
            timed_out = True
        finally:
            await _ended(process)
            # What was written before the end is in the pipe.
            await asyncio.wait({draining}, timeout=_LINGER)
            draining.cancel()
            transport.close()
        return Ran(process.returncode, kept.text(), timed_out, kept.is_cut)


class _Kept:
    """The beginning and the end of what was printed, within `cap` bytes."""

    def __init__(self, cap: int) -> None:
        self._head, self._tail = bytearray(), bytearray()
        self._first, self._last = cap // 4, cap - cap // 4
        self._lost = 0

    @property
    def is_cut(self) -> bool:
        return self._lost > 0

    def add(self, data: bytes) -> None:
        room = self._first - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if (over := len(self._tail) - self._last) > 0:
            del self._tail[:over]
            self._lost += over

    def text(self) -> str:
        middle = f"\n... {self._lost:,} bytes left out ...\n".encode() if self._lost else b""
        text = bytes(self._head + middle + self._tail).decode("utf-8", "replace")
        return _ESCAPES.sub("", text).replace("\r\n", "\n")


async def _drained(reader: asyncio.StreamReader, kept: _Kept) -> None:
    while data := await reader.read(_CHUNK):
        kept.add(data)


async def _fed(process: asyncio.subprocess.Process, data: bytes) -> None:
    """Write the input; a command that does not read it is none the worse."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(data)
        await process.stdin.drain()
    process.stdin.close()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End the whole group: politely if the command itself still runs, then for sure."""
    try:
        if process.returncode is None:
            _signal(process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(process.wait()), _GRACE)
    finally:
        _signal(process.pid, signal.SIGKILL)
    await process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
