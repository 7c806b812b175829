"""Checks through the real server: a linter sends an edit back, tests behind an accept open a further turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.test_cli_turn import check
from tests.support.endpoint import Endpoint
from tests.support.served import Served, blocks, served

FILES = {
    "a.py": "def f():\n    return 1\n",
    "test_a.py": "from a import f\nassert f() in (1, 2), f()\nprint('fine')\n",
}
LINT = (
    "import sys; t = sys.stdin.read(); print('- no nines') if '9' in t else 0; sys.exit('9' in t)"
)
CHECKS: dict[str, Any] = {
    "lint": {"python": [sys.executable, "-I", "-c", LINT]},
    "test": [sys.executable, "test_a.py"],
    "run_test": "auto",
}


async def said(at: Served, words: str) -> str:
    """The message to the user that holds `words`, once it has come."""
    found = await at.editor.wait_for(
        words, lambda m: m["method"] == "window/showMessage" and words in m["params"]["message"]
    )
    text: str = found["params"]["message"]
    return text


async def test_lint_and_tests_where_the_workspace_is_trusted(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, FILES, endpoint=endpoint, trusted=True, checks=CHECKS) as at:
            path = at.root / "a.py"
            at.editor.open(path)
            endpoint.say(blocks(("a.py", "    return 1\n", "    return 9\n")))
            endpoint.say(blocks(("a.py", "    return 9\n", "    return 3\n")))
            end = await at.turn("pairwright.edit", uri=path.as_uri(), text="Return three.")
            assert end["findings"] == [] and "- no nines" in endpoint.requests[1].text

            # Behind the accept the tests fail; the correction is a turn of its own.
            endpoint.say(blocks(("a.py", "    return 3\n", "    return 2\n")))
            taken = await at.editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied"
            await said(at, "fails with the edit")
            again = await at.editor.wait_for(
                "the end of the correction",
                lambda m: (
                    m["method"] == "pairwright/turn/end"
                    and m["params"].get("proposal") not in (None, end["proposal"])
                ),
            )
            asked = endpoint.requests[2].text
            assert "AssertionError: 3" in asked and "Return three." in asked
            assert "    return 3\n" in asked, "the text as it is behind the accept"
            ident = again["params"]["proposal"]
            taken = await at.editor.command("pairwright.accept", proposal=ident)
            assert taken["state"] == "applied"
            assert "passed" in await said(at, "test_a.py passed")
            assert at.editor.text(path) == "def f():\n    return 2\n"
            assert len(endpoint.requests) == 3

            # Where no correction is allowed the failure is only told.
            pushed = {"pairwright": {"turn": {"reflections": 0}}}
            at.editor.notify("workspace/didChangeConfiguration", {"settings": pushed})
            ident = await at.pasted(blocks(("a.py", "    return 2\n", "    return 5\n")))
            await at.editor.command("pairwright.accept", proposal=ident)
            await said(at, "takes it back")
            assert len(endpoint.requests) == 3


async def test_nothing_runs_where_it_is_not_trusted_whatever_settings_say(tmp_path: Path) -> None:
    note = tmp_path / "ran"
    touch = [sys.executable, "-c", f"open({str(note)!r}, 'w')"]
    checks = {"test": touch, "run_test": "auto"}
    async with served(tmp_path, FILES, checks=checks) as at:
        # As an editor pushes what a file of the repository says.
        pushed = {"pairwright": {"trusted": True, "checks": checks}}
        at.editor.notify("workspace/didChangeConfiguration", {"settings": pushed})
        at.editor.open(at.root / "a.py")
        ident = await at.pasted(blocks(("a.py", "    return 1\n", "    return 2\n")))
        taken = await at.editor.command("pairwright.accept", proposal=ident)
        assert taken["state"] == "applied"
        await said(at, "not trusted")
        assert not note.exists()


@pytest.mark.parametrize(
    ("trusted", "network"), [(False, "proxy http://own:1,"), (True, "theirs.pem")]
)
async def test_no_file_of_a_workspace_comes_between_the_user_and_a_model(
    tmp_path: Path, trusted: bool, network: str
) -> None:
    pushed = {"pairwright": {"model": {"proxy": "http://theirs:1", "ca_file": "theirs.pem"}}}
    own = {"proxy": "http://own:1"}
    async with served(tmp_path, FILES, trusted=trusted, model=own) as at:
        at.editor.notify("workspace/didChangeConfiguration", {"settings": pushed})
        if not trusted:
            text = await said(at, "is not used")
            assert "pairwright.model.proxy" in text and "pairwright.model.ca_file" in text
        found = (await at.editor.command("pairwright.doctor"))["text"]
        assert network in found
        assert ("theirs" in found) == trusted


def test_the_command_line_holds_an_edit_to_its_tests(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    for path, text in FILES.items():
        (root / path).write_text(text)
    words = ("edit", "-m", "Return more.", "--chat", "a.py", "--yes")
    with Endpoint() as endpoint:
        endpoint.say(blocks(("a.py", "    return 1\n", "    return 3\n")))
        endpoint.say("It is right as it is.")
        command = f"{sys.executable} test_a.py"
        told = f"checks: `{command}` failed (exit status 1)"
        check(root, endpoint, *words, "--test", command, code=1, told=told)
        assert "AssertionError: 3" in endpoint.requests[1].text
        assert (root / "a.py").read_text() == FILES["a.py"], "nothing is applied without a look"
