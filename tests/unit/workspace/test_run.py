"""Commands run for real: bounds, what is left behind, what they see of the environment."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from pairwright.workspace.run import Commands, Ran, without_credentials

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/", "OPENAI_API_KEY": "sk-1", "LANG": "C.UTF-8"}


def run(*command: str, timeout: float = 20.0, cap: int = 4096, stdin: bytes = b"") -> Ran:
    return asyncio.run(Commands(ENVIRONMENT).run(command, "/tmp", timeout, cap, stdin))


def script(text: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", text)


def is_gone(pid: int) -> bool:
    """Whether a process ends now: gone, or a zombie nobody has reaped yet. A signal takes a moment."""
    for _ in range(500):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        if stat.rpartition(")")[2].split()[0] in "ZX":
            return True
        time.sleep(0.01)
    return False


def test_both_streams_in_the_order_they_came_and_the_exit_code() -> None:
    assert run("sh", "-c", "echo one; echo two >&2; echo three; exit 3") == Ran(
        3, "one\ntwo\nthree\n"
    )


def test_no_shell_looks_at_the_words() -> None:
    assert run("printf", "%s", "$HOME; echo `id` | cat").output == "$HOME; echo `id` | cat"


def test_input_is_given_and_a_command_that_does_not_read_it_is_none_the_worse() -> None:
    assert run("cat", stdin=b"text\r\n" * 3).output == "text\n" * 3
    assert run("true", stdin=b"x" * 1_000_000).code == 0


def test_of_much_output_the_beginning_and_the_end_are_kept() -> None:
    ran = run(*script("print('begin'); print('x' * 100_000); print('end')"), cap=2000)
    assert ran.cut and ran.code == 0
    assert ran.output.startswith("begin\n") and ran.output.endswith("\nend\n")
    assert "bytes left out" in ran.output and len(ran.output) < 2100


def test_colours_are_taken_out() -> None:
    assert run("printf", "\\033[1;31mred\\033[0m \\033]8;;x\\007link").output == "red link"


def test_a_command_that_cannot_be_started_is_an_outcome() -> None:
    ran = run("no-such-command-here")
    assert ran.code is None and "no-such-command-here" in ran.output
    assert run().code is None


def test_a_late_command_is_ended_with_all_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    text = f"echo $$ > {note}; sh -c 'trap \"\" TERM; echo $$ >> {note}; sleep 60' & wait"
    ran = run("sh", "-c", f"{text}; sleep 60", timeout=0.5)
    assert ran.timed_out
    pids = [int(line) for line in note.read_text().split()]
    assert len(pids) == 2 and all(map(is_gone, pids))


def test_a_child_that_holds_the_pipe_does_not_hold_the_caller(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    started = time.monotonic()
    ran = run("sh", "-c", f"sleep 60 & echo $! > {note}; echo done", timeout=50)
    assert ran == Ran(0, "done\n")
    assert time.monotonic() - started < 20, "the caller did not wait for the child"
    assert is_gone(int(note.read_text()))


def test_cancelling_ends_the_group(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    async def cancelled() -> None:
        command = ("sh", "-c", f"sleep 60 & echo $! > {note}; wait")
        task = asyncio.ensure_future(Commands(ENVIRONMENT).run(command, "/tmp", 50))
        while not note.exists() or not note.read_text():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert is_gone(int(note.read_text()))


def test_credentials_do_not_reach_a_command() -> None:
    assert "sk-1" not in run("env").output
    names = ["PATH", "HOME", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "DB_PASSWORD", "CI_KEY", "KEYMAP"]
    names += ["AUTHOR", "GOOGLE_APPLICATION_CREDENTIALS", "TOKENIZERS_PARALLELISM"]
    left = without_credentials(dict.fromkeys(names, "v"), keep=("DB_PASSWORD",))
    assert sorted(left) == [
        "AUTHOR",
        "DB_PASSWORD",
        "HOME",
        "KEYMAP",
        "PATH",
        "TOKENIZERS_PARALLELISM",
    ]
