"""Commands in a kernel namespace of their own: small disks, folders that cannot be written even by root,
and low limits, which vanish with the process."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

_UNSHARE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec"]


def inside(setup: str, command: list[str]) -> list[str]:
    """`command` behind the shell words `setup`, which may mount and write limits. Skips the test where
    the system does not allow it."""
    tried = subprocess.run([*_UNSHARE, setup], capture_output=True, text=True, timeout=30)
    if tried.returncode != 0:
        pytest.skip(f"no namespace of our own here: {tried.stderr.strip()}")
    return [*_UNSHARE, f"{setup}; exec {shlex.join(command)}"]


def small_disk(folder: Path, size: str) -> str:
    """Words that put a disk of `size` (300k) at `folder`."""
    place = shlex.quote(str(folder))
    return f"mkdir -p {place}; mount -t tmpfs -o size={size} none {place}"


def read_only(folder: Path) -> str:
    """Words that make what is in `folder` unwritable."""
    place = shlex.quote(str(folder))
    return f"mkdir -p {place}; mount --bind {place} {place}; mount -o remount,bind,ro {place}"


def few_watches(count: int) -> str:
    """Words that let a user watch so many folders only."""
    return f"echo {count} > /proc/sys/user/max_inotify_watches"
