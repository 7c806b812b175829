"""A user with an editor and the git command, and Pairwright, at the same files in turn.

Every step is drawn from a seed. After each step of Pairwright the rules are checked: nothing of the
repository moved; no line the user wrote is gone; what was refused changed nothing; an undo is what
the git command makes of the same three texts."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.support.desks import Office

from pairwright.checkpoints.types import Checkpoint
from pairwright.engine.accept import Selection, accept
from pairwright.engine.accept_capture import text_of
from pairwright.engine.undo import How, UndoResult, redo, restore, undo

PATHS = ["a.txt", "b.txt", "d/c.txt", "d/e.txt", "n.txt"]
BRANCHES = ["main", "side", "other"]
_OURS = b"pairwright-"
_THEIRS = b"user-"

Texts = dict[str, bytes | None]


class Crossfire:
    """One run. `counts`: how often each thing came to its end, by name and state."""

    def __init__(self, base: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.office = Office.at(
            base / "work", base / "data", self.random.choice(["saving", "unsaved"])
        )
        self.root = self.office.root
        self.counts: dict[str, int] = {}
        self._number = 0
        self._stashed = 0
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": str(base),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_EDITOR": "true",
            **{f"GIT_{who}_NAME": "User" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "user@example.invalid" for who in ("AUTHOR", "COMMITTER")},
        }
        lines = b"".join(b"line %d\n" % number for number in range(12))
        self.office.write(dict.fromkeys(PATHS[:3], lines))
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")

    async def run(self, steps: int) -> None:
        """So many steps, and the last look at everything."""
        user = [
            *[self.edit] * 6,
            self.save,
            self.stage,
            self.stage_part,
            self.commit,
            self.switch,
            self.stash,
            self.merge,
            self.remove,
        ]
        ours = [*[self.accept] * 5, *[self.undo] * 4, self.turn, self.redo, self.restore]
        for _ in range(steps):
            if self.random.random() < 0.5:
                self.random.choice(user)()
            else:
                await self.checked(self.random.choice(ours))
        self.git("fsck", "--strict", "--no-dangling")
        authors = self.git("log", "--all", "--format=%an %cn")
        assert set(authors.split("\n")) == {"User User"}
        store = self.office.desk.store
        if store.list():
            self._git(store.path, "fsck", "--strict", "--no-dangling")

    # --- the user

    def edit(self) -> None:
        path = self.random.choice(PATHS)
        text = self.office.editor.text(path)
        if text is None:
            self.office.write({path: self._line(_THEIRS)})
            return
        if path not in self.office.editor.buffers and self.random.random() < 0.5:
            self.office.write({path: self._inserted(text, _THEIRS)})
            return
        if path not in self.office.editor.buffers:
            self.office.editor.open(path)
        self.office.editor.open(path, self._inserted(text, _THEIRS))

    def save(self) -> None:
        self.office.editor.save_all()

    def stage(self) -> None:
        self.git("add", "-A", self.random.choice([".", "d"]) if (self.root / "d").exists() else ".")

    def stage_part(self) -> None:
        """Stage a version that is neither the committed one nor the one on disk."""
        path = self.random.choice(PATHS)
        if (self.root / path).is_file():
            text = (self.root / path).read_bytes()
            self.office.write({path: self._inserted(text, b"staged-only-")})
            self.git("add", path)
            self.office.write({path: text})

    def commit(self) -> None:
        self.git("commit", "-qm", f"user commit {self._number}", may_fail=True)

    def switch(self) -> None:
        self._put_away()
        branch = self.random.choice(BRANCHES)
        known = self.git("branch", "--list", branch)
        self.git("checkout", "-q", *([] if known else ["-b"]), branch, may_fail=True)

    def stash(self) -> None:
        self._put_away()
        if self._stashed and self.random.random() < 0.6:
            self.git("stash", "pop", "-q", may_fail=True)
            self._settle_conflicts()
            self._stashed = len(self.git("stash", "list").splitlines())
        else:
            self.git("stash", "-q", *self.random.choice([[], ["-u"]]), may_fail=True)
            self._stashed = len(self.git("stash", "list").splitlines())

    def merge(self) -> None:
        self._put_away()
        branch = self.random.choice(BRANCHES)
        if self.git("branch", "--list", branch):
            self.git("merge", "-q", branch, may_fail=True)
            if self.random.random() < 0.7:
                self._settle_conflicts()

    def remove(self) -> None:
        path = self.random.choice(PATHS)
        if path not in self.office.editor.buffers and (self.root / path).is_file():
            (self.root / path).unlink()

    # --- Pairwright

    async def accept(self) -> str:
        wanted: Texts = {}
        for path in self.random.sample(PATHS, self.random.randint(1, 3)):
            text = self.office.editor.text(path)
            if text is None:
                wanted[path] = self._line(_OURS)
            elif self.random.random() < 0.1 and _THEIRS not in text:
                wanted[path] = None
            else:
                wanted[path] = self._rewritten(text)
        proposal = self.office.propose(wanted, f"request {self._number}")
        if self.random.random() < 0.3:
            self.edit()
        before = self.texts()
        ids = [hunk.id for file in proposal.files for hunk in file.hunks]
        if not ids:
            return "nothing"
        part = tuple(self.random.sample(ids, self.random.randint(1, len(ids))))
        result = await accept(self.office.desk, proposal.id, Selection(hunks=part))
        if result.state != "applied":
            assert result.state in ("stale", "refused"), result
            assert self.texts() == before, result
        self._kept(before, self.texts())
        return result.state

    async def undo(self) -> str:
        return await self._undone("after", lambda: undo(self.office.desk))

    async def redo(self) -> str:
        return await self._undone("undo", lambda: redo(self.office.desk))

    async def turn(self) -> str:
        before = self.texts()
        result = await undo(self.office.desk, how=How(turn=True))
        return self._ended(result, before)

    async def restore(self) -> str:
        found = self.office.desk.store.list()
        if not found:
            return "none"
        target = self.random.choice(found)
        before = self.texts()
        result = await restore(self.office.desk, target.id, [self.random.choice(target.paths)])
        if result.state != "done":
            assert self.texts() == before, result
            return result.state
        held = self.office.desk.store.read(result.before) or {}
        lost = {token for text in before.values() for token in tokens(text)}
        lost -= {token for text in self.texts().values() for token in tokens(text)}
        lost -= {token for state in held.values() for token in tokens(state.data)}
        assert not lost, (result, lost)
        return "done"

    async def _undone(self, kind: str, take: Callable[[], Awaitable[UndoResult]]) -> str:
        before = self.texts()
        result = await take()
        if result.state == "done" and result.target is not None:
            assert result.target.kind == kind
            self._is_exact(result.target, before)
        return self._ended(result, before)

    def _is_exact(self, target: Checkpoint, now: Texts) -> None:
        """Each file is what the git command makes of the change, its inverse and what is there."""
        store = self.office.desk.store
        source, goal = store.read(target.id), store.read(target.base)
        assert source is not None and goal is not None
        for path in target.paths:
            was, wanted = text_of(source[path]), text_of(goal[path])
            found = self.office.editor.text(path)
            if now[path] == was or now[path] == wanted:
                assert found == wanted, path
            else:
                assert was is not None and wanted is not None and now[path] is not None
                merged = self._merged(now[path] or b"", was, wanted)
                assert merged is None or found == merged, path

    def _merged(self, now: bytes, base: bytes, theirs: bytes) -> bytes | None:
        places = [self.root.parent / name for name in ("now", "base", "theirs")]
        for place, text in zip(places, (now, base, theirs), strict=True):
            place.write_bytes(text)
        words = ["git", "merge-file", "-p", "-q", *(str(place) for place in places)]
        done = subprocess.run(words, env=self._env, capture_output=True)
        return done.stdout if done.returncode == 0 else None

    def _ended(self, result: UndoResult, before: Texts) -> str:
        if result.state == "done":
            # A restore may have brought lines of the user's; they go with it again.
            store = self.office.desk.store
            brought = (store.read(result.target.id) if result.target else None) or {}
            states = {path: state.data for path, state in brought.items()}
            self._kept(before, self.texts(), states)
        else:
            assert result.state in ("stale", "refused", "unknown"), result
            assert self.texts() == before, result
        return result.state

    async def checked(self, step: Callable[[], Awaitable[str]]) -> None:
        """A step of Pairwright's, during which nothing of the repository moves."""
        before = self.repository()
        state = await step()
        assert self.repository() == before, step
        name = f"{step.__name__} {state}"
        self.counts[name] = self.counts.get(name, 0) + 1

    # --- looks

    def texts(self) -> Texts:
        return {path: self.office.editor.text(path) for path in PATHS}

    def repository(self) -> list[tuple[str, int, int]]:
        """Every file below `.git`, its size and time."""
        found = []
        for folder, _, names in os.walk(self.root / ".git"):
            for name in names:
                stat = os.lstat(os.path.join(folder, name))
                found.append((os.path.join(folder, name), stat.st_size, stat.st_mtime_ns))
        return sorted(found)

    def git(self, *words: str, may_fail: bool = False) -> str:
        return self._git(self.root, *words, may_fail=may_fail)

    def _git(self, cwd: Path, *words: str, may_fail: bool = False) -> str:
        done = subprocess.run(
            ["git", *words], cwd=cwd, env=self._env, capture_output=True, text=True
        )
        assert done.returncode == 0 or may_fail, (words, done.stdout, done.stderr)
        return done.stdout.strip()

    def _kept(self, before: Texts, after: Texts, brought: Texts | None = None) -> None:
        """No line of the user's is gone from any file but what was `brought`."""
        for path, text in before.items():
            gone = tokens(text) - tokens(after[path])
            assert gone <= tokens((brought or {}).get(path)), path

    def _put_away(self) -> None:
        """Save and close everything, as a user does before git changes files."""
        self.office.editor.save_all()
        for path in list(self.office.editor.buffers):
            self.office.editor.close(path)

    def _settle_conflicts(self) -> None:
        if self.git("ls-files", "-u"):
            self.git("add", "-A")
            self.git("commit", "-qm", "user resolves", may_fail=True)

    # --- texts

    def _line(self, kind: bytes) -> bytes:
        self._number += 1
        return b"%s%d\n" % (kind, self._number)

    def _inserted(self, text: bytes, kind: bytes) -> bytes:
        lines = text.splitlines(keepends=True)
        lines.insert(self.random.randint(0, len(lines)), self._line(kind))
        return b"".join(lines)

    def _rewritten(self, text: bytes) -> bytes:
        """Some lines that are not the user's replaced, removed or joined by new ones."""
        lines = text.splitlines(keepends=True)
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randint(0, len(lines))
            is_free = at < len(lines) and _THEIRS not in lines[at]
            kind = self.random.choice(["replace", "remove", "insert"]) if is_free else "insert"
            lines[at : at + (kind != "insert")] = [] if kind == "remove" else [self._line(_OURS)]
        return b"".join(lines)


def tokens(text: bytes | None) -> set[bytes]:
    """The lines a user wrote."""
    lines = (text or b"").splitlines()
    return {line for line in lines if line.startswith(_THEIRS)}
