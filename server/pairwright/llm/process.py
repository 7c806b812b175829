"""A process of our own that speaks frames, seen from the server: started at first need, started
again after a crash, ended with the server. Never blocks the loop. Knows nothing of what the frames
ask for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import IO, Any

import pairwright
from pairwright.llm import wire
from pairwright.llm.types import ModelError
from pairwright.llm.wire import Frame

_log = logging.getLogger(__name__)
_ROOT = str(Path(pairwright.__file__).parent.parent)
# -P keeps the working directory off the import path: it is the user's, and may hold a `json.py`.
_BOOT = "import sys; sys.path.append(sys.argv[1]); from {module} import main; main()"
CANCEL_GRACE = 2.0
RETIREMENT = 2.0
_TERMINAL = ("end", "error", "cancelled")


class Child:
    """One such process. `module` has the `main` it runs. `env`: its whole environment. `log`: a
    file for its stderr; None = the server's own stderr."""

    def __init__(self, module: str, env: Mapping[str, str], log: Path | None = None) -> None:
        self._module = module
        self._env = dict(env)
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None
        self._guards: set[asyncio.Task[Any]] = set()
        self._waiting: dict[int, asyncio.Queue[Frame]] = {}
        self._next = 0
        self._crashes = 0
        self._doomed: asyncio.subprocess.Process | None = None
        self._is_retired = False
        self._resting: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        """The running process; None when there is none."""
        alive = self._process is not None and self._process.returncode is None
        return self._process.pid if alive and self._process else None

    async def call(self, op: str, **fields: Any) -> Any:
        """The `value` of the one answer to `op`; None if it has none. Raises ModelError."""
        value = None
        async with contextlib.aclosing(self.stream(op, **fields)) as frames:
            async for frame in frames:
                value = frame.get("value")
        return value

    async def stream(self, op: str, **fields: Any) -> AsyncGenerator[Frame, None]:
        """The frames that answer `op`, without the last one. Closing the iterator cancels the work
        at once; a process that does not confirm it in CANCEL_GRACE seconds is killed. Raises
        ModelError."""
        process = await self._started()
        # It may have ended, and everyone been told so, before this waiter was woken.
        while process is not self._process:
            process = await self._started()
        self._next += 1
        number = self._next
        answers = self._waiting[number] = asyncio.Queue()
        ended = False
        try:
            self._send(process, {"id": number, "op": op, **fields})
            while True:
                frame = await answers.get()
                if frame["kind"] in _TERMINAL:
                    ended = True
                    self._settle(frame)
                    return
                yield frame
        finally:
            if ended:
                del self._waiting[number]
                self._rest()
            else:
                self._cancel(process, number, answers)

    def retire(self) -> None:
        """Another process takes over: end this one when nobody has waited for it for RETIREMENT seconds, so that
        what goes by several requests is not cut apart."""
        self._is_retired = True
        self._rest()

    def _rest(self) -> None:
        if self._is_retired:
            if self._resting is not None:
                self._resting.cancel()
            self._resting = asyncio.get_running_loop().call_later(RETIREMENT, self._leave)

    def _leave(self) -> None:
        process = self._process
        if not self._waiting and process is not None:
            self._doomed = process
            _kill(process)

    async def close(self) -> None:
        """End the process and wait until it is gone."""
        if self._resting is not None:
            self._resting.cancel()
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            _kill(process)
            await process.wait()
        left = [*self._guards, *([self._reader] if self._reader is not None else [])]
        await asyncio.gather(*left, return_exceptions=True)

    def _settle(self, frame: Frame) -> None:
        if frame["kind"] == "error":
            raise ModelError(
                frame["error"],
                frame["message"],
                retryable=frame["retryable"],
                retry_after=frame.get("retry_after"),
            )
        self._crashes = 0

    def _send(self, process: asyncio.subprocess.Process, frame: Frame) -> None:
        assert process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            process.stdin.write(wire.pack(frame))

    def _cancel(
        self, process: asyncio.subprocess.Process, number: int, answers: asyncio.Queue[Frame]
    ) -> None:
        self._send(process, {"id": number, "op": "cancel"})
        guard = asyncio.ensure_future(self._confirm(process, number, answers))
        self._guards.add(guard)
        guard.add_done_callback(self._guards.discard)

    async def _confirm(
        self, process: asyncio.subprocess.Process, number: int, answers: asyncio.Queue[Frame]
    ) -> None:
        try:
            async with asyncio.timeout(CANCEL_GRACE):
                while (await answers.get())["kind"] not in _TERMINAL:
                    pass
        except TimeoutError:
            _log.warning("%s did not confirm a cancel in %g s; killed", self._module, CANCEL_GRACE)
            self._doomed = process
            _kill(process)
        finally:
            self._waiting.pop(number, None)
            self._rest()

    async def _started(self) -> asyncio.subprocess.Process:
        # Shielded: a caller that is cancelled leaves no half-started process behind.
        start = asyncio.ensure_future(self._start())
        self._guards.add(start)
        start.add_done_callback(self._guards.discard)
        return await asyncio.shield(start)

    async def _start(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return self._process
            with contextlib.ExitStack() as files:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-P",
                    "-c",
                    _BOOT.format(module=self._module),
                    _ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._stderr(files),
                    env=self._env,
                    start_new_session=True,
                )
            self._reader = asyncio.ensure_future(self._read(self._process))
            return self._process

    def _stderr(self, files: contextlib.ExitStack) -> IO[bytes] | None:
        if self._log is None:
            return None
        self._log.parent.mkdir(parents=True, exist_ok=True)
        return files.enter_context(self._log.open("wb"))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while (frame := await wire.read(process.stdout)) is not None:
                answers = self._waiting.get(frame["id"])
                if answers is not None:
                    answers.put_nowait(frame)
        except (wire.Broken, ValueError, KeyError) as error:
            _log.error("%s sent what is no frame: %s", self._module, error)
        _kill(process)
        code = await process.wait()
        self._crashed(process, code)

    def _crashed(self, process: asyncio.subprocess.Process, code: int) -> None:
        """Tell everyone who waits. One crash is tried again, a second one in a row is not."""
        if self._process is process:
            self._process = None
        if not self._waiting:
            return
        self._crashes += process is not self._doomed
        how = f"signal {-code}" if code < 0 else f"status {code}"
        where = f" Its log is {self._log}." if self._log is not None else ""
        frame = {
            "kind": "error",
            "error": "transport",
            "message": f"The model process ended unexpectedly ({how}). It is started again with the next "
            f"request.{where}",
            "retryable": self._crashes < 2,
        }
        for _, answers in sorted(self._waiting.items()):
            answers.put_nowait(frame)


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill without asyncio's help: its `kill` may reap the process under the hands of whoever waits
    for it, and the status is lost."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
