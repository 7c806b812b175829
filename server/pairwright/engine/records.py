"""Records of files, made from the texts of one snapshot: always of just the text that is there.

What follows from a text alone is remembered by its digest; which files an import means and who uses a file is asked
anew of every snapshot, since other files decide it. What a model said is looked up by path and digest, so an edit, by
whomever, leaves it behind, and a branch that is checked out again finds it. Blocking: call it from a thread.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from pairwright.checkpoints.place import folder_of
from pairwright.engine.exports import about, exports_of, outline_names
from pairwright.graph.imports import VERSION as RESOLVER
from pairwright.graph.imports import Places, resolved
from pairwright.graph.links import family
from pairwright.graph.weights import is_identifier
from pairwright.memory.claims import verified
from pairwright.memory.files import Facts, Prose, Record, Uses, Verification
from pairwright.memory.shelf import Shelf
from pairwright.tags.files import recipe
from pairwright.tags.imports import VERSION as IMPORTS
from pairwright.tags.imports import Import, imports_of
from pairwright.tags.types import Tags
from pairwright.text.document import Document
from pairwright.workspace.types import Snapshot

MOST_USERS = 100
"""Files that a record names as its users."""
MOST_ASKED = 150
"""Files whose imports are read to tell which of several definitions they mean."""

PROMPT = "notes1"
"""Changes with what a model is asked to say of a file."""
SOMEBODY = "a model"

_VERSION = 1
_REMEMBERED = 2_000
_LEAST_MOVED = 64
"""Bytes below which a text is no sign that a file was moved: many are empty, or say the same."""
# Languages in which a file names only what it imports.
_IMPORTING = frozenset(("python", "javascript", "typescript", "tsx", "vue", "svelte", "astro"))
_WORD = re.compile(r"[^\W\d]\w*")
_MODULE = re.compile(rb"^module[ \t]+(\S+)", re.M)


def place_of(data: Path, root: str) -> Path:
    """Where what models said of the files of the folder `root` is kept below the user's data folder."""
    return data / "records" / f"{folder_of(data, root).name}.sqlite"


class Notebook:
    """What is known of the files of one workspace, for all its snapshots. `shelf`: what models said of them, kept
    there while `keeps()`; else it is known until the server ends."""

    def __init__(
        self, shelf: Shelf | None = None, keeps: Callable[[], bool] = lambda: True
    ) -> None:
        self._shelf = shelf or Shelf(None)
        self._passing = Shelf(None)
        self._keeps = keeps
        self._lock = threading.Lock()
        self._facts: OrderedDict[tuple[str, str], tuple[Facts, tuple[str, ...]]] = OrderedDict()

    def at(self, snapshot: Snapshot) -> Records:
        """The records of the texts of `snapshot`."""
        return Records(snapshot, self)

    def learn(
        self, document: Document, purpose: str, notes: Sequence[str], model: str = SOMEBODY
    ) -> None:
        """Keep what `model` said of just this text; nothing said is nothing kept. Blocking."""
        if purpose or notes:
            shelf = self._shelf if self._keeps() else self._passing
            prose = Prose(document.digest, purpose, tuple(notes), model, PROMPT)
            shelf.put(document.path, prose)

    def said(self, path: str, digest: str) -> Prose | None:
        """What was said of just this content at `path`. Blocking."""
        return self._passing.get(path, digest) or self._shelf.get(path, digest)

    def said_elsewhere(self, digest: str) -> tuple[tuple[str, Prose], ...]:
        """(path, what was said) of this content anywhere, the last first. Blocking."""
        return (*self._passing.elsewhere(digest), *self._shelf.elsewhere(digest))

    def paths(self) -> tuple[str, ...]:
        """The files of which something was said at some time, sorted. Blocking."""
        return tuple(sorted({*self._passing.paths(), *self._shelf.paths()}))

    def close(self) -> None:
        """Let go of the disk."""
        self._passing.close()
        self._shelf.close()

    def facts(self, document: Document, tags: Tags) -> tuple[Facts, tuple[str, ...]]:
        """What the text says, and its outer names. Tags of a text under way are not remembered."""
        key = document.digest, tags.language or ""
        is_settled = not (tags.damaged or tags.deferred)
        with self._lock:
            held = self._facts.get(key) if is_settled else None
            if held is not None:
                self._facts.move_to_end(key)
                return held
        made = _facts(document, tags), outline_names(document, tags)
        if is_settled:
            with self._lock:
                self._facts[key] = made
                while len(self._facts) > _REMEMBERED:
                    self._facts.popitem(last=False)
        return made


class Records:
    """The records of one snapshot. Never changes but for what it has looked up already."""

    def __init__(self, snapshot: Snapshot, notebook: Notebook) -> None:
        self.snapshot = snapshot
        self._notebook = notebook
        self._made: dict[str, Record] = {}

    def seen(self, path: str) -> tuple[Document, Record | None] | None:
        """The text at `path` and the record of just that text, None where its language is unknown; None altogether
        for a file that may not be shown or has no text."""
        found = None if self.snapshot.ignored(path) else self.snapshot.tagged(path)
        if found is None:
            return None
        document, tags = found
        if tags.language is None:
            return document, None
        # A closed file may change between two questions: the memo is good for one content only.
        held = self._made.get(path)
        if held is None or held.digest != document.digest or tags.damaged or tags.deferred:
            held = self._made[path] = self._record(document, tags)
        return document, held

    def of(self, path: str) -> Record | None:
        """The record of the file at `path`; None if there is none."""
        found = self.seen(path)
        return found[1] if found is not None else None

    def spoken_of(self) -> tuple[str, ...]:
        """The files of the index that a model said something of as they are, then the open ones; sorted each."""
        known = self._places.known
        said = [path for path in self._notebook.paths() if path in known and self._is_said(path)]
        return tuple(
            dict.fromkeys((*said, *(path for path in self.snapshot.buffers if path in known)))
        )

    def _is_said(self, path: str) -> bool:
        document = self.snapshot.document(path)
        return document is not None and self._notebook.said(path, document.digest) is not None

    def depends_on(self, path: str) -> tuple[str, ...]:
        """The files that the one at `path` imports, in the order of its imports. Cheaper than its record."""
        found = None if self.snapshot.ignored(path) else self.snapshot.tagged(path)
        if found is None or found[1].language is None:
            return ()
        facts, _ = self._notebook.facts(*found)
        uses = (self._resolved(item, facts.language, path) for item in facts.imports)
        return tuple(dict.fromkeys(one for item in uses for one in item.resolved))

    def _record(self, document: Document, tags: Tags) -> Record:
        path = document.path
        facts, outline = self._notebook.facts(document, tags)
        imports = tuple(self._resolved(item, facts.language, path) for item in facts.imports)
        used_by = self._used_by(path, facts.language, outline)
        record = Record(path, facts, imports, used_by)
        said = self._said(document)
        return record if said is None else _with(record, said)

    def _said(self, document: Document) -> Prose | None:
        """What was said of this content here, else where it lay before it was moved."""
        notebook = self._notebook
        if (said := notebook.said(document.path, document.digest)) is not None:
            return said
        if len(document.data.strip()) < _LEAST_MOVED:
            return None
        for old, said in notebook.said_elsewhere(document.digest):
            if old not in self._places.known and self.snapshot.on_disk(old) is None:
                return said
        return None

    # --- other files

    @cached_property
    def _places(self) -> Places:
        paths = self.snapshot.paths()
        return Places(paths, dict(self._modules(paths)))

    def _modules(self, paths: Iterable[str]) -> Iterable[tuple[str, str]]:
        for path in paths:
            if path == "go.mod" or path.endswith("/go.mod"):
                document = self.snapshot.document(path)
                named = _MODULE.search(document.data) if document else None
                if named:
                    yield named[1].decode("utf-8", "replace").strip('"'), path.rpartition("/")[0]

    def _resolved(self, item: Uses, language: str, path: str) -> Uses:
        files = resolved(Import(item.module, item.names), language, path, self._places)
        return Uses(item.module, item.names, files)

    def _used_by(
        self, path: str, language: str, outline: tuple[str, ...]
    ) -> tuple[tuple[str, int], ...]:
        """(path, references), most first. A name that other files define too counts only in files that import this
        one; so do plain words, and the name of the file itself, by which modules are referred to."""
        kin, counts, asked = family(path), dict[str, int](), dict[str, bool]()

        def means(other: str) -> bool:
            if other not in asked:
                asked[other] = len(asked) < MOST_ASKED and path in self.depends_on(other)
            return asked[other]

        for name in dict.fromkeys((*outline, *_stem(path))):
            definers = self.snapshot.definers(name)
            is_plain = language in _IMPORTING and name.islower() and not is_identifier(name)
            is_sure = definers == (path,) and not is_plain
            for other, count in self.snapshot.referrers(name):
                if other == path or family(other) != kin:
                    continue
                if is_sure or means(other):
                    counts[other] = counts.get(other, 0) + count
        found = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        return tuple(found[:MOST_USERS])


def _facts(document: Document, tags: Tags) -> Facts:
    language = tags.language or ""
    exports = exports_of(document, tags)
    imports = imports_of(document.data, language)
    is_partial = bool(tags.problem) or tags.damaged or tags.deferred or tags.trust == "none"
    names = {item.name for item in tags.defs} | set(tags.ref_names)
    for export in exports:
        names.update(_WORD.findall(export.signature))
    for item in imports:
        names.update((item.module.lstrip("<"), *_WORD.findall(item.module), *item.names))
    lines = document.lines
    is_ended = lines.count > 1 and lines.start(lines.count - 1) == len(document.data)
    return Facts(
        document.digest,
        language,
        extractor(),
        exports,
        tuple(Uses(item.module, item.names) for item in imports),
        lines.count - is_ended if document.data else 0,
        about(document, tags),
        tuple(sorted(names)),
        "partial" if is_partial else "whole",
    )


def extractor() -> str:
    """Which code reads facts out of a text; changes whenever it would read others."""
    return f"records{_VERSION}.{IMPORTS}.{RESOLVER}-{recipe()}"


def _with(record: Record, said: Prose) -> Record:
    """`record` with what its own names and paths bear out of `said`."""
    paths = [record.path, *record.depends_on, *(path for path, _ in record.used_by)]
    names = set(record.facts.names)
    for path in paths:
        pure = PurePosixPath(path)
        names.update((path, pure.name, pure.stem))
    left = verified(said.purpose, said.notes, names)
    return Record(
        record.path,
        record.facts,
        record.imports,
        record.used_by,
        left.purpose,
        left.notes,
        said.model,
        Verification(left.claimed, left.confirmed, left.dropped),
    )


def _stem(path: str) -> tuple[str, ...]:
    """The name by which a file is imported: its own, or its folder's where it stands for it."""
    folder, _, base = path.rpartition("/")
    stem = base.split(".", 1)[0]
    if stem in ("__init__", "index", "mod", "lib", "main"):
        stem = folder.rpartition("/")[2]
    return (stem,) if stem else ()
