"""The checks of an edit with real commands on a real folder: what runs, on what, and what counts."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pairwright.config.checks import Checks as Settings
from pairwright.config.schema import Index
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.checks import Checks, Examiner
from pairwright.engine.events import Event, Status
from pairwright.engine.findings import Finding
from pairwright.engine.lint import commands
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.run import Commands

FILES = {
    "a.py": b"import os\nx = 1\n",
    "lib/latin.py": "# -*- coding: latin-1 -*-\nname = 'é'\n".encode("latin-1"),
    "test_a.py": b"from a import x\nassert x == 1\nprint('fine')\n",
}
# A linter: every line with "bad" in it is a finding; complains about the whole of what it read.
LINT = "import sys; t = open(sys.argv[1], 'rb').read() if len(sys.argv) > 1 else sys.stdin.buffer.read()\n"
LINT += "found = [n for n, row in enumerate(t.split(b'\\n'), 1) if b'bad' in row]\n"
LINT += "[print(f'{sys.argv[1] if len(sys.argv) > 1 else \"-\"}:{n}:1: bad') for n in found]; sys.exit(bool(found))"
ON_STDIN = (sys.executable, "-I", "-c", LINT)
ON_FILE = (*ON_STDIN, "{file}")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    for path, data in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    made = Host(str(tmp_path.resolve()), Index(workers=1), Cache(None))
    made.scan()
    yield made
    made.stop()


class Bench:
    """One examination. `asked`: the questions; `said`: what was told meanwhile."""

    def __init__(self, host: Host, *, trusted: bool = True, answer: str | None = "Run") -> None:
        self.host, self.trusted, self.answer = host, trusted, answer
        self.asked: list[str] = []
        self.said: list[str] = []

    def check(self, settings: Settings, *changes: FileChange) -> list[Finding]:
        runner = Commands({"PATH": os.environ["PATH"]})
        checks = Checks(settings, runner, self.trusted)
        examiner = Examiner(checks, self._ask, self._hear)
        root = Path(self.host.snapshot().root)
        before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        found = asyncio.run(examiner.examine(changes, self.host.snapshot()))
        after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        assert before == after, "a check writes nothing into the workspace"
        return list(found)

    async def _ask(self, question: str, options: Sequence[str]) -> str | None:
        self.asked.append(question)
        return self.answer

    def _hear(self, event: Event) -> None:
        if isinstance(event, Status):
            self.said.append(event.text)


def change(path: str, new: str | None, old: str | None = "as it is") -> FileChange:
    before = FILES[path].decode() if old == "as it is" else old
    if before is None or new is None:
        data = [None if text is None else text.encode() for text in (before, new)]
        return FileChange(path, data[0], data[1], ())
    return FileChange(path, before.encode(), new.encode(), diff(before.encode(), new.encode()))


@pytest.mark.parametrize("command", [ON_STDIN, ON_FILE], ids=["stdin", "file"])
def test_only_new_findings_of_a_linter_count(host: Host, command: tuple[str, ...]) -> None:
    settings = Settings(lint={"python": command})
    host.open("a.py", f"file://{host.snapshot().root}/a.py", 1, "", b"bad = 0\nx = 1\n")
    edit = change("a.py", "y = 2\nbad = 0\nx = 'bad'\n", "bad = 0\nx = 1\n")
    (found,) = Bench(host).check(settings, edit)
    name = "a.py" if command is ON_FILE else "-"
    assert (found.reason, found.path, found.excerpt) == ("lint", "a.py", f"{name}:3:1: bad")
    assert Bench(host).check(settings, change("a.py", "y = 1\nbad = 0\n", "bad = 0\n")) == []


def test_a_new_file_is_linted_and_a_deleted_one_is_not(host: Host) -> None:
    settings = Settings(lint={"*.py": ON_STDIN})
    (found,) = Bench(host).check(settings, change("new.py", "bad = 1\n", None))
    assert found.path == "new.py"
    assert Bench(host).check(settings, change("a.py", None)) == []


def test_syntax_comes_first_and_needs_no_trust(host: Host) -> None:
    settings = Settings(lint={"python": ON_STDIN})
    bench = Bench(host, trusted=False)
    (found,) = bench.check(settings, change("a.py", "import os\nx = (bad\n"))
    assert found.line == 2 and bench.said == []
    off = Settings(syntax=False)
    assert bench.check(off, change("a.py", "import os\nx = (1\n")) == []


def test_nothing_runs_in_a_workspace_that_is_not_trusted(host: Host, tmp_path: Path) -> None:
    note = tmp_path.parent / f"{tmp_path.name}-ran"
    touch = (sys.executable, "-c", f"open({str(note)!r}, 'w')")
    settings = Settings(lint={"python": touch}, test=touch, test_when="before", run_test="auto")
    bench = Bench(host, trusted=False)
    assert bench.check(settings, change("a.py", "x = 1\n")) == []
    assert not note.exists() and "not trusted" in bench.said[0] and bench.asked == []
    assert Bench(host).check(settings, change("a.py", "x = 1\n")) == []
    assert note.exists()
    note.unlink()


@pytest.mark.parametrize(("answer", "count"), [("Run", 1), ("Skip", 0), (None, 0)])
def test_a_question_is_asked_where_the_setting_says_so(
    host: Host, answer: str | None, count: int
) -> None:
    settings = Settings(lint={"python": ON_STDIN}, run_lint="ask")
    bench = Bench(host, answer=answer)
    assert len(bench.check(settings, change("a.py", "bad = 1\n"))) == count
    assert len(bench.asked) == 1 and "Run `" in bench.asked[0]
    off = Settings(lint={"python": ON_STDIN}, run_lint="off")
    assert bench.check(off, change("a.py", "bad = 1\n")) == [] and len(bench.asked) == 1


def test_a_text_is_given_in_the_encoding_of_its_file(host: Host) -> None:
    command = (sys.executable, "-c", "import sys; print(sys.stdin.buffer.read()); sys.exit(1)")
    document = host.snapshot().document("lib/latin.py")
    assert document is not None
    new = document.data + b"other = '\xc3\xbc'\n"
    edit = FileChange("lib/latin.py", document.data, new, diff(document.data, new))
    (found,) = Bench(host).check(Settings(lint={"python": command}), edit)
    assert "\\xfc" in found.excerpt and "\\xc3" not in found.excerpt


def test_a_scratch_tree_has_the_files_around(host: Host) -> None:
    command = (sys.executable, "test_a.py")
    settings = Settings(lint={"a.py": (*command, "{file}")}, scratch_tree=True)
    assert Bench(host).check(settings, change("a.py", "x = 1\n")) == []
    (found,) = Bench(host).check(settings, change("a.py", "x = 2\n"))
    assert "AssertionError" in found.excerpt and "/tmp" not in found.excerpt.replace(
        sys.executable, ""
    ), "paths are those of the workspace"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("no-such-command",), "could not be started"),
        ((sys.executable, "-c", "import time; time.sleep(60)"), "took more than 1 s"),
        ((sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"), "signal 9"),
    ],
)
def test_a_command_that_does_not_work_is_told_to_the_user_and_not_to_the_model(
    host: Host, command: tuple[str, ...], said: str
) -> None:
    bench = Bench(host)
    assert bench.check(Settings(lint={"*": command}, timeout=1.0), change("a.py", "x = 2\n")) == []
    assert said in bench.said[-1]


def test_tests_run_on_a_copy_and_only_what_the_edit_broke_counts(host: Host) -> None:
    command = (sys.executable, "test_a.py")
    settings = Settings(test=command, test_when="before", run_test="auto")
    assert Bench(host).check(settings, change("a.py", "x = 0 + 1\n")) == []
    (found,) = Bench(host).check(settings, change("a.py", "x = 2\n"))
    assert found.reason == "test" and "AssertionError" in found.excerpt
    failing = Settings(test=(sys.executable, "-c", "raise SystemExit('no')"), test_when="before")
    bench = Bench(host)
    assert bench.check(failing, change("a.py", "x = 2\n")) == []
    assert len(bench.asked) == 1 and "fails without the edit" in bench.said[-1]


def test_commands_go_by_language_path_and_name() -> None:
    lint = {"python": ("a",), "lib/*": ("b",), "*.py": ("a",), "x.py": ("c",), "go": ("d",)}
    assert commands("lib/x.py", b"", lint) == (("a",), ("b",), ("c",))
    assert commands("x.go", b"", lint) == (("d",),)
    assert commands("notes.txt", b"", lint) == ()
