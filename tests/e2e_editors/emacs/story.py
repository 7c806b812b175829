"""Emacs and eglot with no plugin of ours: hover, code actions, an `AI!` comment, hunks, undo, a question.

One Emacs and one server for all, over a small git repository; replies are scripted. `run` calls it; `make test` does
not, as it needs Emacs.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e_editors.emacs.emacs import Emacs
from tests.support.endpoint import Endpoint
from tests.support.serving import environment

TEXT = "def größe(lines):\n    acc = 0\n    for line in lines:\n        acc += line\n    # done\n    return acc\n"
FIRST = "<<<<<<< SEARCH\n    acc = 0\n=======\n    acc = 1\n>>>>>>> REPLACE\n"
LAST = "<<<<<<< SEARCH\n    return acc\n=======\n    return acc * 2\n>>>>>>> REPLACE\n"
COMMENT = "# begin at one and double the result AI!\n"


def git(root: Path, *args: str) -> str:
    who = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"]
    done = subprocess.run(
        ["git", *who, *args], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout


class Room:
    """One Emacs over one repository."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        self.endpoint = endpoint
        (self.root / "sizes.py").write_text(TEXT)
        (self.root / "other.py").write_text("from sizes import größe\n\nprint(größe([1]))\n")
        git(self.root, "init", "-q", "-b", "main")
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "base")
        env = environment(folder) | {"OPENAI_API_KEY": "scripted-key"}
        env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        settings = {"model": endpoint.settings(), "turn": {"reflections": 0}}
        self._names = itertools.count()
        home = folder / "home"
        home.mkdir()
        self.emacs = Emacs(home, self.root, settings=settings, env=env)

    def line(self, text: str) -> None:
        """Put point at the beginning of the line that has `text`."""
        words = json.dumps(text, ensure_ascii=False)
        self.emacs.ask(
            f"(progn (deactivate-mark) (goto-char (point-min)) (search-forward {words})"
            " (beginning-of-line) (set-window-point (selected-window) (point)) t)"
        )

    def fresh(self, text: str) -> Path:
        """A new file, open, with nothing waiting from before."""
        if self.offered("Pairwright: Reject all"):
            self.emacs.choose("Pairwright: Reject all")
        path = self.root / f"fresh_{next(self._names)}.py"
        path.write_text(text)
        self.emacs.find(path)
        return path

    def offered(self, title: str) -> bool:
        return any(one.startswith(title) for one in self.emacs.titles())


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Endpoint() as endpoint:
        made = Room(tmp_path_factory.mktemp("emacs"), endpoint)
        try:
            yield made
        finally:
            made.emacs.close()


def test_a_name_is_hovered(room: Room) -> None:
    """By the cursor alone: eldoc shows it in the echo area. The other file's use of the name is known."""
    emacs = room.emacs
    emacs.find(room.root / "sizes.py")
    emacs.wait("the index", lambda: "2 files indexed" in emacs.traffic(), 60)
    emacs.keys("\x1b<\x1bf\x06")
    emacs.wait("the hover", lambda: "sizes.py:1 · " in emacs.echo())
    assert "2 static references: other.py (2)" in emacs.echo()
    assert emacs.text() == TEXT


def test_the_actions_at_a_selection(room: Room) -> None:
    emacs = room.emacs
    emacs.find(room.root / "sizes.py")
    emacs.keys("\x1b<\x00\x1b>")
    titles = emacs.titles()
    for verb in ("Ask", "Edit", "Explain", "Document", "Write tests"):
        assert f"Pairwright: {verb}" in titles


def test_a_comment_is_carried_out_hunk_by_hunk_and_taken_back(room: Room) -> None:
    emacs, path = room.emacs, room.root / "sizes.py"
    emacs.find(path)
    room.endpoint.say(f"sizes.py\n```python\n{FIRST}{LAST}```\n")
    emacs.keys(f"\x1b<{COMMENT}\x10")
    before = COMMENT + TEXT
    emacs.wait("the comment", lambda: emacs.text() == before)
    emacs.choose("Pairwright: Do: ")
    emacs.wait("the proposal", lambda: "proposed in sizes.py" in emacs.messages(), 150)
    assert emacs.text() == before, "nothing is written before it is accepted"

    room.line("acc = 0")
    emacs.choose("Pairwright: Accept hunk")
    one = before.replace("acc = 0", "acc = 1")
    emacs.wait("the accepted hunk", lambda: emacs.text() == one)
    room.line("return acc")
    emacs.choose("Pairwright: Reject hunk")
    room.line(COMMENT.strip())
    emacs.choose("Pairwright: Reject all")
    emacs.wait("nothing waits", lambda: not room.offered("Pairwright: Reject"))
    assert emacs.text() == one

    emacs.keys("\x18\x13")
    emacs.wait("the file on disk", lambda: path.read_text() == one)
    emacs.choose("Pairwright: Undo last accept")
    emacs.wait("the text before", lambda: emacs.text() == before)
    emacs.wait("what is said of it", lambda: "Pairwright: Took back" in emacs.messages())
    emacs.keys("\x18\x13")
    emacs.wait("the file on disk", lambda: path.read_text() == before)


def test_an_accept_is_one_step_of_the_editors_own_undo(room: Room) -> None:
    emacs = room.emacs
    path = room.fresh(COMMENT + TEXT)
    room.endpoint.say(f"{path.name}\n```python\n{FIRST}{LAST}```\n")
    room.line("AI!")
    emacs.choose("Pairwright: Do: ")
    emacs.wait("the proposal", lambda: f"proposed in {path.name}" in emacs.messages(), 150)
    room.line("acc = 0")
    emacs.choose("Pairwright: Accept all")
    after = TEXT.replace("acc = 0", "acc = 1").replace("return acc", "return acc * 2")
    emacs.wait("what is said of it", lambda: "Applied 3 hunks" in emacs.messages())
    assert emacs.text() == after
    emacs.keys("\x1f")
    emacs.wait("the text before", lambda: emacs.text() == COMMENT + TEXT)


def test_a_question_in_a_comment_is_answered_in_a_message(room: Room) -> None:
    """Eglot 1.9 shows no documents for a server, so the beginning of the answer comes with the path of the rest."""
    emacs = room.emacs
    room.fresh("# what does this add up? AI?\n" + TEXT)
    room.endpoint.say("The **sizes** of all lines.")
    room.line("AI?")
    emacs.choose("Pairwright: Answer: ")
    emacs.wait("the answer", lambda: "The **sizes** of all lines." in emacs.messages(), 150)
    assert "return acc" in room.endpoint.requests[-1].text


def test_what_was_typed_since_is_kept(room: Room) -> None:
    emacs = room.emacs
    path = room.fresh(COMMENT + TEXT)
    room.endpoint.say(f"{path.name}\n```python\n{FIRST}{LAST}```\n")
    room.line("AI!")
    emacs.choose("Pairwright: Do: ")
    emacs.wait("the proposal", lambda: f"proposed in {path.name}" in emacs.messages(), 150)
    room.line("return acc")
    emacs.keys("\x05  # mine")
    mine = (COMMENT + TEXT).replace("return acc", "return acc  # mine")
    emacs.wait("what is typed", lambda: emacs.text() == mine)
    room.line("acc = 0")
    emacs.choose("Pairwright: Accept all")
    emacs.wait("both sides", lambda: "-conflicts.txt" in emacs.messages())
    assert "Nothing was changed." in emacs.messages()
    assert emacs.text() == mine
