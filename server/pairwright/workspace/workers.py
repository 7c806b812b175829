"""Scan workers as seen from the server: start, ask, notice death or silence, stop.

A worker that crashes or hangs on a file costs that file only: the batch is asked again file by
file. Blocking; lives in pool threads."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from pairwright.config.environment import environment
from pairwright.tags.files import STUCK, is_isolated
from pairwright.tags.flaws import Flaw
from pairwright.tags.languages import language_of
from pairwright.workspace.derive import Derived, derive, look
from pairwright.workspace.worker import FLAWS, HEADER, SCAN, TEXT, named, receive, send

_log = logging.getLogger(__name__)

KILLED = "lost its scan worker: it is read again at the next scan"
_FORCED = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
_SILENCE_SECONDS = 60.0
_STANDBY_SECONDS = 30.0
# An end of its output is seen a moment before the end of the child itself.
_LAST_SECONDS = 0.2
_BATCH_BYTES = 512 * 1024
_BATCH_FILES = 100
_BLANK_MEMORY = "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0"
# sys.path is given over as it is, so that a worker finds the package however the server found it.
_MAIN = "import sys; sys.path[:] = {path!r}; from pairwright.workspace.worker import main; main()"


class WorkerDied(Exception):
    """The worker ended, was killed, or said nothing for too long. `is_forced`: somebody ended it, which
    says nothing about the job. `is_late`: the job took too long."""

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(_ended(code) or reason)
        self.is_forced = code in _FORCED
        self.is_late = code is None or code == -signal.SIGPROF


class Worker:
    """One child process, started at the first job. `is_blank`: its fresh memory is all zeros, which makes it a
    fifth slower; texts in isolated languages need it."""

    def __init__(self, is_blank: bool = False) -> None:
        self._is_blank = is_blank
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def ask(self, job: Sequence[Any]) -> Any:
        """The answer to `job`. Raises WorkerDied; the next job starts a new child."""
        child = self._child or self._start()
        assert child.stdin is not None
        try:
            send(child.stdin, job)
            before = _effort(child.pid)[1]
            (size,) = HEADER.unpack(self._read(child, HEADER.size, before))
            return receive(self._read(child, size, before))
        except (OSError, ValueError) as error:
            code = _code(child)
            self.stop()
            raise WorkerDied(str(error), code) from error

    @property
    def is_running(self) -> bool:
        """Whether there is a child that has answered before."""
        return self._child is not None

    def kill(self) -> None:
        """End the child from another thread; a waiting `ask` raises."""
        child = self._child
        if child is not None:
            child.kill()

    def stop(self) -> None:
        """End the child and let go of its pipes; for the thread that asks."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        child.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        path = [place for place in sys.path if place.startswith("/")]
        self._child = subprocess.Popen(
            [sys.executable, "-c", _MAIN.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=1 << 16,
            env=_blank() if self._is_blank else environment(),
        )
        return self._child

    def _read(self, child: subprocess.Popen[bytes], size: int, before: float) -> bytes:
        assert child.stdout is not None
        handle = child.stdout.fileno()
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        end = time.monotonic() + _SILENCE_SECONDS
        parts: list[bytes] = []
        while size:
            if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
                is_busy, spent = _effort(child.pid)
                if not is_busy or spent - before > _SILENCE_SECONDS:
                    raise OSError("no answer")
                # Where others have the processors, a minute passes with little done.
                end = time.monotonic() + _SILENCE_SECONDS
                continue
            part = os.read(handle, min(size, 1 << 20))
            if not part:
                raise OSError("ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


class Pool:
    """`count` workers that share the batches of one scan. `further`: see worker.named."""

    def __init__(self, count: int, further: str = "") -> None:
        self._further = further
        self._workers = [Worker() for _ in range(max(1, count))]
        self._apart: list[Worker] = []
        self._is_cancelled = False

    def run(
        self,
        root: str,
        limit: int,
        files: Sequence[tuple[str, int]],
        take: Callable[[Sequence[Derived]], None],
    ) -> None:
        """Derive `files` (path, size) below `root`; `take` gets each batch, one at a time, in any
        order.

        Returns when all are done or after `cancel`; what `take` raises ends the run and is raised
        here."""
        apart = [file for file in files if is_isolated(language_of(file[0]))]
        others = [file for file in files if not is_isolated(language_of(file[0]))]
        batches = deque(
            [(batch, True) for batch in _batches(apart)]
            + [(batch, False) for batch in _batches(others)]
        )
        lock = threading.Lock()

        def serve(worker: Worker) -> None:
            try:
                while not self._is_cancelled:
                    try:
                        batch, is_apart = batches.popleft()
                    except IndexError:
                        return
                    found = self._asked(worker, root, limit, batch, is_apart)
                    with lock:
                        take(found)
            finally:
                worker.stop()

        count = min(len(self._workers), len(batches))
        if not count:
            return
        with ThreadPoolExecutor(count, "scan") as threads:
            running = [threads.submit(serve, worker) for worker in self._workers[:count]]
            try:
                wait(running, return_when=FIRST_EXCEPTION)
            finally:
                # A failure, or Ctrl-C in the waiting thread: the others need not finish.
                if not all(future.done() and not future.exception() for future in running):
                    self.cancel()
        for future in running:
            future.result()

    def cancel(self) -> None:
        """Stop all workers now; `run` returns soon."""
        self._is_cancelled = True
        for worker in (*self._workers, *self._apart):
            worker.kill()

    def _asked(
        self, worker: Worker, root: str, limit: int, batch: list[str], is_apart: bool
    ) -> list[Derived]:
        """A batch by `worker`, or by one with blank memory that lives as long as the batch."""
        if not is_apart:
            return self._ask(worker, root, limit, batch)
        blank = Worker(is_blank=True)
        self._apart.append(blank)
        try:
            return self._ask(blank, root, limit, batch)
        finally:
            self._apart.remove(blank)
            blank.stop()

    def _ask(self, worker: Worker, root: str, limit: int, paths: list[str]) -> list[Derived]:
        try:
            return [
                Derived(*item) for item in worker.ask((SCAN, root, limit, paths, self._further))
            ]
        except WorkerDied as error:
            if self._is_cancelled:
                return []
            if len(paths) > 1:
                return [item for path in paths for item in self._ask(worker, root, limit, [path])]
            return self._without(root, limit, paths[0], error)

    def _without(self, root: str, limit: int, path: str, error: WorkerDied) -> list[Derived]:
        """What can be had of a file that a worker died on."""
        if error.is_forced:
            _log.warning("%s is left out of the index: its scan worker died (%s)", path, error)
            return [Derived(path, 0, -1, 0, "", None, b"", b"", b"", KILLED)]
        _log.warning("%s %s (%s)", path, STUCK, error)
        seen = look(root, path, limit)
        return [derive(seen, is_stuck=True, further=named(self._further))] if seen else []


class Standby:
    """A worker for single texts, started at need and ended when it was not needed for a while."""

    def __init__(self) -> None:
        self._worker = Worker(is_blank=True)
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def tags(self, path: str, data: bytes, language: str) -> bytes | None:
        """The packed tags of a text; None if no parser gets through it. Waits for other callers. Raises
        WorkerDied where that says nothing about the text."""
        answer: bytes | None = self._answer(TEXT, path, data, language)
        return answer

    def flaws(self, path: str, data: bytes, language: str) -> tuple[Flaw, ...]:
        """The flaws of a text; none if no parser gets through it. Otherwise as `tags`."""
        return tuple(Flaw(*item) for item in self._answer(FLAWS, path, data, language) or ())

    def _answer(self, kind: str, path: str, data: bytes, language: str) -> Any:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            try:
                answer = self._asked((kind, path, data, language))
            except WorkerDied as error:
                if error.is_forced:
                    raise
                _log.warning("%s %s (%s)", path, STUCK, error)
                return None
            self._timer = threading.Timer(_STANDBY_SECONDS, self.stop)
            self._timer.daemon = True
            self._timer.start()
            return answer

    def _asked(self, job: Sequence[Any]) -> Any:
        """The answer; a crash counts only if a worker of its own crashes on the text too, since
        grammars keep things from one text to the next."""
        was_used = self._worker.is_running
        try:
            return self._worker.ask(job)
        except WorkerDied as error:
            if error.is_forced or error.is_late or not was_used:
                raise
            return self._worker.ask(job)

    def stop(self) -> None:
        """End the worker; a later text starts another."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._worker.stop()

    def kill(self) -> None:
        """End the worker without waiting for what it does."""
        self._worker.kill()


def _blank() -> dict[str, str]:
    """The environment of a child whose fresh memory is all zeros: the scanner of CMake's grammar never sets where
    it begins, and with what another text left there it misreads every bracket. Of glibc only; others
    ignore it."""
    outer = environment()
    known = outer.get("GLIBC_TUNABLES")
    return {**outer, "GLIBC_TUNABLES": ":".join(filter(None, (known, _BLANK_MEMORY)))}


def _code(child: subprocess.Popen[bytes]) -> int | None:
    """The exit status of a child that ends by itself, as `Popen` gives it; None if it goes on."""
    try:
        return child.wait(_LAST_SECONDS)
    except subprocess.TimeoutExpired:
        return None


def _ended(code: int | None) -> str:
    """How a child ended, in words; empty if it did not."""
    if code is None:
        return ""
    if code == -signal.SIGPROF:
        return "it took too long"
    return f"ended by signal {-code}" if code < 0 else f"ended with status {code}"


def _effort(pid: int) -> tuple[bool, float]:
    """Whether a process works, or would if it were let (it waits for a processor or a disk, or is
    stopped), and the seconds of processor time it has used; (False, 0.0) where that cannot be known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False, 0.0
    # The name before the last bracket may hold anything.
    fields = stat[stat.rfind(b")") + 2 :].split()
    return fields[0] in b"RDT", (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _batches(files: Sequence[tuple[str, int]]) -> list[list[str]]:
    """Batches of about equal bytes, the largest files first, so that no worker is left with one at
    the end."""
    found: list[list[str]] = []
    batch: list[str] = []
    size = 0
    for path, bytes_ in sorted(files, key=lambda item: (-item[1], item[0])):
        if batch and (size + bytes_ > _BATCH_BYTES or len(batch) == _BATCH_FILES):
            found.append(batch)
            batch, size = [], 0
        batch.append(path)
        size += bytes_
    return [*found, batch] if batch else found
