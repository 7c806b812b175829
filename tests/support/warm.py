"""Model processes that start at once. litellm's import is most of what a server with a model costs a test, so the
end-to-end tests pay it once for each process that runs them: `warm_model` forks what `warm_site` hands over.

What runs is the product's own process, with the environment and the pipes its server gave it; only its imports were
made earlier. Tests under tests/unit start it the ordinary way, and so does whoever has no `VARIABLE`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pairwright.llm.network import child_env

VARIABLE = "TESTS_WARM_MODEL"
_HERE = Path(__file__).parent


@contextmanager
def warm_models() -> Iterator[dict[str, str]]:
    """The variables that have model processes forked. The imports are made when the first is."""
    others = [path for path in [os.environ.get("PYTHONPATH")] if path]
    with (
        tempfile.TemporaryDirectory(prefix="warm-") as folder,
        socket.socket(socket.AF_UNIX) as door,
    ):
        place = f"{folder}/door"
        door.bind(place)
        door.listen(16)
        env = {"PYTHONPATH": os.pathsep.join([str(_HERE / "warm_site"), *others]), VARIABLE: place}
        process = subprocess.Popen(
            [sys.executable, "-P", str(_HERE / "warm_model.py"), str(door.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_env({**os.environ, **env}),
            pass_fds=[door.fileno()],
            start_new_session=True,
        )
        try:
            yield env
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
