"""Runs the git command in a repository of the user's, for what only git itself does right: hooks,
signatures, filters, and every form of index, refs and objects.

Variables that would lead git to another repository (those of a hook that started the editor) never
reach it; it can ask for nothing and opens no editor. Blocking: call it from a worker thread. Knows
no commit."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

# What `git rev-parse --local-env-vars` lists, without a repository to ask in.
_LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": ":", "GIT_OPTIONAL_LOCKS": "0"}
_MOST_LINES = 12
_NONE = (
    "the git command is not installed, or not in the PATH of the editor; "
    "hooks, signatures and filters are its business"
)


class GitFailed(Exception):
    """A git command was refused or could not be run; the text says why, for the user."""


@dataclass(frozen=True, slots=True)
class Git:
    """The git command in the folder `top`. `env`: the user's environment. `timeout`: seconds of one
    command, hooks included. `handles`: files that stay open in the command and its hooks."""

    top: Path
    env: Mapping[str, str]
    timeout: float = 60.0
    extra: Mapping[str, str] = field(default_factory=dict)
    handles: tuple[int, ...] = ()

    def having(self, **extra: str | Path) -> Git:
        """The same with further variables."""
        more = {name: str(value) for name, value in extra.items()}
        return replace(self, extra={**self.extra, **more})

    def run(self, *words: str, given: bytes = b"") -> bytes:
        """What the command prints. Raises GitFailed with what it complained of."""
        code, out, err = self.ask(*words, given=given)
        if code:
            raise GitFailed(_reason(words, code, err or out.decode("utf-8", "replace")))
        return out

    def line(self, *words: str) -> str:
        """The one line that the command prints, empty if it fails."""
        code, out, _ = self.ask(*words)
        return "" if code else os.fsdecode(out).rstrip("\n")

    def ask(self, *words: str, given: bytes = b"") -> tuple[int, bytes, str]:
        """Exit code, output and complaints of the command. Raises GitFailed if it cannot be run or
        does not end."""
        git = shutil.which("git", path=self.env.get("PATH"))
        if git is None:
            raise GitFailed(_NONE)
        env = {name: value for name, value in self.env.items() if name not in _LOCAL}
        env |= {**_QUIET, **self.extra}
        # Files, not pipes: a process that a hook leaves behind would hold a pipe open.
        with (
            tempfile.TemporaryFile() as source,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            source.write(given)
            source.seek(0)
            try:
                child = subprocess.Popen(
                    [git, *words],
                    cwd=self.top,
                    env=env,
                    stdin=source,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                    pass_fds=self.handles,
                )
            except OSError as error:
                raise GitFailed(f"git cannot be run ({error.strerror or error})") from error
            try:
                code = child.wait(self.timeout)
            except subprocess.TimeoutExpired:
                _kill(child)
                text = f"`git {words[0]}` did not end within {self.timeout:.0f} s and was stopped"
                raise GitFailed(text) from None
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read().decode("utf-8", "replace")


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End the command with its hooks."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _reason(words: Sequence[str], code: int, err: str) -> str:
    lines = [line.rstrip() for line in err.splitlines() if line.strip()]
    said = "\n".join(lines[-_MOST_LINES:])
    return f"`git {words[0]}` ended with {code}" + (f":\n{said}" if said else "")


def reason_of(error: GitFailed | OSError) -> str:
    """Why nothing was done, for the user."""
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'} cannot be used ({error.strerror or error})"
    return str(error)
