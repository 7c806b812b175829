"""From the start of the process to the answer to initialize, against a server that does nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.bench.table import Figure, ms

SERVER = Path(__file__).parents[2] / "server"
BARE = """
from pygls.lsp.server import LanguageServer
LanguageServer("bare", "1").start_io()
"""


def starts(runs: int) -> list[Figure]:
    """Ours and the bare server's, alternating."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "PAIRWRIGHT_CACHE": cache, "PAIRWRIGHT_DATA": cache}
        env["PYTHONPATH"] = str(SERVER)
        serve = [sys.executable, "-m", "pairwright", "serve"]
        for run in range(max(runs, 7) + 1):
            pair = (initialized(serve, env), initialized([sys.executable, "-c", BARE], env))
            # The first start compiles and warms the disk.
            if run:
                ours.append(pair[0])
                bare.append(pair[1])
    share = median(ours) / median(bare)
    value = f"{share:.2f} times ({ms(median(ours))} to {ms(median(bare))})"
    goal = "1.25 times a bare pygls server"
    return [Figure("start to initialize answered", goal, value, share <= 1.25)]


def initialized(command: list[str], env: dict[str, str]) -> float:
    """Seconds until a server answers initialize."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": None, "capabilities": {}},
        }
    ).encode()
    began = time.perf_counter()
    child = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    child.stdin.flush()
    seen = b""
    while b'"capabilities"' not in seen:
        part = os.read(child.stdout.fileno(), 1 << 16)
        assert part, "the server ended without an answer"
        seen += part
    seconds = time.perf_counter() - began
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    return seconds
