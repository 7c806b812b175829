"""The one way out: every text for a model passes here, and nothing else calls `stream`.

In order: ignore rules over every route by which workspace text gets into a prompt, secrets, the budget, the cost,
the manifest. A part of a prompt that has no route does not pass. What was sent leaves a manifest: which bytes of
which files stood in the prompt, at which version, so that edits can be held against it and a user can read it
afterwards.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from pairwright.config.schema import Budget, Privacy
from pairwright.engine.budget import (
    SMALL_PROMPT,
    Counter,
    Counts,
    Fitted,
    TooLong,
    TooMuch,
    fit,
    output_tokens,
)
from pairwright.engine.events import Stop
from pairwright.engine.redaction import Revealing, known_values, redacted, wanted
from pairwright.engine.spend import Meter, Reserved, Spending, Wanted, money
from pairwright.llm.types import (
    Delta,
    Finish,
    Message,
    Model,
    ModelError,
    ModelInfo,
    Reasoning,
    Request,
    Text,
)
from pairwright.memory.ledger import Ledger
from pairwright.prompts.build import Chunks, build, parts
from pairwright.secrets.hide import Hidden
from pairwright.text.document import Document
from pairwright.workspace.manifest import MapManifest
from pairwright.workspace.types import Snapshot

KEEP = 50
"""Manifests kept in memory."""

KEEP_TEXTS = 10
"""Requests of which the messages are kept too."""

Ask = Callable[[str, Sequence[str]], Awaitable[str | None]]
Carries = Literal["nothing", "files", "sources"]

ROUTES: Mapping[str, Carries] = {
    "system": "nothing",
    "examples": "nothing",
    "read-only files": "files",
    "map": "sources",
    "history": "nothing",
    "second map": "sources",
    "requested files": "files",
    "web pages": "nothing",
    "references": "nothing",
    "manual": "nothing",
    "images": "sources",
    "files": "files",
    "request": "sources",
    "reflection": "sources",
    "begun answer": "nothing",
    "reminder": "nothing",
}
"""Parts of a prompt by how they carry text of the workspace: not at all, as files, or from the files that
`Parcel.sources` names. History holds what passed here before; a web page and a repository that is not the
workspace are none of its files."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is to be sent. `shorter`: the same with files cut down. `documents`: the texts that files are shown
    from. `sources`: by part of the prompt, the files its text is from. `why`: why each file is there.
    `refused`: files that were asked for and are not sent, with the reason. `output`: tokens of the answer,
    None = the model's usual. `maps`: what the maps were made from, by part of the prompt. `foreign`: paths
    outside the workspace, which no ignore rule of it knows. `records`: files of which a look-up showed the record
    instead of lines."""

    chunks: Chunks
    shorter: Chunks
    documents: Mapping[str, Document]
    sources: Mapping[str, tuple[str, ...]]
    why: Mapping[str, str]
    refused: tuple[str, ...] = ()
    session: str = ""
    grammar: str | None = None
    output: int | None = None
    maps: Mapping[str, MapManifest] = field(default_factory=dict)
    foreign: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that stood in a prompt. `version`: of the open buffer, None for a file on disk. `spans`: the bytes
    that stood there; none for a file of which only signatures did."""

    path: str
    digest: str
    version: int | None
    editable: bool
    spans: tuple[tuple[int, int], ...]
    why: str


@dataclass(frozen=True, slots=True)
class Extra:
    """What stood in a prompt beside texts of files. `kind`: picture, web page, reference, diagnostics or lines
    looked up."""

    kind: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """One request as it left. `tokens` by part in cache order; `left_out`: what the budget took; `refused`:
    files that were asked for and not sent, with the reason. `maps`: what each map in it was made from, by its
    part. `hidden`: the secrets that placeholders stood for. `costs`: US dollars with a usual answer, and the
    most; None = unknown."""

    model: str
    session: str
    tokens: tuple[tuple[str, int], ...]
    files: tuple[Sent, ...]
    map_files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    maps: tuple[tuple[str, MapManifest], ...] = ()
    hidden: tuple[Hidden, ...] = ()
    costs: tuple[float, float] | None = None
    extras: tuple[Extra, ...] = ()

    @property
    def total(self) -> int:
        return sum(count for _, count in self.tokens)

    def sent(self, path: str) -> Sent | None:
        return next((file for file in self.files if file.path == path), None)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What would leave: `fitted` with secrets hidden, and what it would cost. `room`: tokens it may have."""

    fitted: Fitted
    hidden: tuple[Hidden, ...]
    wanted: Wanted
    room: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A request that may leave; its cost is reserved. `notes`: what the user is told of it, a line each."""

    model: Model
    request: Request
    manifest: Manifest
    reserved: Reserved
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Departed:
    """A request that left. `number`: from 1. `messages`: as they left; none once they are too old."""

    number: int
    manifest: Manifest
    messages: tuple[Message, ...]


class Door:
    """The outgoing requests of one workspace; one writer, the event loop. `privacy`: the settings of this
    moment."""

    def __init__(
        self, privacy: Callable[[], Privacy] = Privacy, spending: Spending | None = None
    ) -> None:
        self.spending = spending or Spending(Ledger(None), Budget, "", time.time)
        self._privacy = privacy
        self.counts = Counts()
        self._departed: deque[Departed] = deque(maxlen=KEEP)

    @property
    def departed(self) -> tuple[Departed, ...]:
        """The newest requests, oldest first."""
        return tuple(self._departed)

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """Those of the newest requests, oldest first."""
        return tuple(one.manifest for one in self._departed)

    async def prepare(
        self,
        model: Model,
        parcel: Parcel,
        snapshot: Snapshot,
        *,
        ask: Ask,
        max_output: int = 0,
        temperature: float | None = None,
        room: int | None = None,
        below: TooLong | None = None,
    ) -> Ready | Stop:
        """Let `parcel` pass, or say why not. What it can cost is reserved, so what is ready is to be sent.
        `room`: tokens of the prompt, None = what the window leaves. `below`: a longer one was refused."""
        weighed = await self.weigh(
            model, parcel, snapshot, max_output=max_output, room=room, below=below
        )
        if isinstance(weighed, Stop):
            return weighed
        reserved = await self.spending.reserve(parcel.session, weighed.wanted)
        if isinstance(reserved, str):
            return Stop("budget", reserved)
        is_wanted = False
        try:
            is_wanted = await self._agreed(reserved.wanted, ask)
        finally:
            if not is_wanted:
                await self.spending.release(reserved)
        if not is_wanted:
            cost = money(reserved.wanted.usual or 0.0)
            return Stop("budget", f"Not sent: it would have cost about {cost}.")
        fitted = weighed.fitted
        messages = build(fitted.chunks)
        output, session = reserved.wanted.output, parcel.session
        request = Request(messages, output, temperature, grammar=parcel.grammar, session=session)
        manifest = _manifest(model, parcel, fitted.chunks, fitted.tokens, fitted.left_out)
        manifest = replace(manifest, hidden=weighed.hidden, costs=reserved.wanted.costs)
        return Ready(model, request, manifest, reserved, self._told(reserved.wanted))

    async def again(self, ready: Ready, output: int) -> Ready | Stop:
        """What has left once more, for an answer of `output` tokens, with a reservation of its own."""
        wanted = replace(ready.reserved.wanted, output=output)
        reserved = await self.spending.reserve(ready.manifest.session, wanted)
        if isinstance(reserved, str):
            return Stop("budget", reserved)
        return replace(ready, request=replace(ready.request, max_tokens=output), reserved=reserved)

    async def weigh(
        self,
        model: Model,
        parcel: Parcel,
        snapshot: Snapshot,
        *,
        max_output: int = 0,
        room: int | None = None,
        below: TooLong | None = None,
    ) -> Weighed | Stop:
        """What would leave of `parcel`, or why nothing would; see `prepare`. Reserves nothing."""
        kept_back = await asyncio.to_thread(_ignored, parcel, snapshot)
        if kept_back:
            text = f"Not sent: {', '.join(kept_back)} is excluded by ignore rules."
            return Stop("refused", text)
        info = model.info
        chunks, shorter = parcel.chunks, parcel.shorter
        hidden: tuple[Hidden, ...] = ()
        if wanted(privacy := self._privacy(), info):
            chunks, shorter, hidden = await asyncio.to_thread(_redacted, parcel, snapshot, privacy)
        most = output_tokens(info, max_output)
        output = min(most, parcel.output or most)
        room = self._room(info, info.window - output if room is None else room)
        aim = SMALL_PROMPT if info.small else None
        counter = Counter(model, self.counts)
        fitted = await fit(counter, chunks, shorter, room, aim, below)
        if isinstance(fitted, TooMuch):
            return Stop("budget", fitted.message)
        return Weighed(fitted, hidden, Wanted(info, fitted.total, output), room)

    def _room(self, info: ModelInfo, room: int) -> int:
        most = 0 if info.local else self.spending.limits().request_tokens
        return min(room, most) if most else room

    async def _agreed(self, wanted: Wanted, ask: Ask) -> bool:
        """Whether the user wants to pay for it; asked above an amount only."""
        if wanted.usual is None or wanted.usual <= self.spending.limits().ask_cost:
            return True
        question = f"This request to {wanted.info.name} costs {wanted.said()}. Send it?"
        return await ask(question, ("Send", "Cancel")) == "Send"

    def _told(self, wanted: Wanted) -> tuple[str, ...]:
        """The estimate if it is much, and what is wrong with the record of spending, once."""
        limits, cost = self.spending.limits(), wanted.usual
        is_much = wanted.prompt > limits.tell_tokens if cost is None else cost > limits.tell_cost
        told = [f"sending {wanted.said()}"] if is_much and wanted.pricing != "local" else []
        if problem := self.spending.ledger.problem:
            self.spending.ledger.problem = ""
            told.append(problem)
        return tuple(told)

    async def send(self, ready: Ready) -> AsyncIterator[Delta]:
        """Stream the answer, with secrets in the places of their placeholders. Closing this iterator closes
        the model's stream at once. Raises ModelError as the stream does."""
        self._depart(ready)
        meter = Meter(ready.reserved)
        said, thought = Revealing(ready.manifest.hidden), Revealing(ready.manifest.hidden)
        stream = cast("AsyncGenerator[Delta, None]", ready.model.stream(ready.request))
        try:
            async with aclosing(stream) as deltas:
                async for delta in deltas:
                    meter.take(delta)
                    for shown in _revealed(delta, said, thought):
                        yield shown
        except ModelError:
            meter.failed()
            raise
        finally:
            await meter.close(self.spending)

    def _depart(self, ready: Ready) -> None:
        number = self._departed[-1].number + 1 if self._departed else 1
        if len(self._departed) >= KEEP_TEXTS:
            old = self._departed[-KEEP_TEXTS]
            self._departed[-KEEP_TEXTS] = replace(old, messages=())
        self._departed.append(Departed(number, ready.manifest, _kept(ready.request.messages)))


def _revealed(delta: Delta, said: Revealing, thought: Revealing) -> Iterator[Delta]:
    """What of the answer is certain with `delta`."""
    match delta:
        case Text(text):
            if certain := said.feed(text):
                yield Text(certain)
        case Reasoning(text):
            if certain := thought.feed(text):
                yield Reasoning(certain)
        case Finish():
            if rest := thought.end():
                yield Reasoning(rest)
            if rest := said.end():
                yield Text(rest)
            yield delta
        case _:
            yield delta


def _kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages without the bytes of their pictures, which would fill the memory."""
    return tuple(
        replace(one, images=tuple(replace(image, data=b"") for image in one.images))
        for one in messages
    )


def _ignored(parcel: Parcel, snapshot: Snapshot) -> list[str]:
    """The files whose text this would send against the ignore rules. Raises LookupError for a part without a
    route: nothing passes unseen."""
    paths: set[str] = set()
    for chunks in (parcel.chunks, parcel.shorter):
        for name in parts(chunks):
            if ROUTES[name] == "files":
                shown = chunks.files if name == "files" else chunks.read_only
                paths.update(file.path for file in shown)
            elif ROUTES[name] == "sources":
                paths.update(
                    parcel.sources.get(name, ()) if name == "reflection" else parcel.sources[name]
                )
    return sorted(path for path in paths - parcel.foreign if snapshot.ignored(path))


def _redacted(
    parcel: Parcel, snapshot: Snapshot, privacy: Privacy
) -> tuple[Chunks, Chunks, tuple[Hidden, ...]]:
    values = known_values(snapshot.root, privacy)
    return redacted(parcel.chunks, parcel.shorter, values)


def _manifest(
    model: Model,
    parcel: Parcel,
    chunks: Chunks,
    tokens: Mapping[str, int],
    left_out: tuple[str, ...],
) -> Manifest:
    files = []
    for editable, shown in ((True, chunks.files), (False, chunks.read_only)):
        for file in shown:
            document = parcel.documents[file.path]
            why = parcel.why.get(file.path, "")
            sent = Sent(file.path, document.digest, document.version, editable, file.spans, why)
            files.append(sent)
    sent_maps = [name for name in ("map", "second map") if name in tokens]
    in_map = [path for name in sent_maps for path in parcel.sources[name]]
    return Manifest(
        model.info.name,
        parcel.session,
        tuple(tokens.items()),
        tuple(files),
        tuple(dict.fromkeys(in_map)),
        left_out,
        parcel.refused,
        tuple((name, parcel.maps[name]) for name in sent_maps if name in parcel.maps),
        extras=_extras(chunks, parcel),
    )


_LOOKED = {True: "record of", False: "lines of"}


def _extras(chunks: Chunks, parcel: Parcel) -> tuple[Extra, ...]:
    pages, where = "asked for", "reported where the request is"
    why, looked = parcel.why, parcel.sources.get("reflection", ()) if chunks.feedback else ()
    return (
        *(Extra("web page", one.label or one.path, pages) for one in chunks.pages),
        *(Extra("reference", one.label or one.path, one.note) for one in chunks.references),
        *(Extra("picture", one.name, why.get(one.name, "in the chat")) for one in chunks.images),
        *(Extra("diagnostics", one, where) for one in chunks.diagnostics),
        *(Extra(_LOOKED[one in parcel.records], one, "the model looked it up") for one in looked),
    )
