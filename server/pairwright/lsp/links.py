"""Edits of links: the text of a link is its target's, so that file is the one an editor is asked to change.

An editor that opens a link reports a buffer of the target; asked by the link's own name, its change would look
like none. Knows paths and no editor.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pairwright.edits.types import FileChange
from pairwright.lsp.uris import real, relative


def followed(root: str, change: FileChange) -> FileChange:
    """`change` under the name of the file it changes, below `root` (a real path). A link that is made, removed
    or renamed is meant itself, and one that leads outside stays under its name, to be refused by it."""
    if change.before is None or change.after is None or change.moved_from is not None:
        return change
    inside = relative(real(str(Path(root, change.path))), root)
    return change if inside is None or inside == change.path else replace(change, path=inside)
