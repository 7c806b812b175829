"""One whole reply: what the token limit cut off is continued, what came empty is asked for once more.

A model that goes on with an answer that was begun is given its own text; another is asked to continue with the next
line, and what it repeats is left out. The parts are joined before anything is read, so a cut may fall anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairwright.edits.formats.markers import END, HEAD, fence
from pairwright.engine.answer import Cut
from pairwright.engine.door import Manifest, Parcel
from pairwright.engine.events import Emit, Event, Reflected, Said, Status, Stop
from pairwright.engine.work import Work
from pairwright.llm.errors import EMPTY
from pairwright.llm.types import Message, ModelError
from pairwright.prompts.build import Chunks, merged

MOST = 3
"""Continuations of one reply."""

_LINES = 10
"""Most lines that a continuation may repeat of what it continues."""
_LEAST = 4
"""Letters and digits of what counts as repeated."""
_TAIL, _UNIT = 1200, 200
"""A reply whose last characters repeat a short piece over and over will not come to an end by going on."""


async def answered(work: Work, parcel: Parcel) -> tuple[str | Cut, Manifest] | Stop:
    """The whole reply to `parcel` and what was sent for it. Raises ModelError."""
    tell = work.telling(parcel)
    sent = await _spoken(work, parcel, tell)
    if sent is None:
        work.tools.emit(Status("the reply was empty; asking once more"))
        parcel = _with(parcel, Message("user", _EMPTY))
        sent = await _spoken(work, parcel, tell)
    if sent is None:
        return Stop("empty", EMPTY)
    if isinstance(sent, Stop):
        return sent
    answer, manifest = sent
    for _ in range(MOST):
        if not isinstance(answer, Cut) or runs_away(answer.text):
            break
        work.tools.emit(Reflected("truncated", _TOLD))
        more = await _continued(work, parcel, answer.text, tell)
        if isinstance(more, Stop):
            return Cut(answer.text, f"{answer.message} ({more.message})"), manifest
        is_longer = len(_text(more[0]).rstrip()) > len(answer.text.rstrip())
        answer, manifest = more[0], _both(manifest, more[1])
        if not is_longer:
            break
    return answer, manifest


_EMPTY = (
    "The last reply to this was empty. Reply now; if there is nothing to do, say so in a sentence."
)
_TOLD = "The reply was cut off by the token limit; it is being continued."
_GO_ON = (
    "Your reply was cut off by its length limit. Continue it from the line that follows the last one above, which "
    "is:\n\n{}\n\nBegin with that next line: no greeting, nothing repeated, no new opening fence."
)
_GO_ON_INSIDE = (
    "Your reply was cut off by its length limit. Continue it right behind its last character: no greeting, nothing "
    "repeated."
)


async def _spoken(
    work: Work, parcel: Parcel, tell: Emit
) -> tuple[str | Cut, Manifest] | Stop | None:
    """One answer; None if it is empty."""
    try:
        sent = await work.send(parcel, tell)
    except ModelError as error:
        if error.kind != "empty":
            raise
        return None
    if isinstance(sent, Stop) or isinstance(sent[0], Cut) or sent[0].strip():
        return sent
    return None


async def _continued(
    work: Work, parcel: Parcel, text: str, tell: Emit
) -> tuple[str | Cut, Manifest] | Stop:
    """`text` and what follows it."""
    if work.model.info.prefill:
        # Providers refuse a begun answer that ends with a blank.
        base = text.rstrip()
        begun = replace(
            parcel,
            chunks=replace(parcel.chunks, begun=base),
            shorter=replace(parcel.shorter, begun=base),
        )
        sent = await work.send(begun, tell)
        return sent if isinstance(sent, Stop) else (_joined(base, sent[0], 0), sent[1])
    base, rest = split(text)
    words = _GO_ON.format(base.rstrip("\n").rpartition("\n")[2]) if base else _GO_ON_INSIDE
    said = (Message("assistant", base or text), Message("user", words))
    joining = Joining(base or text, rest if base else "", tell)
    sent = await work.send(_with(parcel, *said), joining)
    joining.end()
    if isinstance(sent, Stop):
        return sent
    return _joined(base or text, sent[0], joining.skip), sent[1]


def _joined(base: str, more: str | Cut, skip: int) -> str | Cut:
    if isinstance(more, Cut):
        return replace(more, text=base + more.text[skip:])
    return base + more[skip:]


def _text(answer: str | Cut) -> str:
    return answer.text if isinstance(answer, Cut) else answer


def _with(parcel: Parcel, *said: Message) -> Parcel:
    def told(chunks: Chunks) -> Chunks:
        return replace(chunks, feedback=merged((*chunks.feedback, *said)))

    return replace(parcel, chunks=told(parcel.chunks), shorter=told(parcel.shorter))


def _both(first: Manifest, second: Manifest) -> Manifest:
    """What the reply as a whole may refer to: texts as they were shown at first, secrets of both requests."""
    hidden = {one.value: one for one in (*second.hidden, *first.hidden)}
    return replace(first, hidden=tuple(hidden.values()))


# --- texts


def split(text: str) -> tuple[str, str]:
    """The whole lines of a reply that was cut off, and the piece of a line behind them."""
    at = text.rfind("\n") + 1
    return text[:at], text[at:]


def overlap(base: str, more: str) -> int:
    """How many characters at the beginning of `more` only say again how `base` (whole lines) ends."""
    if base and not base.endswith("\n"):
        return len(base) if more.startswith(base) else 0
    before = base.split("\n")[:-1]
    lines = more.splitlines(keepends=True)
    if (again := _repeated(before, lines)) or not lines or not _is_opened_again(before, lines[0]):
        return again
    return len(lines[0]) + _repeated(before, lines[1:])


def _repeated(before: Sequence[str], lines: Sequence[str]) -> int:
    """Characters of the first of `lines` (with line ends) that are the last of `before`."""
    for count in range(min(_LINES, len(lines), len(before)), 0, -1):
        tail = before[-count:]
        if [line.rstrip("\r\n") for line in lines[:count]] == tail and _is_single(before, tail):
            return sum(map(len, lines[:count]))
    return 0


def runs_away(text: str) -> bool:
    """Whether a reply repeats itself without end."""
    tail = text[-_TAIL:]
    if len(tail) < _TAIL:
        return False
    return any(tail[unit:] == tail[:-unit] for unit in range(1, _UNIT))


def _is_single(before: Sequence[str], tail: Sequence[str]) -> bool:
    """Whether the lines of `tail` say enough, and stand in `before` only once: lines that occur again, and mere
    signs, may as well be meant again."""
    if sum(map(str.isalnum, "".join(tail))) < _LEAST:
        return False
    size = len(tail)
    places = sum(before[at : at + size] == tail for at in range(len(before) - size + 1))
    return places == 1


def _is_opened_again(before: Sequence[str], line: str) -> bool:
    """Whether `line` opens a fence that is open already. A bare one closes it, unless a block has not ended."""
    found = fence(line.rstrip("\r\n"))
    if found is None:
        return False
    open_: tuple[str, str, str] | None = None
    blocks = 0
    for row in before:
        blocks += (HEAD.fullmatch(row) is not None) - (END.fullmatch(row) is not None)
        mark = fence(row)
        if mark is None:
            continue
        if open_ is None:
            open_ = mark
        elif not mark[2] and mark[1].startswith(open_[1]):
            open_ = None
    return open_ is not None and (bool(found[2]) or blocks > 0)


class Joining:
    """An Emit for a continuation: holds back its first lines until it is known what of them is new. `skip`:
    characters that are not. `rest`: what is shown already of the line that is written anew."""

    def __init__(self, base: str, rest: str, emit: Emit) -> None:
        self.skip = 0
        self._base, self._rest, self._emit = base, rest, emit
        self._held: list[Said] | None = []

    def __call__(self, event: Event) -> None:
        if not isinstance(event, Said) or event.reasoning or self._held is None:
            self._emit(event)
            return
        self._held.append(event)
        text = "".join(piece.text for piece in self._held)
        if text.count("\n") > _LINES:
            self.end()

    def end(self) -> None:
        """No more comes that would decide it."""
        if self._held is None:
            return
        text = "".join(piece.text for piece in self._held)
        self._held = None
        self.skip = overlap(self._base, text)
        fresh = text[self.skip :]
        if self._rest:
            fresh = fresh.removeprefix(self._rest) if fresh.startswith(self._rest) else f"\n{fresh}"
        if fresh:
            self._emit(Said(fresh))
