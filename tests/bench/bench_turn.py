"""What a turn adds between the editor and the model: the real server over stdio, a scripted model over HTTP.

With the map off, so that what is left is beyond the map. Times are of one machine's monotonic clock, which both ends
read.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.corpora import Corpus
from tests.bench.table import Figure, under
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

REQUESTS = 12
TOKENS = 200
AT_ONCE = 4
_STAMP = re.compile(r"\d+\.\d{6}")
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "experimental": {"pairwright": {"protocol": 1}},
}


def turns(corpus: Corpus) -> list[Figure]:
    """From the command to the request at the model's door, and from a token there to the editor."""
    return asyncio.run(_turns(corpus))


async def _turns(corpus: Corpus) -> list[Figure]:
    with Endpoint() as endpoint, tempfile.TemporaryDirectory() as scratch:
        env = {**os.environ, "PAIRWRIGHT_CACHE": scratch, "PAIRWRIGHT_DATA": f"{scratch}/data"}
        env["OPENAI_API_KEY"] = "scripted-key"
        options = {"model": endpoint.settings(), "map": {"tokens": 0}}
        editor = await Editor.start(corpus.root, CAPABILITIES, init_options=options, env=env)
        async with editor:
            path = corpus.root / corpus.typed
            editor.open(path, corpus.language)
            await _indexed(editor)
            waited = [await _ask(editor, endpoint, path) for _ in range(REQUESTS)]
            # The first request starts the model's process.
            doors = waited[1:]
            late = await _latencies(editor, endpoint, path, 1)
            crowded = await _latencies(editor, endpoint, path, AT_ONCE)
    return [
        under("command to the model's door beyond the map, median", 50, median(doors)),
        under("latency added to a streamed token, median", 5, median(late)),
        under(f"the same with {AT_ONCE} conversations at once", 10, median(crowded)),
    ]


async def _indexed(editor: Editor) -> None:
    while not all(r["ready"] for r in (await editor.command("pairwright.status"))["roots"]):
        await asyncio.sleep(0.2)


async def _ask(editor: Editor, endpoint: Endpoint, path: Path) -> float:
    """Seconds from the command on the wire to its request at the endpoint."""
    endpoint.say("Yes.")
    before = len(endpoint.requests)
    began = time.monotonic()
    started = await editor.command("pairwright.ask", text="What is it for?", uri=path.as_uri())
    await _end(editor, started["id"])
    return endpoint.requests[before].started_at - began


async def _latencies(editor: Editor, endpoint: Endpoint, path: Path, turns: int) -> list[float]:
    """Seconds each token took from the endpoint to the editor, of so many conversations side by side."""
    since = len(editor.received)
    running = []
    for number in range(turns):
        endpoint.stamps(TOKENS, 0.01)
        asked = {"text": "What is it for?", "uri": path.as_uri(), "session": f"late-{number}"}
        running.append((await editor.command("pairwright.ask", **asked))["id"])
    for ident in running:
        await _end(editor, ident)
    late = []
    pairs = zip(editor.received[since:], editor.arrived[since:], strict=True)
    for message, arrived in pairs:
        if message["method"] == "pairwright/chat/delta" and message["params"]["kind"] == "text":
            late += [arrived - float(sent) for sent in _STAMP.findall(message["params"]["text"])]
    assert len(late) == turns * TOKENS, "every token has come"
    return late


async def _end(editor: Editor, ident: str) -> None:
    await editor.wait_for(
        "the end of the turn",
        lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == ident,
    )
