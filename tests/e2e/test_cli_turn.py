"""`pairwright ask` and `pairwright edit` as scripts run them: real processes, a scripted endpoint over HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint

EDIT = """\
Renamed.

app.py
```python
<<<<<<< SEARCH
    x = a
=======
    total = a
>>>>>>> REPLACE
```
"""
SOURCE = "def size(a):\r\n    x = a\r\n    return 1\r\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "app.py").write_bytes(SOURCE.encode())
    (place / "other.py").write_text("import app\n\n\ndef use():\n    return app.size(1)\n")
    return place


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


def started(root: Path, endpoint: Endpoint, *words: str) -> subprocess.Popen[bytes]:
    command, *rest = words
    named = endpoint.settings()
    model = ("--model", str(named["name"]), "--api-base", str(named["api_base"]))
    env = dict(
        os.environ,
        PAIRWRIGHT_DATA=str(root.parent / "data"),
        PAIRWRIGHT_CACHE=str(root.parent / "cache"),
        OPENAI_API_KEY="scripted-key",
    )
    pipe = subprocess.PIPE
    line = [sys.executable, "-m", "pairwright", command, "--root", str(root), *model, *rest]
    return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=root.parent)


def check(
    root: Path, endpoint: Endpoint, *words: str, code: int, told: str = "", answer: str = ""
) -> str:
    """The command ends with `code` and tells `told` on stderr; its stdout. `answer`: what is typed."""
    process = started(root, endpoint, *words)
    out, err = process.communicate(answer.encode(), timeout=100)
    assert process.returncode == code and told in err.decode(), (out, err)
    return out.decode()


@pytest.mark.usefixtures("cold")
def test_an_answer_streams_to_stdout_and_nothing_else_does(root: Path, endpoint: Endpoint) -> None:
    endpoint.say("It returns 1.")
    out = check(root, endpoint, "ask", "-m", "What does it do?", "--chat", "app.py", code=0)
    assert out == "It returns 1.\n"
    assert "def size(a):" in endpoint.requests[0].text
    assert "other.py" in endpoint.requests[0].text, "the map is in it"


def test_an_edit_needs_a_yes(root: Path, endpoint: Endpoint) -> None:
    endpoint.say(EDIT)
    words = ("edit", "-m", "rename x", "--chat", "app.py")
    out = check(root, endpoint, *words, code=1, told="say --yes to apply")
    assert "-    x = a" in out and "+    total = a" in out
    assert (root / "app.py").read_bytes() == SOURCE.encode()


def test_an_edit_is_applied_and_undo_takes_it_back(root: Path, endpoint: Endpoint) -> None:
    endpoint.say(EDIT)
    words = ("edit", "-m", "rename x", "--chat", "app.py", "--yes", "--json")
    found = json.loads(
        check(root, endpoint, *words, code=0, told="`pairwright undo` takes it back")
    )
    assert found["applied"] is True and found["files"] == ["app.py"]
    assert found["tokens"] == {"prompt": 7, "completion": 5}
    assert (root / "app.py").read_bytes() == SOURCE.replace("x = a", "total = a").encode()
    env = dict(os.environ, PAIRWRIGHT_DATA=str(root.parent / "data"))
    undo = [sys.executable, "-m", "pairwright", "undo", "--root", str(root)]
    subprocess.run(undo, env=env, check=True, capture_output=True)
    assert (root / "app.py").read_bytes() == SOURCE.encode()


def test_a_settings_file_names_the_model_and_how_edits_are_applied(
    root: Path, endpoint: Endpoint
) -> None:
    endpoint.say(EDIT)
    file = root.parent / "mine.json"
    file.write_text(json.dumps({"model": endpoint.settings(), "apply": {"mode": "at-once"}}))
    env = dict(
        os.environ,
        PAIRWRIGHT_DATA=str(root.parent / "data"),
        PAIRWRIGHT_CACHE=str(root.parent / "cache"),
        OPENAI_API_KEY="scripted-key",
    )
    words = ["edit", "--root", str(root), "--settings", str(file), "--set", "map.tokens=0"]
    line = [sys.executable, "-m", "pairwright", *words, "-m", "rename x", "--chat", "app.py"]
    done = subprocess.run(line, env=env, capture_output=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert (root / "app.py").read_bytes() == SOURCE.replace("x = a", "total = a").encode()
    assert "other.py" not in endpoint.requests[0].text, "there is no map"


def test_a_plan_is_carried_out_with_a_yes_beforehand(root: Path, endpoint: Endpoint) -> None:
    endpoint.say("```look\nreferences size\n```")
    endpoint.say("Rename x to total in app.py.")
    endpoint.say(EDIT)
    words = ("edit", "--mode", "architect", "-m", "rename x", "--chat", "app.py", "--yes", "--json")
    found = json.loads(check(root, endpoint, *words, code=0, told="looked up references size"))
    assert (found["mode"], found["text"]) == ("architect", "Rename x to total in app.py.")
    assert found["tokens"] == {"prompt": 21, "completion": 15}, "of all three requests"
    assert (root / "app.py").read_bytes() == SOURCE.replace("x = a", "total = a").encode()


def test_help_needs_no_folder_to_be_read(root: Path, endpoint: Endpoint) -> None:
    endpoint.say("By `pairwright undo`.")
    out = check(root, endpoint, "ask", "--mode", "help", "-m", "How do I undo an edit?", code=0)
    assert out.startswith("By `pairwright undo`.\n\n(From ") and "git.md" in out
    assert "def size" not in endpoint.requests[0].text


def test_a_reply_that_does_not_fit_is_refused(root: Path, endpoint: Endpoint) -> None:
    for _ in range(4):
        endpoint.say(EDIT.replace("x = a", "nowhere = a"))
    words = ("edit", "-m", "rename x", "--chat", "app.py", "--yes")
    check(root, endpoint, *words, code=1, told="pairwright edit: The model made the same mistake")
    assert (root / "app.py").read_bytes() == SOURCE.encode()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ask", "-m", " "), "the request is empty"),
        (("ask", "-m", "x", "--chat", "none.py"), "none.py is no file or folder"),
        (("ask", "--mode", "architect", "-m", "x"), "invalid choice: 'architect'"),
        (("ask",), "one of the arguments -m/--message --message-file is required"),
    ],
)
def test_usage(root: Path, endpoint: Endpoint, words: tuple[str, ...], told: str) -> None:
    check(root, endpoint, *words, code=2, told=told)
    assert not endpoint.requests


def test_a_failing_model_is_one_clear_message(root: Path, endpoint: Endpoint) -> None:
    endpoint.fail(401, "Incorrect API key provided")
    check(root, endpoint, "ask", "-m", "x", code=1, told="pairwright ask: ")


def test_an_interrupt_closes_the_stream_and_changes_nothing(root: Path, endpoint: Endpoint) -> None:
    endpoint.say(EDIT * 40, delay=0.2)
    process = started(root, endpoint, "edit", "-m", "rename x", "--chat", "app.py", "--yes")
    endpoint.wait(timeout=100)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    endpoint.wait_closed()
    assert (root / "app.py").read_bytes() == SOURCE.encode()


def test_a_conversation_goes_on_by_its_name(root: Path, endpoint: Endpoint) -> None:
    endpoint.say(EDIT)
    endpoint.say("It is.")
    named = ("--session", "talk", "--chat", "app.py", "-m")
    first = started(root, endpoint, "edit", "--yes", *named, "Name it total.")
    assert first.wait(60) == 0
    second = started(root, endpoint, "ask", *named, "Is it in?")
    assert second.wait(60) == 0, second.communicate()
    sent = endpoint.requests[1].text
    assert "Request: Name it total." in sent and "- app.py: accepted (checkpoint " in sent
    assert started(root, endpoint, "ask", "-m", "And now?").wait(60) == 1
    assert "Name it total." not in endpoint.requests[2].text
