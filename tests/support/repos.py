"""Repositories of a user's, made and judged by the git command."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from pairwright.checkpoints.commit_git import Git
from pairwright.checkpoints.types import LINK, FileState


@dataclass(frozen=True)
class Judged:
    """What must not change but at the paths of a commit."""

    index: tuple[str, ...]
    disk: dict[str, bytes]
    head: str


@dataclass
class UserRepo:
    """A work tree at `top` with an identity, apart from the configuration of whoever runs the test."""

    top: Path
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, top: Path, *words: str, commit: bool = True) -> UserRepo:
        """A new repository with `app.py` and `other.txt` in its first commit."""
        top.mkdir(parents=True, exist_ok=True)
        repo = cls(top, clean_env(top.parent))
        repo.git("init", "-q", "-b", "main", *words)
        repo.git("config", "user.name", "Ada")
        repo.git("config", "user.email", "ada@example.invalid")
        repo.write("app.py", "x = 1\ny = 1\n")
        repo.write("other.txt", "other\n")
        if commit:
            repo.git("add", "-A")
            repo.git("commit", "-qm", "base")
        return repo

    @property
    def command(self) -> Git:
        """The repository as the product is given it."""
        return Git(self.top, self.env)

    def git(self, *words: str, code: int = 0) -> str:
        """What the command prints, without the last line end; it must end with `code`."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            cwd=self.top,
            env=self.env,
            capture_output=True,
        )
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return os.fsdecode(done.stdout).rstrip("\n")

    def write(self, path: str, text: str | bytes, mode: int = 0o644) -> None:
        place = self.top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        place.chmod(mode)

    def hook(self, name: str, script: str) -> None:
        folder = Path(self.git("rev-parse", "--git-path", "hooks"))
        self.write(str(folder / name), f"#!/bin/sh\n{script}\n", 0o755)

    def state(self, path: str) -> FileState:
        """What stands at `path`, as a checkpoint would hold it."""
        place = self.top / path
        if place.is_symlink():
            return FileState(os.fsencode(place.readlink()), LINK)
        if not place.exists():
            return FileState(None)
        return FileState(place.read_bytes(), place.stat().st_mode & 0o7777)

    def log(self) -> list[str]:
        """Subjects, newest first."""
        return self.git("log", "--format=%s").splitlines()

    def show(self, path: str, rev: str = "HEAD") -> str:
        """The text of `path` in a commit, with its line end."""
        return self.git("cat-file", "blob", f"{rev}:{path}") + "\n"

    def staged(self) -> list[str]:
        """Paths that differ between HEAD and the index."""
        return [p for p in self.git("diff", "--cached", "--name-only", "-z").split("\0") if p]

    def look(self, *but: str) -> Judged:
        """Everything as it is now, index entries of `but` left out."""
        entries = tuple(
            line
            for line in self.git("ls-files", "-s", "-v", "-z").split("\0")
            if line and line.partition("\t")[2] not in but
        )
        disk = {
            path.relative_to(self.top).as_posix(): path.read_bytes()
            for path in sorted(self.top.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.top).parts
        }
        return Judged(entries, disk, self.git("rev-parse", "-q", "--verify", "HEAD"))

    def is_sound(self) -> None:
        """No damage, no lock and nothing half done."""
        self.git("fsck", "--strict")
        private = self.top / self.git("rev-parse", "--git-dir")
        left = [p.name for p in private.iterdir() if "lock" in p.name or "pairwright" in p.name]
        assert not left
        self.git("status", "--porcelain")


def clean_env(home: Path) -> dict[str, str]:
    """An environment in which only the repository's own configuration counts."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
