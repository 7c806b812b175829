"""What a turn takes from its conversation, and what it leaves there. Works on values: run it in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pairwright.engine.refine import View
from pairwright.llm.types import ModelInfo
from pairwright.memory.chat import Chat, Exchange, News, news
from pairwright.memory.history import SMALL_CAP, Recalled, cap, recalled
from pairwright.memory.prose import written_in
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot


@lru_cache(maxsize=4096)
def counted(text: str) -> int:
    """Tokens of `text`, estimated; old turns are counted once."""
    return estimate(text)


def limit_of(info: ModelInfo) -> int:
    """Tokens of history for a model."""
    return SMALL_CAP if info.small else cap(info.window)


def recall(chat: Chat, snapshot: Snapshot, info: ModelInfo) -> tuple[Recalled, News]:
    """The history for a request that sees `snapshot`, and what it has to tell of earlier edits."""
    base, shown = snapshot, frozenset[str]()
    if isinstance(snapshot, View):
        base, shown = snapshot.base, frozenset(snapshot.texts)

    def digest(path: str) -> str | None:
        document = base.document(path)
        return document.digest if document is not None else None

    told = news(chat, digest, shown)
    messages = recalled(chat, limit_of(info), counted, info.format)
    return Recalled(messages, told.lines), told


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that ended well. `format`: the one its answer was asked for in, empty where no edit was. `edited`:
    the paths of its `proposal`; `shown`: those of the files it was about."""

    request: str
    answer: str
    mode: str
    model: str
    format: str = ""
    proposal: str = ""
    edited: Sequence[str] = ()
    shown: Sequence[str] = ()


def exchange(ended: Ended, told: News) -> Exchange:
    """What the conversation keeps of a turn that told `told`."""
    # Markers of an edit in an answer that was not asked for one count as well.
    asked = ended.format or "diff"
    return Exchange(
        request=ended.request,
        answer=ended.answer,
        told=told.lines,
        mode=ended.mode,
        format=written_in(ended.answer, asked, tuple(ended.shown)),
        model=ended.model,
        proposal=ended.proposal,
        edited=tuple(ended.edited),
        heard=told.heard,
        seen=told.seen,
    )
