"""One conversation as a value: what was said, what became of its edits, its summary; grown record by record.

Pure. How records are kept is the business of `records` and `store`, what of a conversation is sent again that of
`history`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

SCHEMA = 1
"""Of the records. A conversation of a later schema is left alone."""

_MOST_WATCHED = 20
"""Files that a request looks at to see whether they were changed by hand, the last ones edited."""
_TITLE = 80


@dataclass(frozen=True, slots=True)
class Opened:
    """The beginning. `at`: seconds since the epoch. `parent`, `turn`: the conversation this one was forked from,
    and after which of its turns (from 1)."""

    session: str
    at: float
    parent: str = ""
    turn: int = 0
    schema: int = SCHEMA
    id: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One finished turn. `told`: the lines that went with the request, on what had become of earlier edits.
    `heard`: the ids of the facts in them; `seen`: digests of files they called changed by hand, by path.
    `format`: the edit format the answer is written in, empty where it holds no edit. `edited`: the paths of its
    `proposal`."""

    request: str
    answer: str
    told: tuple[str, ...] = ()
    mode: str = "ask"
    format: str = ""
    model: str = ""
    proposal: str = ""
    edited: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    at: float = 0.0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """What became of an edit: `what`, in words (`accepted`, `undone`), of `path`; without a path any line that the
    next request has to tell. `left`: digest of the text it left in the file, empty if it left no file, None if it
    changed nothing."""

    what: str
    path: str = ""
    checkpoint: str = ""
    proposal: str = ""
    left: str | None = None
    at: float = 0.0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """`text` stands for everything up to the exchange with the id `through`."""

    text: str
    through: str
    model: str = ""
    at: float = 0.0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """The files in the chat from now on, by path: to be changed, and for reference only."""

    editable: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    at: float = 0.0
    id: str = ""


Record = Opened | Exchange | Fact | Summary | Files


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation as far as its records are known."""

    opened: Opened
    exchanges: tuple[Exchange, ...] = ()
    facts: tuple[Fact, ...] = ()
    summary: Summary | None = None
    files: Files = Files()

    @property
    def title(self) -> str:
        """The first line of the first request; empty before there is one."""
        return title_of(self.exchanges[0].request) if self.exchanges else ""

    @property
    def summarised(self) -> int:
        """How many exchanges the summary stands for."""
        if self.summary is None:
            return 0
        ids = [exchange.id for exchange in self.exchanges]
        through = self.summary.through
        return ids.index(through) + 1 if through in ids else 0

    @property
    def pending(self) -> tuple[Fact, ...]:
        """The facts that no request has told yet, in order."""
        heard = {id for exchange in self.exchanges for id in exchange.heard}
        return tuple(fact for fact in self.facts if fact.id not in heard)

    @property
    def left(self) -> Mapping[str, str]:
        """Digests of the texts that the edits of this chat left, by path, the latest last; of a file that was
        told to be changed by hand since, of the text it had then."""
        steps = [(f.at, f.path, f.left) for f in self.facts if f.path and f.left is not None]
        steps += [(e.at, path, digest) for e in self.exchanges for path, digest in e.seen]
        found: dict[str, str] = {}
        for _, path, digest in sorted(steps, key=lambda step: step[0]):
            found.pop(path, None)
            found[path] = digest
        return found


def title_of(request: str) -> str:
    """The first line of a request, shortened for a list."""
    words = request.strip().splitlines()
    line = words[0].strip() if words else ""
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def grown(chat: Chat, record: Record) -> Chat:
    """`chat` with one more record."""
    match record:
        case Exchange():
            return replace(chat, exchanges=(*chat.exchanges, record))
        case Fact():
            return replace(chat, facts=(*chat.facts, record))
        case Summary():
            return replace(chat, summary=record)
        case Files():
            return replace(chat, files=record)
        case Opened():
            return chat


def forked(chat: Chat, opened: Opened) -> tuple[Record, ...]:
    """The records of a new conversation that begins as `chat` did, up to `opened.turn`."""
    kept = chat.exchanges[: opened.turn]
    heard = {id for exchange in kept for id in exchange.heard}
    is_whole = len(kept) == len(chat.exchanges)
    facts = chat.facts if is_whole else tuple(fact for fact in chat.facts if fact.id in heard)
    summary = chat.summary if chat.summary and chat.summarised <= len(kept) else None
    rest: list[Record] = [*kept, *facts, *([summary] if summary else []), chat.files]
    return (opened, *(record for record in rest if record.id))


@dataclass(frozen=True, slots=True)
class News:
    """What a request has to tell of earlier edits. `lines`: one a file. `heard`, `seen`: as in Exchange."""

    lines: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()


def news(
    chat: Chat,
    digest: Callable[[str], str | None],
    shown_accepted: Collection[str] = (),
) -> News:
    """What is to be told now. `digest`: of a file's text as it is, None if there is none. `shown_accepted`: files
    that this request shows as if a waiting proposal were accepted, of which nothing can be said."""
    pending = chat.pending
    by_path: dict[str, list[str]] = {}
    for fact in pending:
        by_path.setdefault(fact.path, []).append(_words(fact))
    watched = list(chat.left.items())[-_MOST_WATCHED:]
    seen = []
    for path, left in sorted(watched):
        now = left if path in shown_accepted else digest(path) or ""
        if now != left:
            seen.append((path, now))
            said = "changed by hand" if now else "deleted by hand"
            by_path[path] = [*by_path[path], said] if path in by_path else [f"{said} since"]
    for path in _undecided(chat, shown_accepted):
        by_path.setdefault(path, []).append("proposed, not accepted yet")
    free = by_path.pop("", [])
    lines = (*free, *(f"{path}: {', then '.join(words)}" for path, words in by_path.items()))
    return News(lines, tuple(fact.id for fact in pending), tuple(seen))


def _words(fact: Fact) -> str:
    return f"{fact.what} (checkpoint {fact.checkpoint[:7]})" if fact.checkpoint else fact.what


def _undecided(chat: Chat, shown_accepted: Collection[str]) -> tuple[str, ...]:
    """Files of the last proposal of which nothing was decided since it was made."""
    at = next((n for n, e in reversed([*enumerate(chat.exchanges)]) if e.proposal), None)
    if at is None:
        return ()
    last = chat.exchanges[at]
    before = {id for exchange in chat.exchanges[: at + 1] for id in exchange.heard}
    decided = {f.path for f in chat.facts if f.proposal == last.proposal and f.id not in before}
    return tuple(p for p in last.edited if p not in decided and p not in shown_accepted)


def state_of(chat: Chat, exchange: Exchange, path: str) -> str:
    """The last that became of what `exchange` proposed for `path`; empty if nothing was decided."""
    found = ""
    for fact in chat.facts:
        if exchange.proposal and fact.proposal == exchange.proposal and fact.path == path:
            found = fact.what
    return found
