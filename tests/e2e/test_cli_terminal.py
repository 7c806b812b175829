"""The commands at a real terminal: a pty whose keys interrupt, whose answers count, and whose screen is rendered."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.served import blocks
from tests.support.serving import environment

SOURCE = "def size(a):\n    x = a\n    return 1\n"
EDIT = blocks(("app.py", "    x = a\n", "    total = a\n"))
_ORDERS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A process with a terminal of its own. `seen`: all it printed."""

    def __init__(self, root: Path, endpoint: Endpoint, command: str, *words: str) -> None:
        named = endpoint.settings()
        model = ("--model", named["name"], "--api-base", named["api_base"])
        self.seen = ""
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        env = {**environment(root.parent), "OPENAI_API_KEY": "scripted-key", "TERM": "xterm"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pairwright", command, "--root", str(root), *model, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)

    def until(self, text: str, timeout: float = 60.0) -> None:
        """Read until the screen has shown `text`."""
        end = time.monotonic() + timeout
        while text not in _ORDERS.sub("", self.seen):
            assert time.monotonic() < end and self._read(0.2), self.seen

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def ended(self, timeout: float = 30.0) -> int:
        """The exit code, everything read."""
        end = time.monotonic() + timeout
        while self._read(0.2):
            assert time.monotonic() < end, self.seen
        os.close(self._ours)
        return self.process.wait(timeout)

    def _read(self, wait: float) -> bool:
        """Read what there is; False once the other side is closed."""
        if select.select([self._ours], [], [], wait)[0]:
            try:
                self.seen += os.read(self._ours, 65536).decode("utf-8", "replace")
            except OSError:
                return False
        return True


def _own_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "app.py").write_text(SOURCE)
    return place


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


def test_an_interrupt_in_the_middle_leaves_nothing_half_done(
    root: Path, endpoint: Endpoint
) -> None:
    endpoint.stall(f"Renaming now.\n\n{EDIT}\n\nAnd more.\n\nAnd")
    terminal = Terminal(root, endpoint, "edit", "-m", "rename x", "--chat", "app.py", "--yes")
    terminal.until("And more.")
    terminal.type("\x03")
    assert terminal.ended() == 130
    endpoint.wait_closed()
    assert (root / "app.py").read_text() == SOURCE
    assert [p.name for p in root.iterdir()] == ["app.py"]
    # The cursor is hidden while an answer grows.
    assert terminal.seen.rfind("\x1b[?25h") >= terminal.seen.rfind("\x1b[?25l")
    assert "Traceback" not in terminal.seen


def test_an_edit_and_a_command_each_wait_for_a_yes(root: Path, endpoint: Endpoint) -> None:
    endpoint.say(f"**Renamed.**\n\n{EDIT}\n\n```bash\necho $((20 + 3)) > made.txt\n```\n")
    terminal = Terminal(root, endpoint, "edit", "-m", "rename x", "--chat", "app.py")
    terminal.until("Apply? [yes/no]")
    assert (root / "app.py").read_text() == SOURCE
    terminal.type("yes\n")
    terminal.until("Run this by bash")
    assert (root / "app.py").read_text() == SOURCE.replace("x = a", "total = a")
    assert not (root / "made.txt").exists()
    terminal.until("[yes/no]", 10)
    terminal.type("y\n")
    assert terminal.ended() == 0
    assert (root / "made.txt").read_text() == "23\n"
    screen = _ORDERS.sub("", terminal.seen)
    assert "Renamed." in screen and "**Renamed" not in screen and "exit code 0" in screen
