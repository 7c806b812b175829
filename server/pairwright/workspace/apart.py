"""The tags of single texts for a command that has no index: an isolated language in a process of its own."""

from __future__ import annotations

from pairwright.tags.files import is_isolated, tags_by_line, tags_of
from pairwright.tags.languages import language_of
from pairwright.tags.types import EMPTY, Tags
from pairwright.workspace.codec import unpack_tags
from pairwright.workspace.workers import Standby, WorkerDied


class Apart:
    """A context: the process is started at the first text that needs it and ends with the context."""

    def __init__(self) -> None:
        self._standby = Standby()

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_: object) -> None:
        self._standby.stop()

    def tags(self, path: str, data: bytes, language: str | None = None) -> Tags:
        """The tags of `data`, the text of the file at `path`; in `language` where the caller knows it."""
        language = language or language_of(path, data)
        if language is None:
            return EMPTY
        if not is_isolated(language):
            return tags_of(path, data, language)
        try:
            blob = self._standby.tags(path, data, language)
        except WorkerDied:
            blob = None
        return (unpack_tags(blob) if blob else None) or tags_by_line(data, language)
