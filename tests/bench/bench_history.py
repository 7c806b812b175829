"""A conversation of 200 turns about one repository: whether every request keeps to its budget, and how much of it a
provider's prefix cache can serve. Beside it the same conversation with one map, made for each request, in the place
where Aider has it.

Real turns over HTTP to a scripted endpoint: questions and edits in turn, ten about a file, then ten about another. A
turn of the other kind has another system message, so it shares nothing with the one before.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.corpora import Corpus
from tests.bench.table import Figure
from tests.support.endpoint import Endpoint
from tests.support.prefix import flat, shared
from tests.support.turns import Room

from pairwright.config.schema import Index
from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.events import Done
from pairwright.engine.summary import Desk, summarise
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

TURNS = 200
WINDOW = 65_536
OUTPUT = 4_096
PHASE = 10
"""Turns about one file."""
_MODES = ("ask", "ask", "ask", "edit", "edit", "edit", "edit", "ask", "ask", "ask")
_FILE_BYTES = (3_000, 9_000)
_WORDS = (
    "What calls this, and with which arguments?",
    "Which of these functions may raise, and what is raised?",
    "Where is the result cached, and when is it stale?",
    "Name the first local variable better.",
    "Add a check of the argument.",
    "Say in a comment why this order matters.",
    "Make the message of the error clearer.",
    "What would break if this were async?",
    "Which tests cover it?",
    "What does upstream do instead?",
)
_ANSWER = (
    "It is called from the compiler and from the tests; the arguments are passed on as they stand. What is returned "
    "is a new object each time, so nothing that is shared is changed. The order matters because the later step reads "
    "what the earlier one has set. "
)


@dataclass
class Course:
    """How a conversation went. `largest`: tokens of the largest prompt. `shares`: of each turn that began with the
    same summary as the one before. `summaries`: how many were made."""

    largest: int = 0
    shares: list[float] = field(default_factory=list)
    summaries: int = 0


def history(corpus: Corpus, turns: int = TURNS) -> Iterator[Figure]:
    """The figures of both conversations."""
    ours = asyncio.run(_course(corpus, turns, fresh=False))
    theirs = asyncio.run(_course(corpus, turns, fresh=True))
    room = WINDOW - OUTPUT
    yield Figure(
        f"the largest prompt of {turns} turns ({corpus.name}, {ours.summaries} summaries)",
        f"at most {room:,} tokens",
        f"{ours.largest:,} tokens",
        ours.largest <= room,
    )
    share = median(ours.shares)
    yield Figure(
        f"tokens of a prompt that the one before begins with, median of {len(ours.shares)} turns",
        "at least 60%",
        f"{share:.0%}",
        share >= 0.6,
    )
    yield Figure(
        "the same with one map for each request, before the history as Aider has it",
        "-",
        f"{median(theirs.shares):.0%}",
        None,
    )


async def _course(corpus: Corpus, turns: int, *, fresh: bool) -> Course:
    with Endpoint() as endpoint, tempfile.TemporaryDirectory() as scratch:
        model = ModelSettings(**endpoint.settings(), window=WINDOW, max_output=OUTPUT)
        models = ConfiguredModels(model, os.environ, servers=())
        host = Host(str(corpus.root), Index(), Cache(Path(scratch)))
        try:
            host.scan()
            room = Room(host, models)
            return await _talk(room, endpoint, _files(host, turns), turns, fresh)
        finally:
            host.stop()
            await models.close()


def _files(host: Host, turns: int) -> list[str]:
    """Files of middling size, far apart in the list of all."""
    snapshot = host.snapshot()
    fitting = [
        path
        for path in sorted(snapshot.paths())
        if path.endswith(".py")
        and (document := snapshot.document(path)) is not None
        and _FILE_BYTES[0] <= len(document.data) <= _FILE_BYTES[1]
    ]
    wanted = -(-turns // PHASE)
    return fitting[:: max(1, len(fitting) // wanted)][:wanted]


async def _talk(
    room: Room, endpoint: Endpoint, files: list[str], turns: int, fresh: bool
) -> Course:
    course = Course()
    desk = Desk(lambda: room.settings, room.models, room.door, room.sessions, room.host.snapshot)
    before = ""
    for number in range(turns):
        path, step = files[number // PHASE], number % PHASE
        text = (room.host.snapshot().document(path) or _missing(path)).text
        endpoint.otherwise = lambda body, path=path, text=text: _reply(body, path, text)
        at = len(endpoint.requests)
        words = f"{_WORDS[step]} (in {path})"
        outcome = await room.run(Turn(_MODES[step], words, path, fresh=fresh))  # type: ignore[arg-type]
        assert isinstance(outcome, Done), outcome
        course.largest = max(course.largest, room.door.manifests[-1].total)
        now = flat(endpoint.requests[at].body["messages"])
        if before:
            course.shares.append(shared(before, now))
        before = now
        sent = len(endpoint.requests)
        assert await summarise(desk, "") == ""
        if len(endpoint.requests) > sent:
            course.summaries += 1
            before = ""
    return course


def _missing(path: str) -> Any:
    raise AssertionError(f"{path} has no text")


def _reply(body: dict[str, Any], path: str, text: str) -> str:
    """Notes, an edit of the first line that stands once, or prose."""
    said = str(body["messages"][0]["content"])
    if "You keep the notes" in said:
        return "They look at one file after another. " * 12
    if "SEARCH" not in said:
        return _ANSWER
    lines = text.splitlines()
    line = next(row for row in lines if row.strip() and lines.count(row) == 1)
    block = f"<<<<<<< SEARCH\n{line}\n=======\n{line}  # checked\n>>>>>>> REPLACE"
    return f"{_ANSWER}\n\n{path}\n```python\n{block}\n```\n"
