"""Servers and model processes that start at once. Their imports are most of what a test from end to end costs, so
each process that runs tests pays them once: `warm_start` forks what `warm_site` hands over.

What runs is the product's own process, with command line, environment, folder and pipes as it was started; only its
imports were made earlier. Tests of starting itself, of these processes as such and of what a stranger's folder could
slip into an import have the ordinary start, by the fixture `cold`: whoever has no variable of `VARIABLES` does.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pairwright.llm.network import child_env

VARIABLES = {"server": "TESTS_WARM_SERVER", "model": "TESTS_WARM_MODEL"}
_HERE = Path(__file__).parent


@contextmanager
def warm_starts() -> Iterator[dict[str, str]]:
    """The variables that have processes forked; none where the system cannot. The imports of a kind are made when
    the first of it starts."""
    if sys.platform != "linux":
        yield {}
        return
    others = [path for path in [os.environ.get("PYTHONPATH")] if path]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="warm-")))
        path = os.pathsep.join([str(_HERE / "warm_site"), *others])
        env = {"PYTHONPATH": path, **{VARIABLES[kind]: str(folder / kind) for kind in VARIABLES}}
        for kind in VARIABLES:
            stack.enter_context(_nursery(kind, folder / kind, {**os.environ, **env}))
        yield env


@contextmanager
def _nursery(kind: str, place: Path, env: dict[str, str]) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(place))
        door.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-P", str(_HERE / "warm_start.py"), kind, str(door.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_env(env) if kind == "model" else env,
            pass_fds=[door.fileno()],
            start_new_session=True,
        )
        try:
            yield
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
