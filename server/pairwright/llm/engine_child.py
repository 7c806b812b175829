"""The process of the embedded model: llama.cpp's server (xllamacpp) on loopback, behind a random
port and key.

Speaks frames (`llm.wire`): `start` loads the model and answers with the address; `count` gives
exact token counts. Requests come over HTTP from the model process. Ends when its stdin closes. Its
environment must hold OMP_WAIT_POLICY=PASSIVE before it starts: spinning threads cost ten times the
speed on a busy machine.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pairwright.llm import wire
from pairwright.llm.gguf import NotGguf, control_tokens
from pairwright.llm.wire import Frame

# 64: a cancel while the prompt is read frees the engine in 1 s; with the default 2,048 it took 98
# s, and the reading was no faster.
BATCH = 64
# Prompts kept beside the current one, MiB of memory; about 28 KB a token for Qwen2.5-Coder 1.5B.
_PROMPT_CACHE = 192
# llama.cpp's levels: 0 silent, 1 error, 2 warning, 3 info.
_VERBOSITY = 2

MISSING = (
    'The local model needs the xllamacpp package: run `pip install "pairwright[local]"`, or set '
    "pairwright.model.name to another model."
)

NO_OPENMP = (
    "The local model needs the system's OpenMP library libgomp.so.1: install the package libgomp1 (Debian, "
    'Ubuntu) or libgomp (Fedora), or run `pip install "pairwright[local]"` anew.'
)


class Engine:
    """The loaded model. `start` once, then `count` as often as wanted."""

    def __init__(self) -> None:
        self._server: Any = None
        self._key = ""

    def start(self, frame: Frame) -> Frame:
        """Load the model. The answer's `value` is {base, threads, control}; `control`: the
        tokens to be forbidden under a grammar."""
        try:
            import xllamacpp
        except ImportError as error:
            return _failed("auth", NO_OPENMP if "libgomp" in str(error) else MISSING)
        params = xllamacpp.CommonParams()
        params.model.path = frame["path"]
        params.n_ctx = frame["window"]
        params.n_batch = params.n_ubatch = BATCH
        params.n_parallel = 1
        params.n_gpu_layers = 0
        threads = frame["threads"] or _cores()
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.cache_ram_mib = _PROMPT_CACHE
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.api_keys = [frame["key"]]
        params.cors_origins = ""
        params.ui = False
        params.warmup = False
        # An edit mostly repeats its prompt: what follows the last words there is guessed and checked in one batch.
        # The text stays the same; whole functions written again came 2.8 times as fast (5.8 to 16.5 tokens a second).
        kinds = xllamacpp.common_speculative_type
        params.speculative.types = [kinds.COMMON_SPECULATIVE_TYPE_NGRAM_SIMPLE]
        params.verbosity = _VERBOSITY
        try:
            self._server = xllamacpp.Server(params)
        except RuntimeError as error:
            return _failed(
                "transport",
                f"The local model {frame['path']} could not be loaded ({error}). Run `pairwright model "
                "status`, or set pairwright.model.path to another GGUF file.",
            )
        self._key = frame["key"]
        return {
            "kind": "value",
            "value": {
                "base": self._server.listening_address,
                "threads": threads,
                "control": _control(Path(frame["path"])),
            },
        }

    def count(self, frame: Frame) -> Frame:
        """Tokens of each text by the model's own tokenizer."""
        address = urlsplit(self._server.listening_address)
        link = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
        try:
            counts = [self._tokens(link, text) for text in frame["texts"]]
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            return _failed("transport", f"The local model could not count tokens ({error}).")
        finally:
            link.close()
        return {"kind": "value", "value": counts}

    def _tokens(self, link: http.client.HTTPConnection, text: str) -> int:
        if not text:
            return 0
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        body = json.dumps({"content": text, "parse_special": False})
        link.request("POST", "/tokenize", body, headers)
        return len(json.loads(link.getresponse().read())["tokens"])


def _failed(kind: str, message: str) -> Frame:
    return {"kind": "error", "error": kind, "message": message, "retryable": False}


def _control(path: Path) -> list[int]:
    try:
        return control_tokens(path)
    except NotGguf as error:
        # The engine could read it, so it goes on; only grammars are less strict.
        sys.stderr.write(f"{error}\n")
        return []


def _cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    """Answer frames until stdin closes; leave at once then, even while the model loads."""
    source, sink = wire.take_stdio()
    engine = Engine()
    writing = threading.Lock()

    def answer(frame: Frame) -> None:
        told = engine.start(frame) if frame["op"] == "start" else engine.count(frame)
        with writing:
            wire.write_blocking(sink, {"id": frame["id"], **told})
            if told["kind"] == "value":
                wire.write_blocking(sink, {"id": frame["id"], "kind": "end"})

    while (frame := wire.read_blocking(source)) is not None:
        if frame["op"] != "cancel":
            threading.Thread(target=answer, args=(frame,), daemon=True).start()
        else:
            with writing:
                wire.write_blocking(sink, {"id": frame["id"], "kind": "cancelled"})
    os._exit(0)


if __name__ == "__main__":
    main()
