"""Tests of file permissions, which root does not feel: a job run by the user nobody.

The job runs in a fresh interpreter that imports the job's module first and only then gives up
root. `setpriv` is not used: nobody would have to start the interpreter, and a virtualenv or a
checkout may lie below a folder that nobody cannot enter (/root, a private temporary folder). For the
same reason a job must not import anything new, and works in a folder of its own. Knows nothing of
what is tested.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

_NUMBER = 65534
_SECONDS = 60


def as_nobody(job: Callable[[Path], None]) -> None:
    """Run `job`, a function at the top level of its module, as a user without privileges; it gets
    an empty folder that this user owns. The test fails with the job's traceback if the job raises.

    Only root becomes nobody; any other user stays who they are.
    """
    with tempfile.TemporaryDirectory(prefix="nobody-", dir=_place()) as name:
        folder = Path(name).resolve()
        if os.geteuid() == 0:
            os.chown(folder, *_ids())
        ran = subprocess.run(
            [sys.executable, "-m", __name__, inspect.getfile(job), job.__name__, str(folder)],
            cwd=folder,
            env={
                **os.environ,
                "HOME": str(folder),
                "PYTHONPATH": os.pathsep.join(str(Path(one).resolve()) for one in sys.path if one),
            },
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    if ran.returncode != 0:
        pytest.fail(f"{job.__name__}, run as nobody:\n{ran.stdout}{ran.stderr}", pytrace=False)


def _place() -> str:
    """A folder for temporary folders that everyone can enter."""
    usual = tempfile.gettempdir()
    if os.geteuid() != 0:
        return usual
    for place in (usual, "/tmp", "/var/tmp"):
        real = Path(place).resolve()
        if real.is_dir() and all(one.stat().st_mode & 0o001 for one in (real, *real.parents)):
            return str(real)
    pytest.fail("no temporary folder that everyone can enter: set TMPDIR to one")


def _ids() -> tuple[int, int]:
    """User and group of nobody."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return _NUMBER, _NUMBER
    return entry.pw_uid, entry.pw_gid


def _give_up_root() -> None:
    """Become nobody for good. The kernel drops the capabilities with the last user id of root."""
    user, group = _ids()
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    try:
        os.setuid(0)
    except PermissionError:
        return
    raise RuntimeError("root could be had back: the test would prove nothing")


def _main(file: str, job: str, folder: str) -> None:
    spec = importlib.util.spec_from_file_location("job_of_nobody", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if os.geteuid() == 0:
        _give_up_root()
    getattr(module, job)(Path(folder))


if __name__ == "__main__":
    _main(*sys.argv[1:])
