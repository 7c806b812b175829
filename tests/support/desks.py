"""A desk over a real folder, a strict editor, a real store and a real journal."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.support.fake_editor import FakeEditor

from pairwright.checkpoints.repo import Store
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.change import Desk
from pairwright.engine.journal import FolderJournal
from pairwright.engine.proposals import Proposal
from pairwright.engine.proposals_store import Proposals


@dataclass
class Office:
    """The parts a test looks at. `root`: the workspace; all else lies outside it."""

    root: Path
    data: Path
    editor: FakeEditor
    desk: Desk

    @classmethod
    def of(cls, base: Path, style: Literal["saving", "unsaved"] = "saving") -> Office:
        return cls.at(base / "work", base / "data", style)

    @classmethod
    def at(cls, root: Path, data: Path, style: Literal["saving", "unsaved"] = "saving") -> Office:
        root.mkdir(parents=True, exist_ok=True)
        editor = FakeEditor(root.resolve(), style)
        ticks = itertools.count(1_700_000_000)
        proposals = Proposals(FolderJournal(data / "proposals"), lambda: "x")
        store = Store(data / "store", str(root))
        desk = Desk(proposals, editor.snapshot, editor, store, lambda: float(next(ticks)))
        return cls(root, data, editor, desk)

    def write(self, files: Mapping[str, bytes], mode: int = 0o644) -> None:
        for path in sorted(files):
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(files[path])
            place.chmod(mode)

    def propose(
        self,
        wanted: Mapping[str, bytes | None],
        request: str = "Change it",
        missing: tuple[str, ...] = (),
    ) -> Proposal:
        """A proposal that brings each path to a text; None deletes it."""
        changes = []
        for path, after in wanted.items():
            before = self.editor.text(path)
            hunks = () if before is None or after is None else diff(before, after)
            changes.append(FileChange(path, before, after, hunks))
        snapshot = self.editor.snapshot()
        return self.desk.proposals.propose(changes, request, snapshot, 1.0, missing)

    def propose_move(self, old: str, new: str, after: bytes | None = None) -> Proposal:
        """A proposal that renames `old` to `new`, with the text `after` if given."""
        before = self.editor.text(old)
        assert before is not None
        text = before if after is None else after
        change = FileChange(new, before, text, diff(before, text), old)
        snapshot = self.editor.snapshot()
        return self.desk.proposals.propose((change,), "Rename it", snapshot, 1.0)

    def on_disk(self) -> dict[str, tuple[int, bytes]]:
        """Every file and link below the root: mode and bytes; directories with none."""
        found: dict[str, tuple[int, bytes]] = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = (0o120000, bytes(path.readlink()))
            elif path.is_dir():
                found[name + "/"] = (0, b"")
            else:
                found[name] = (path.stat().st_mode & 0o7777, path.read_bytes())
        return found

    def restarted(self) -> Office:
        """The same folders, seen by a new server; buffers are gone."""
        return Office.at(self.root, self.data, self.editor.style)
