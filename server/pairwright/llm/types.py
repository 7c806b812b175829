"""Values between the engine and a model. Nothing here knows litellm, HTTP or a process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]
ErrorKind = Literal["auth", "rate", "context", "transport", "refused", "filtered", "empty"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that goes with a message. `name`: as the prompt's text calls it. `data`: the file's bytes; empty
    in what is kept of a request."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message. `cache`: a prefix-cache mark may be put behind it where the provider has marks.
    `marks`: offsets in `content`, in characters, ascending, behind which further ones may stand."""

    role: Role
    content: str
    cache: bool = False
    marks: tuple[int, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model before it is asked. `name`: as the user wrote it, or `embedded`.
    `window`, `max_output`: tokens. `format`: the edit format it writes best. `reminder`: where the
    format reminder goes. `map_tokens`: its map budget, None = by the window. `price_in`,
    `price_out`: US dollars a token, None = unknown. `local`: runs on this machine. `small`: gets
    the small prompt and host-fixed SEARCH. `grammar`: takes a GBNF grammar. `loopback`: what is sent
    to it does not leave this machine. `images`: it sees pictures.

    `long_format`: the format where a file is too long for `format`, see catalog.edit_format; empty = the same.
    `temperature`: None = it takes none. `reasoning_tag`: the tag its thinking stands in, in the text itself;
    `reasoning_open`: the answer begins inside it. `prefix`: a line its system message begins with. `system`: it
    takes a system message. `streaming`: it answers piece by piece. `prefill`: it goes on with an answer that
    was begun. `cache`: its provider takes cache marks. `session_key`: it takes the session's id, by which a
    request finds the cache of the one before."""

    name: str
    window: int = 8192
    max_output: int = 2048
    format: str = "diff"
    reminder: Literal["system", "user", "none"] = "user"
    map_tokens: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    local: bool = False
    small: bool = False
    grammar: bool = False
    loopback: bool = False
    images: bool = False
    long_format: str = ""
    temperature: float | None = 0.0
    reasoning_tag: str = ""
    reasoning_open: bool = False
    prefix: str = ""
    system: bool = True
    streaming: bool = True
    prefill: bool = False
    cache: bool = False
    session_key: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One request, already counted and redacted: nothing may be added behind `engine.door`. `temperature`:
    None = the model's own. `session`: the chat's id; only a digest of it is sent, to providers that find their
    caches by it."""

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    grammar: str | None = None
    stop: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    session: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of the model's thinking; never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The prompt is being read: `done` of `total` tokens (total may be an estimate)."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Loading:
    """The local model is being loaded (2 to 12 s); `Reading` or text follows."""

    model: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """A retryable failure; the request is sent again after `delay` seconds."""

    reason: str
    delay: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the finished request; `cost` in US dollars, None = unknown."""

    prompt: int
    completion: int
    cached: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """Always the last delta. `stop`: the model ended; `length`: cut by the token limit."""

    reason: Literal["stop", "length"]


Delta = Text | Reasoning | Loading | Reading | Retrying | Usage | Finish


class ModelError(Exception):
    """A request failed. `message` says what happened and what the user can do; it never holds a
    key."""

    def __init__(
        self, kind: ErrorKind, message: str, *, retryable: bool, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.retryable = retryable
        self.retry_after = retry_after


class Model(Protocol):
    """One model, ready to be asked. Closing the iterator (or cancelling the task that reads it)
    closes the HTTP stream at once. `stream` raises ModelError only; retries happen inside it."""

    @property
    def info(self) -> ModelInfo: ...

    def stream(self, request: Request) -> AsyncIterator[Delta]: ...

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text: exact where the tokenizer is known offline, else a safe
        over-estimate."""
        ...


Count = Callable[[str], int]
"""Tokens of a text: never an under-estimate."""
