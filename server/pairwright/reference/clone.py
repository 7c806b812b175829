"""A git repository at one pinned commit, without history, under a cap of bytes, by the git command.

No hook, no submodule and no prompt runs; a clone that grows beyond the cap is stopped and removed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_SECONDS = 600.0
_POLL = 0.1
_SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done, for the user."""

    reason: str


def clone(
    url: str, revision: str, folder: Path, most: int, env: Mapping[str, str]
) -> tuple[Path, str] | Refusal:
    """The folder below `folder` with the files of `revision` (empty: HEAD) of `url`, and the commit. Blocks."""
    if revision.startswith("-"):
        return Refusal(f"{revision} is no revision")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = Path(tempfile.mkdtemp(dir=folder.resolve()))
        done = _fetched(place, url, revision, most, env)
        if isinstance(done, Refusal):
            shutil.rmtree(place, ignore_errors=True)
            return done
        final = place.with_name(sha256(f"{url}\0{done}".encode()).hexdigest()[:16])
        if final.exists():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.rename(final)
        return final, done
    except OSError as error:
        return Refusal(f"{url} cannot be cloned: {error.strerror or error}")


def _fetched(
    place: Path, url: str, revision: str, most: int, env: Mapping[str, str]
) -> str | Refusal:
    quiet = {
        **{key: value for key, value in env.items() if not key.startswith("GIT_")},
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ALLOW_PROTOCOL": "https:ssh:git:file",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "LC_ALL": "C",
    }
    wanted = revision or "HEAD"
    for words in (
        ["init", "-q"],
        ["fetch", "-q", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--", url, wanted],
        ["checkout", "-q", "--detach", "FETCH_HEAD"],
    ):
        problem = _run(words, place, most, quiet)
        if problem:
            return Refusal(f"{url} cannot be cloned: {problem}")
    head = subprocess.run(
        ["git", *_SAFE, "rev-parse", "HEAD"], cwd=place, env=quiet, capture_output=True, text=True
    )
    return head.stdout.strip() or Refusal(f"{url} has no commit {wanted}")


def _run(words: list[str], place: Path, most: int, env: Mapping[str, str]) -> str:
    """Run one git command; what went wrong, or nothing."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            ["git", *_SAFE, *words],
            cwd=place,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        end = time.monotonic() + _SECONDS
        reason = ""
        while child.poll() is None and not reason:
            time.sleep(_POLL)
            if _size(place) > most:
                reason = f"it takes more than {most // 1_000_000} MB"
            elif time.monotonic() > end:
                reason = "it takes too long"
        if reason:
            child.kill()
        child.wait()
        if not reason and _size(place) > most:
            reason = f"it takes more than {most // 1_000_000} MB"
        if reason or child.returncode == 0:
            return reason
        said.seek(0)
        lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"git ended with {child.returncode}"


def _size(place: Path) -> int:
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                total += os.lstat(f"{folder}/{name}").st_size
            except OSError:
                continue
    return total
