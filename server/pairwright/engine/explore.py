"""What a model asked to look at, answered from one snapshot: read-only, bounded, the same for the same texts.

Only files of the index are looked at, so nothing under ignore rules is. Every line of an answer has its path and
number. Knows no model and no session; works on values: run it in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pairwright.edits.looks import Look
from pairwright.edits.mentions import meant
from pairwright.engine.serve import Served
from pairwright.prompts.fence import fence
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

MOST_PLACES = 40
"""Lines that a search or a list of references shows."""
MOST_IN_FILE = 8
MOST_DEFINITIONS = 6
MOST_SEARCHED = 3_000
"""Files that a search reads, those first that use its words most."""
_MOST_BYTES = 32_000_000
_MAP_SHARE = 2
"""A map takes one part in so many of the room."""
_LONGEST_ROW = 240


@dataclass(frozen=True, slots=True)
class Answered:
    """One wish and what came of it. `asked`: as written; `found`: in a few words, for the user; `text`: for the
    model; `paths`: the files whose text is in it; `joins`: the file to be shown whole instead; `is_record`: what is
    in it of them is a record, not their text."""

    asked: str
    found: str
    text: str
    paths: tuple[str, ...] = ()
    joins: str = ""
    is_record: bool = False


Serve = Callable[[str, int], Served | None]
"""What is shown of a path that is asked for, in so many tokens; None leaves it to the look-up."""


def look_up(
    looks: Sequence[Look],
    snapshot: Snapshot,
    shown: Collection[str],
    room: int,
    serve: Serve = lambda path, room: None,
) -> tuple[Answered, ...]:
    """The answers to `looks`, in order, in at most `room` tokens together, files that join counted. `shown`: files
    that stand in the prompt whole. `serve`: says which files are shown by their record first."""
    found: list[Answered] = []
    for at, look in enumerate(looks):
        # What one answer leaves, the next may use.
        share = max(0, room) // (len(looks) - at)
        answer, tokens = _answer(look, snapshot, shown, share, serve)
        room -= tokens
        found.append(answer)
    return tuple(found)


def _answer(
    look: Look, snapshot: Snapshot, shown: Collection[str], room: int, serve: Serve
) -> tuple[Answered, int]:
    """The answer and the tokens it takes."""
    if look.kind == "file":
        made = _file(look, snapshot, shown, room, serve)
    elif look.kind == "symbol":
        made = _symbol(look, snapshot, room)
    elif look.kind == "map":
        made = _map(look, snapshot, shown, room)
    elif look.kind == "references":
        made = _rows(look, _references(look.what, snapshot), room)
    else:
        made = _rows(look, _matches(look.what, snapshot), room)
    document = snapshot.document(made.joins) if made.joins else None
    return made, estimate(made.text) + (estimate(document.text) if document else 0)


# --- files


def _file(
    look: Look, snapshot: Snapshot, shown: Collection[str], room: int, serve: Serve
) -> Answered:
    paths = snapshot.paths()
    path = meant(look.what, paths)
    document = snapshot.document(path) if path else None
    if path is None or document is None:
        return _nothing(look, _unknown(look.what, paths))
    if not look.first and path in shown:
        return _nothing(look, f"{path} stands in this request already.")
    if not look.first and (one := serve(path, room)) is not None and one.form != "full":
        text = f"{_quoted(f'{look.said}:', one.text.splitlines())}\n\n{_MORE.format(path)}"
        return Answered(look.said, _RECORD, text, (path,), is_record=True)
    if not look.first and estimate(document.text) <= room:
        text = f"{path} stands among the files you asked for."
        return Answered(look.said, _many(_count(document), "line"), text, (), path)
    last = look.last or _count(document)
    return _lines(look, document, look.first or 1, last, room)


def _lines(look: Look, document: Document, first: int, last: int, room: int) -> Answered:
    """Lines `first` to `last` of `document`, from 1, as many as fit."""
    count = _count(document)
    if first > count:
        return _nothing(look, f"{document.path} has {_many(count, 'line')} only.")
    rows = list(_within(_texts(document, first - 1, min(last, count)), room))
    stop = first + len(rows) - 1
    said = f"{document.path}, lines {first}-{stop} of {count}"
    if stop < min(last, count):
        said += " (cut: ask for further lines, or for a symbol)"
    return Answered(look.said, _many(len(rows), "line"), _quoted(said, rows), (document.path,))


def _count(document: Document) -> int:
    """Lines as an editor counts them, without the empty one behind the last line end."""
    lines = document.lines
    return lines.count - (lines.count > 1 and lines.start(lines.count - 1) == len(document.data))


def _unknown(name: str, paths: tuple[str, ...]) -> str:
    base = name.replace("\\", "/").rpartition("/")[2].casefold()
    alike = [path for path in paths if path.rpartition("/")[2].casefold() == base][:MOST_IN_FILE]
    if alike:
        return f"more than one file is called so: {', '.join(alike)}."
    return "no file of the workspace is called so."


_RECORD = "a record of it"
_MORE = (
    "This is not its text. For that ask for some of its lines (`file {0}:1-200`), for a definition (`symbol name`), "
    "or for the file once more."
)


# --- symbols


def _symbol(look: Look, snapshot: Snapshot, room: int) -> Answered:
    """The text of every definition of a name; `Cart.total` means the one inside `Cart`."""
    *around, name = look.what.replace("::", ".").replace("#", ".").strip(".()").split(".")
    places = list(_definitions(name, around, snapshot))
    if not places:
        seen = "the workspace" if snapshot.ready() else "what is read of the workspace so far"
        return _nothing(look, f"nothing of that name is defined in {seen}.")
    parts: list[str] = []
    for at, (document, first, last) in enumerate(places[:MOST_DEFINITIONS]):
        share = room // (min(len(places), MOST_DEFINITIONS) - at)
        rows = list(_within(_texts(document, first, last + 1), share))
        said = f"{document.path}:{first + 1}"
        said += "" if len(rows) > last - first else f" (cut; it ends in line {last + 1})"
        parts.append(_quoted(said, rows))
        room -= estimate(parts[-1])
    if len(places) > MOST_DEFINITIONS:
        more = (f"{d.path}:{first + 1}" for d, first, _ in places[MOST_DEFINITIONS:][:MOST_PLACES])
        parts.append(f"Also defined in {', '.join(more)}.")
    paths = dict.fromkeys(document.path for document, _, _ in places)
    return Answered(look.said, _many(len(places), "definition"), "\n\n".join(parts), tuple(paths))


def _definitions(
    name: str, around: Sequence[str], snapshot: Snapshot
) -> Iterator[tuple[Document, int, int]]:
    """Where `name` is defined: text, first and last line from 0."""
    for path in snapshot.definers(name):
        found = snapshot.tagged(path)
        if found is None:
            continue
        document, tags = found
        for item in tags.defs:
            if item.name != name:
                continue
            outer = {d.name for d in tags.defs if d.start <= item.start and item.end <= d.end}
            if set(around) <= outer:
                lines = document.lines
                yield document, lines.line_at(item.start), lines.line_at(max(0, item.end - 1))


def _references(name: str, snapshot: Snapshot) -> Iterator[tuple[Document, int]]:
    """Lines, from 0, that refer to `name`; the files that do so most come first."""
    bare = name.replace("::", ".").strip(".()").rpartition(".")[2]
    for path, _ in snapshot.referrers(bare):
        found = snapshot.tagged(path)
        if found is None:
            continue
        document, tags = found
        pairs = zip(tags.ref_names, tags.ref_starts, strict=True)
        at = (document.lines.line_at(start) for name_, start in pairs if name_ == bare)
        yield from ((document, line) for line in dict.fromkeys(at))


# --- text


def _matches(text: str, snapshot: Snapshot) -> Iterator[tuple[Document, int]]:
    """Lines, from 0, that hold `text`; in small letters it stands for any case. Files that use its words come first,
    then the others by path."""
    any_case = text == text.lower()
    wanted = text.encode("utf-8", "surrogatepass")
    read = 0
    for path in _by_words(text, snapshot)[:MOST_SEARCHED]:
        if read > _MOST_BYTES:
            return
        document = snapshot.document(path)
        if document is None:
            continue
        read += len(document.data)
        data = document.data.lower() if any_case else document.data
        at = data.find(wanted)
        while at >= 0:
            line = document.lines.line_at(at)
            yield document, line
            at = (
                data.find(wanted, document.lines.start(line + 1))
                if _has(document, line + 1)
                else -1
            )


def _has(document: Document, line: int) -> bool:
    return line < document.lines.count


def _by_words(text: str, snapshot: Snapshot) -> list[str]:
    ranking = snapshot.rank(focus_of(snapshot, text))
    ranked = [path for path, _ in ranking.files]
    known = frozenset(ranked)
    return [*ranked, *(path for path in snapshot.paths() if path not in known)]


def _rows(look: Look, places: Iterable[tuple[Document, int]], room: int) -> Answered:
    """Places as lines `path:line: text`, so many of a file and altogether."""
    rows: list[str] = []
    by_file: dict[str, int] = {}
    total = 0
    for document, line in places:
        total += 1
        by_file[document.path] = by_file.get(document.path, 0) + 1
        if len(rows) < MOST_PLACES and by_file[document.path] <= MOST_IN_FILE:
            (text,) = _texts(document, line, line + 1)
            rows.append(f"{document.path}:{line + 1}: {text.strip()}")
        if total > 10 * MOST_PLACES:
            break
    if not rows:
        return _nothing(look, "nothing found.")
    kept = list(_within(rows, room))
    found = _many(total, "place")
    left = f"\n({len(kept)} of {found} shown)" if len(kept) < total else ""
    paths = tuple(path for path in by_file if any(row.startswith(f"{path}:") for row in kept))
    return Answered(look.said, found, _quoted(f"{look.said}:", kept) + left, paths)


def _map(look: Look, snapshot: Snapshot, shown: Collection[str], room: int) -> Answered:
    """A map of what the words are about, beside what is shown."""
    made = repo_map(snapshot, focus_of(snapshot, look.what, shown), room // _MAP_SHARE)
    if not made.shown:
        return _nothing(look, made.reason or "nothing found.")
    paths = dict.fromkeys(item.path for item in made.shown)
    text = f"{look.said}:\n\n{made.text.strip()}"
    return Answered(look.said, _many(len(made.shown), "definition"), text, tuple(paths))


# --- words


def _nothing(look: Look, reason: str) -> Answered:
    return Answered(look.said, reason, f"{look.said}: {reason}")


def _texts(document: Document, first: int, stop: int) -> Iterator[str]:
    """Lines `first` to `stop`, from 0, without line ends; long ones cut."""
    lines, data = document.lines, document.data
    for number in range(first, stop):
        row = data[lines.start(number) : lines.end(number, data)].decode("utf-8", "replace")
        yield row if len(row) <= _LONGEST_ROW else f"{row[:_LONGEST_ROW]}…"


def _within(rows: Iterable[str], room: int) -> Iterator[str]:
    """The first of `rows` that fit into `room` tokens, one at least."""
    for at, row in enumerate(rows):
        room -= estimate(row) + 1
        if room < 0 and at:
            return
        yield row


def _quoted(said: str, rows: Sequence[str]) -> str:
    marks = fence(rows)
    return "\n".join((said, marks, *rows, marks))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
