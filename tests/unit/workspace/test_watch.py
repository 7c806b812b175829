"""Our own watching: what other programs do in a folder is told, and nothing of what is ignored."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.workspace import watch
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.watch import _MAIN, ALL, Watcher

_SECONDS = 30
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]


class Desk:
    """A host, and what its watcher told: each path goes to the host, as the server does it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.host = Host(str(root), Index(), Cache(None))
        self.told: list[str] = []
        self.reasons: list[str] = []
        self.news = threading.Condition()
        self.watcher = Watcher(self.host, self._changed, self._ended)

    def start(self) -> None:
        """Scan, watch, and wait until everything is watched."""
        self.host.scan()
        self.watcher.start()
        self.wait(lambda: bool(self.told or self.reasons))

    def _changed(self, paths: Sequence[str]) -> None:
        if ALL in paths:
            self.host.scan()
        self.host.disk([path for path in paths if path])
        self.host.settle().result()
        with self.news:
            self.told += paths
            self.news.notify_all()

    def _ended(self, reason: str) -> None:
        with self.news:
            self.reasons.append(reason)
            self.news.notify_all()

    def wait(self, what: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(what, _SECONDS), (self.told, self.reasons)

    def check(self, names: dict[str, str]) -> None:
        """In the end the index defines each name in its file, and an empty path is no file."""
        self.wait(lambda: all(self._definers(name) == path for name, path in names.items()))

    def _definers(self, name: str) -> str:
        return " ".join(self.host.snapshot().definers(name))

    def watches(self) -> int:
        """Folders that the system watches for the child."""
        child = self.watcher._child
        assert child is not None
        infos = Path(f"/proc/{child.pid}/fdinfo").iterdir()
        return sum(info.read_text().count("inotify wd:") for info in infos)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    root = tmp_path / "work"
    for name in ("lib/deep", "node_modules/m", "build", "empty"):
        (root / name).mkdir(parents=True)
    (root / ".gitignore").write_text("build/\n*.tmp\n")
    (root / "lib/core.py").write_text("def core(): pass\n")
    with opened(root) as made:
        yield made


@contextmanager
def opened(root: Path) -> Iterator[Desk]:
    """A desk that is cleared at the end: no thread and no child stays."""
    made = Desk(root)
    yield made
    made.watcher.stop()
    if made.watcher._thread.ident is not None:
        made.watcher._thread.join(_SECONDS)
    assert not made.watcher._thread.is_alive()
    assert made.watcher._child is None
    made.host.stop()


def test_files_that_come_change_and_go(desk: Desk) -> None:
    desk.start()
    (desk.root / "lib/new.py").write_text("def fresh(): pass\n")
    desk.check({"fresh": "lib/new.py"})
    (desk.root / "lib/core.py").write_text("def other(): pass\n")
    desk.check({"other": "lib/core.py", "core": ""})
    (desk.root / "lib/new.py").rename(desk.root / "empty/moved.py")
    desk.check({"fresh": "empty/moved.py"})
    (desk.root / "empty/moved.py").unlink()
    desk.check({"fresh": ""})


def test_folders_that_come_move_and_go(desk: Desk) -> None:
    desk.start()
    (desk.root / "made/below").mkdir(parents=True)
    (desk.root / "made/below/a.py").write_text("def first(): pass\n")
    desk.check({"first": "made/below/a.py"})
    desk.wait(lambda: "made/below" in desk.told)
    (desk.root / "made/below/b.py").write_text("def second(): pass\n")
    desk.check({"second": "made/below/b.py"})
    (desk.root / "made").rename(desk.root / "lib/moved")
    desk.check({"first": "lib/moved/below/a.py", "second": "lib/moved/below/b.py"})


def test_ignored_folders_are_not_watched_and_ignored_files_not_told(desk: Desk) -> None:
    desk.start()
    assert desk.watches() == len(["", "lib", "lib/deep", "empty"])
    (desk.root / "build/out.py").write_text("def built(): pass\n")
    (desk.root / "lib/x.tmp").write_text("x")
    (desk.root / "lib/last.py").write_text("def last(): pass\n")
    desk.check({"last": "lib/last.py", "built": ""})
    assert desk.told == [ALL, "lib/last.py"]
    (desk.root / ".gitignore").write_text("")
    desk.check({"built": "build/out.py"})


def test_what_changed_before_the_first_watch_is_seen(desk: Desk) -> None:
    desk.host.scan()
    (desk.root / "lib/between.py").write_text("def between(): pass\n")
    desk.watcher.start()
    desk.check({"between": "lib/between.py"})


def test_a_linked_work_tree_tells_of_its_own_index(tmp_path: Path) -> None:
    main, root = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    (main / ".gitignore").write_text("*.gen.py\n")
    add = ["worktree", "add", "-q", "-b", "other", str(root)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], add):
        subprocess.run([*GIT, *words], cwd=main, check=True)
    (root / "kept.gen.py").write_text("def kept(): pass\n")
    with opened(root) as desk:
        desk.start()
        desk.check({"kept": ""})
        subprocess.run([*GIT, "add", "-f", "kept.gen.py"], cwd=root, check=True)
        desk.check({"kept": "kept.gen.py"})
        assert ".git/index" in desk.told


def test_names_that_are_no_unicode_cost_nothing(desk: Desk) -> None:
    os.mkdir(os.fsencode(desk.root) + b"/caf\xe9")
    desk.start()
    (desk.root / "lib/after.py").write_text("def after(): pass\n")
    desk.check({"after": "lib/after.py"})
    with open(os.fsencode(desk.root) + b"/lib/caf\xe9.py", "w") as file:
        file.write("def odd(): pass\n")
    desk.check({"odd": "lib/caf\udce9.py"})


def test_a_closed_folder_does_not_end_the_watch(tmp_path: Path) -> None:
    """The child by itself; root's power over closed folders is taken from it."""
    (tmp_path / "closed").mkdir(mode=0)
    command = [sys.executable, "-c", _MAIN.format(path=sys.path)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(json.dumps([str(tmp_path), str(tmp_path / "closed")]).encode() + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline()) == {"watching": 1}
        (tmp_path / "a").write_text("")
        assert json.loads(child.stdout.readline()) == {"changed": [str(tmp_path / "a")]}
        child.stdin.close()
        assert child.wait(_SECONDS) == 0
    (tmp_path / "closed").chmod(0o755)


def test_too_many_folders_are_not_watched(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST", 3)
    desk.start()
    assert desk.reasons == ["it has more than 3 folders"]
    assert not desk.told


def test_a_killed_watcher_says_so_once(desk: Desk) -> None:
    desk.start()
    child = desk.watcher._child
    assert child is not None
    os.kill(child.pid, signal.SIGKILL)
    desk.wait(lambda: bool(desk.reasons))
    desk.watcher._thread.join(_SECONDS)
    assert desk.reasons == ["the process that watches it ended"]
    assert not desk.watcher.is_alive


def test_a_stopped_watcher_is_silent(desk: Desk) -> None:
    desk.start()
    desk.watcher.stop()
    desk.watcher._thread.join(_SECONDS)
    time.sleep(0.1)
    assert desk.reasons == []
