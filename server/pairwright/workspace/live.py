"""The syntax tree and the tags of one open document, brought up to date when somebody reads them.

A change only queues its edits: no parsing on the event loop. Whoever reads first, in a pool thread,
applies what is queued to the tree and asks for the tags of the changed region. The first tags of a
large text come from a process of their own; its tree is built here, in slices, at the first edit or
when nothing happens for a moment. A text in an isolated language, or one that took too long, has no
tree here at all: each of its texts goes to that process, and one it does not get through is told by
its lines until nothing happens for a moment."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence

from pairwright.tags.extract import extract_sliced
from pairwright.tags.files import STUCK, is_apart, is_monotonous, tags_by_line, unfit
from pairwright.tags.languages import language_of
from pairwright.tags.parse import Parsed, reparse
from pairwright.tags.queries import rules
from pairwright.tags.renew import retag
from pairwright.tags.types import EMPTY, Tags
from pairwright.tags.words import NO_WORDS, Bag, bag, retally
from pairwright.text.document import Document, Edit, coalesced
from pairwright.workspace.derive import has_words, words_of
from pairwright.workspace.disk import Disk
from pairwright.workspace.slices import parsed_in_slices, paused

_SINGLE_GO = 16 * 1024
# Seconds a keystroke may hold the interpreter before its text is parsed elsewhere.
_TOO_SLOW = 0.5
_TOO_SLOW_A_BYTE = 2e-6
# Seconds that whoever asks for tags waits for another process.
_PATIENCE = 1.0

Stamp = tuple[int, int, int]
"""Which buffer, which text of it, and how often that text was parsed from scratch: equal stamps,
equal tags."""


class Live:
    """One buffer from its opening to its closing. `number`: no two buffers of a host share it.

    `queue` is the event loop's; everything else may be called from any thread. A text is named by
    its number: 0 as opened, one more with each change."""

    def __init__(self, number: int, document: Document, language_id: str, disk: Disk) -> None:
        self.language = language_of(document.path, document.data, language_id)
        self._number = number
        self._disk = disk
        self._queued: deque[tuple[int, tuple[Edit, ...]]] = deque()
        self._lock = threading.Lock()
        self._at = -1
        self._tags = EMPTY
        self._parsed: Parsed | None = None
        self._was_damaged = False
        self._is_apart = is_apart(self.language, document.data)
        self._is_told_by_line = False
        self._fresh = 0
        self._counted = b""
        self._counted_at = -1
        self._counts: dict[int, int] = {}
        self._words = NO_WORDS

    def queue(self, at: int, edits: Sequence[Edit]) -> None:
        """Text `at` is the one before with `edits` applied one after another. Does no work and
        waits for nobody."""
        self._queued.append((at, tuple(edits)))

    def stamp(self, at: int) -> Stamp:
        """The name of the tags that `tags(at, …)` gives."""
        return self._number, at, self._fresh

    def tags(self, at: int, document: Document) -> Tags:
        """The tags of text `at`, which is `document`."""
        if self.language is None:
            return EMPTY
        with self._lock:
            if at < self._at:
                return self._disk.tags(document, self.language, keep=False)
            if at > self._at:
                self._advance(at, document, self.language)
            return self._tags

    def words(self, at: int, document: Document) -> Bag:
        """The words of text `at`, which is `document`: of a later text than the last one asked for
        only the lines that differ are counted."""
        data = document.data
        with self._lock:
            if at < self._counted_at or not has_words(data, self.language):
                return words_of(data, self.language)
            if at > self._counted_at:
                retally(self._counts, self._counted, data)
                self._counted, self._counted_at = data, at
                self._words = bag(self._counts)
            return self._words

    def prepare(self) -> None:
        """Have ready what the first edit needs. Compiling a language's query holds the interpreter,
        for a third of a second with the largest grammars: better behind the opening than between
        two keystrokes."""
        if self.language is not None and not self._is_apart:
            rules(self.language)

    def refresh(self, at: int, document: Document) -> bool:
        """Parse text `at` from scratch if its tree may differ from a fresh one, or build a large
        text's first tree. Whether tags may have changed."""
        if self.language is None or unfit(document.data) is not None:
            return False
        self.tags(at, document)
        if self._is_apart:
            return self._is_told_by_line and self._refresh_apart(at, document, self.language)
        if not self._was_damaged and self._parsed is not None:
            return False
        # In damaged text a parse in slices may end in another tree than one in a single go. The tags
        # are those of a single go, in another process where it would take long.
        tags = self._disk.tags(document, self.language, most=_SINGLE_GO, keep=False)
        parsed = parsed_in_slices(document.data, self.language)
        if parsed is None:
            return False
        with self._lock:
            if self._at != at:
                return False
            self._parsed, self._tags, self._was_damaged = parsed, tags, False
            self._fresh += 1
        return True

    def _advance_apart(self, document: Document, language: str) -> None:
        found = None
        # Whatever holds up the parser is most likely still there at the next keystroke.
        if self._tags.problem != STUCK:
            found = self._disk.tags_soon(document, language, _PATIENCE)
        self._is_told_by_line = found is None
        self._tags = found or tags_by_line(document.data, language)

    def _refresh_apart(self, at: int, document: Document, language: str) -> bool:
        tags = self._disk.tags_soon(document, language, None)
        with self._lock:
            if self._at != at or tags is None:
                return False
            self._tags, self._is_told_by_line = tags, False
            self._fresh += 1
        return True

    def _advance(self, at: int, document: Document, language: str) -> None:
        edits: list[Edit] = []
        while self._queued and self._queued[0][0] <= at:
            edits += self._queued.popleft()[1]
        edits = list(coalesced(edits))
        data, before = document.data, self._parsed
        if any(is_monotonous(data[edit.start : edit.new_end]) for edit in edits):
            self._parsed, self._is_apart = None, True
        if unfit(data) is not None:
            self._parsed, self._tags = None, tags_by_line(data, language)
        elif self._is_apart:
            self._advance_apart(document, language)
        elif before is not None:
            began = time.thread_time()
            self._parsed = reparse(before, edits, data)
            self._tags = retag(self._tags, before, self._parsed, edits, data)
            self._was_damaged = self._was_damaged or before.damaged or self._parsed.damaged
            if time.thread_time() - began > _TOO_SLOW + _TOO_SLOW_A_BYTE * len(data):
                # Once is a pause that is felt; every keystroke would be one that is not borne.
                self._parsed, self._is_apart, self._is_told_by_line = None, True, True
        elif self._at < 0:
            # Just opened: the cache knows most such texts, and the tree is needed at the first edit
            # only.
            self._tags = self._disk.tags(document, language, keep=False)
        else:
            self._parsed = parsed_in_slices(data, language)
            self._was_damaged = self._parsed is not None and self._parsed.damaged
            self._tags = paused(extract_sliced(self._parsed, data)) if self._parsed else EMPTY
        self._at = at
