"""A user, their editor, git and a model at work on a few files, and the truth about what is served of them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.shop import long_module

from pairwright.engine.exports import exports_of
from pairwright.engine.records import Notebook
from pairwright.engine.serve import Need, serve
from pairwright.tags.files import tags_of
from pairwright.text.document import Document
from pairwright.text.hashing import digest
from pairwright.workspace.host import Host

PLACES = ("a/utils.py", "b/utils.py", "a/__init__.py", "b/__init__.py", "main.py", "Main.py")
STEPS = ("write", "write untold", "type", "say", "close", "remove", "switch")
VARIANTS = 7
BRANCHES = ("main", "topic")


@dataclass
class World:
    """One folder with a repository of two branches. `root`: links resolved. `said`: what the model said, by path and
    digest."""

    root: Path
    host: Host
    notebook: Notebook = field(default_factory=Notebook)
    buffers: dict[str, Document] = field(default_factory=dict)
    said: dict[tuple[str, str], str] = field(default_factory=dict)
    count: int = 0

    def begin(self) -> None:
        """Make the repository and its branches."""
        (self.root / ".gitignore").write_text("")
        self.git("init", "-q", "-b", BRANCHES[0])
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "begun")
        self.git("branch", BRANCHES[1])

    def git(self, *words: str) -> None:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(self.root), *words]
        subprocess.run(command, check=True, capture_output=True)

    def truth(self, path: str) -> bytes | None:
        """The text that counts."""
        if path in self.buffers:
            return self.buffers[path].data
        place = self.root / path
        return place.read_bytes() if place.is_file() else None

    def write(self, path: str, variant: int, *, told: bool) -> None:
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text_of(variant))
        if told:
            self.host.disk({path})

    def remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.host.disk({path})

    def type(self, path: str, variant: int) -> None:
        text = text_of(variant).encode()
        held = self.buffers.get(path)
        version = self.count = self.count + 1
        if held is None:
            self.buffers[path] = self.host.open(path, f"file://{path}", version, "python", text)
            return
        document, edit = held.splice(0, len(held.data), text, version)
        self.buffers[path] = document
        self.host.change(path, document, [edit])

    def close(self, path: str) -> None:
        if self.buffers.pop(path, None) is not None:
            self.host.close(path)

    def switch(self, branch: str) -> None:
        """What is on the disk is committed where it is, then another branch is checked out."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")
        before = set(PLACES)
        self.git("switch", "-q", branch)
        self.host.disk(before)

    def say(self, path: str) -> None:
        data = self.truth(path)
        if data is None:
            return
        self.count += 1
        purpose = f"Purpose {self.count}."
        self.notebook.learn(Document.of(path, data), purpose, ())
        self.said[path, digest(data)] = purpose

    def ask(self, path: str, need: Need) -> None:
        """What is served is of the text that counts, to the last name."""
        served = serve(self.notebook.at(self.host.snapshot()), path, need)
        data = self.truth(path)
        if data is None:
            assert served is None
            return
        assert served is not None
        assert served.digest == digest(data)
        if served.form == "full":
            assert served.text.encode() == data
            return
        record = self.notebook.at(self.host.snapshot()).of(path)
        assert record is not None and record.digest == digest(data)
        assert record.facts.exports == exports_of(Document.of(path, data), tags_of(path, data))
        held = self.said.get((path, digest(data)), "")
        # The words of a file that is gone go with its text to where it was moved.
        moved = [
            said
            for (old, key), said in self.said.items()
            if key == digest(data) and self.truth(old) is None
        ]
        assert record.purpose == held if held else record.purpose in ("", *moved)


def text_of(variant: int) -> str:
    """Texts of several lengths and meanings; 0 is empty, 1 is short, 5 has an error."""
    if variant < 2:
        return "x = 1\n" * variant
    broken = "def (((\n" if variant == 5 else ""
    return (
        long_module(70, f"f{variant}", f"from a.utils import f{variant}_1\nN = {variant}\n")
        + broken
    )


def carried_out(world: World, step: tuple[str, str, int]) -> None:
    what, path, variant = step
    match what:
        case "write" | "write untold":
            world.write(path, variant, told=what == "write")
        case "type":
            world.type(path, variant)
        case "say":
            world.say(path)
        case "close":
            world.close(path)
        case "remove":
            world.close(path)
            world.remove(path)
        case _:
            world.switch(BRANCHES[variant % 2])
