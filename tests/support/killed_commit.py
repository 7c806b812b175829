"""Two commits in the repository of argv[1] by a process that kills itself before the n-th of its calls to
the system (argv[2]); it prints how many commits it made if it gets that far."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pairwright.checkpoints.commit import Options, Step, commit
from pairwright.checkpoints.commit_git import Git
from pairwright.checkpoints.types import FileState

_LEFT = [int(sys.argv[2])]


def _watched(call: Callable[..., Any]) -> Callable[..., Any]:
    def watch(*args: Any, **more: Any) -> Any:
        _LEFT[0] -= 1
        if _LEFT[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **more)

    return watch


for _owner, _name in (
    *((os, name) for name in ("open", "write", "fsync", "unlink")),
    (Path, "replace"),
    (shutil, "copy2"),
    (subprocess, "Popen"),
):
    setattr(_owner, _name, _watched(getattr(_owner, _name)))

_OWN = {"app.py": FileState(b"x = 1\ny = 1\nmine\n")}
_EDIT = {"app.py": FileState(b"x = 2\ny = 1\nmine\n")}
_STEPS = [Step(_OWN, "chore: mine", own=True), Step(_EDIT, "feat: edit")]
print(len(commit(Git(Path(sys.argv[1]), dict(os.environ)), _STEPS, Options()).made))
