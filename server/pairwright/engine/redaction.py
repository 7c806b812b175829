"""Secrets taken out of what leaves, and kept where they stand in what comes back.

A request carries numbered placeholders; the stream of the answer is given on with the values in their places, so
that edits, history and the user see texts as they are. What no reply may do is carry a secret somewhere else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pairwright.config.schema import Privacy
from pairwright.edits.types import Block, FileChange, Problem
from pairwright.llm.types import Message, ModelInfo
from pairwright.prompts.build import Chunks, FileText
from pairwright.secrets.find import env_values, is_env
from pairwright.secrets.hide import PLACEHOLDER, Hidden, Text, hide, reveal, stem_of
from pairwright.text.document import Document

_MOST_ENV = 64 * 1024


def wanted(privacy: Privacy, info: ModelInfo) -> bool:
    """Whether secrets are hidden from this model."""
    return privacy.redact == "always" or (privacy.redact == "remote" and not info.loopback)


def redacted(
    chunks: Chunks, shorter: Chunks, values: Sequence[str]
) -> tuple[Chunks, Chunks, tuple[Hidden, ...]]:
    """Both forms of a request with the same placeholders, and what they stand for."""
    texts = [*_texts(chunks), *_texts(shorter)]
    out, hidden = hide(texts, values)
    if not hidden:
        return chunks, shorter, ()
    left = iter(out)
    return _with(chunks, left), _with(shorter, left), hidden


def known_values(root: str, privacy: Privacy) -> tuple[str, ...]:
    """Secrets of the workspace that no rule would know by their looks: the values of the environment files in
    its root. Reads the disk."""
    if not privacy.environment_files:
        return ()
    try:
        with os.scandir(root) as entries:
            found = sorted(entry.path for entry in entries if is_env(entry.name))
    except OSError:
        return ()
    values: list[str] = []
    for path in found:
        try:
            stat = Path(path).stat()
            values += _values_of(path, stat.st_ctime_ns, stat.st_size)
        except OSError:
            continue
    return tuple(dict.fromkeys(values))


@lru_cache(maxsize=64)
def _values_of(path: str, changed: int, size: int) -> tuple[str, ...]:
    """The values of the environment file at `path`, read again when it was touched. Raises OSError."""
    with Path(path).open("rb") as file:
        return env_values(file.read(_MOST_ENV).decode("utf-8", "replace"))


def carried_off(
    blocks: Sequence[Block], hidden: Sequence[Hidden], documents: Mapping[str, Document]
) -> tuple[Problem, ...]:
    """The blocks that would write a secret where it does not stand, or a placeholder that stands for nothing."""
    problems = []
    for index, block in enumerate(blocks):
        new, old = "\n".join(block.replace), "\n".join(block.search)
        shown = documents.get(block.path or "")
        if block.operation in ("whole", "symbol") and shown is not None:
            old = shown.data.decode("utf-8", "replace")
        rules = [one.rule for one in hidden if one.value in new and one.value not in old]
        if rules:
            problems.append(Problem("edit-match", _CARRIED.format(rules[0]), block.path, index))
        elif hidden and stem_of(hidden) in new and stem_of(hidden) not in old:
            problems.append(Problem("edit-match", _UNKNOWN, block.path, index))
    return tuple(problems)


def placeholders(changes: Sequence[FileChange]) -> tuple[str, ...]:
    """Why `changes` of a reply from elsewhere may not be made: they would write placeholders, whose values are
    not known here."""
    found = []
    for change in changes:
        fresh = set(PLACEHOLDER.findall(change.after or b""))
        fresh -= set(PLACEHOLDER.findall(change.before or b""))
        found += [_NOT_COPIED.format(change.path, name.decode()) for name in sorted(fresh)]
    return tuple(found)


_NOT_COPIED = "{}: {} stands for a secret that was not copied. Put its value into the reply first."
_CARRIED = (
    "This block would write a secret ({}) where it does not stand. Leave secrets where they are, and refer to "
    "them by the name they are assigned to."
)
_UNKNOWN = "This block writes a placeholder of a secret that was not in the request. Leave it out."


def told(hidden: Sequence[Hidden]) -> str:
    """One line for the user: what was held back, never a value."""
    rules = dict.fromkeys(f"{one.rule} in {', '.join(one.sources)}" for one in hidden)
    many = "1 secret was" if len(hidden) == 1 else f"{len(hidden)} secrets were"
    return f"{many} hidden from the model: {'; '.join(rules)}"


class Revealing:
    """The answer's text with values in the places of placeholders. Holds back what may be the beginning of
    one. One writer: the reader of the stream."""

    def __init__(self, hidden: Sequence[Hidden]) -> None:
        self._hidden = hidden
        self._names = tuple(one.placeholder for one in hidden)
        self._longest = max(map(len, self._names), default=0)
        self._held = ""

    def feed(self, text: str) -> str:
        """What of the answer is certain by now."""
        held = self._held + text
        # A whole name may still become a longer one: `…_1` and `…_12`.
        size = min(len(held), self._longest)
        while size and not any(name.startswith(held[-size:]) for name in self._names):
            size -= 1
        cut = len(held) - size
        self._held = held[cut:]
        return reveal(held[:cut], self._hidden)

    def end(self) -> str:
        """The rest."""
        held, self._held = self._held, ""
        return reveal(held, self._hidden)


def _texts(chunks: Chunks) -> Iterator[Text]:
    for file in (*chunks.read_only, *chunks.files, *chunks.pages, *chunks.references):
        yield Text(file.label or file.path, "names of files")
        yield Text(file.text, file.path, file.path)
    for image in chunks.images:
        yield Text(image.name, "names of files")
    yield Text(chunks.map, "map")
    yield Text(chunks.second_map, "second map")
    for message in chunks.history:
        yield Text(message.content, "history")
    for fact in chunks.facts:
        yield Text(fact, "history")
    yield Text(chunks.focus, "request")
    for line in (*chunks.diagnostics, *chunks.open_files):
        yield Text(line, "request")
    yield Text(chunks.request, "request")
    for message in chunks.feedback:
        yield Text(message.content, "reflection")
    yield Text(chunks.begun, "begun answer")


def _with(chunks: Chunks, out: Iterator[str]) -> Chunks:
    """`chunks` with the texts of `out`, in the order of `_texts`."""
    return replace(
        chunks,
        read_only=_files(chunks.read_only, out),
        files=_files(chunks.files, out),
        pages=_files(chunks.pages, out),
        references=_files(chunks.references, out),
        images=tuple(replace(image, name=next(out)) for image in chunks.images),
        map=next(out),
        second_map=next(out),
        history=_messages(chunks.history, out),
        facts=tuple(next(out) for _ in chunks.facts),
        focus=next(out),
        diagnostics=tuple(next(out) for _ in chunks.diagnostics),
        open_files=tuple(next(out) for _ in chunks.open_files),
        request=next(out),
        feedback=_messages(chunks.feedback, out),
        begun=next(out),
    )


def _files(files: Sequence[FileText], out: Iterator[str]) -> tuple[FileText, ...]:
    shown = []
    for file in files:
        name, text = next(out), next(out)
        # The path stays, which is what a reply is held against; only what is shown of it changes.
        label = file.label if name == (file.label or file.path) else name
        shown.append(replace(file, label=label, text=text))
    return tuple(shown)


def _messages(messages: Sequence[Message], out: Iterator[str]) -> tuple[Message, ...]:
    return tuple(replace(message, content=next(out)) for message in messages)
