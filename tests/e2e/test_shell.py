"""Suggested commands through the real server: nothing without a yes, exactly what was shown, told on another yes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.support.endpoint import Endpoint
from tests.support.served import Served, blocks, served

SECRET = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
COMMAND = f"echo $((20 + 3)) > made.txt; cat made.txt; echo {SECRET}; exit 3"
REPLY = f"Run this:\n\n```bash\n{COMMAND}\n```\n"
PASTED = blocks(("a.py", "x = 1\n", "x = 2\n")) + f"\n\n{REPLY}"
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("shell"),
]


@pytest.fixture(scope="module")
def endpoint() -> Any:
    with Endpoint() as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plugin(
    endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    base = tmp_path_factory.mktemp("plugin")
    privacy = {"redact": "always"}
    async with served(
        base, {"a.py": "x = 1\n"}, endpoint=endpoint, trusted=True, privacy=privacy
    ) as at:
        yield at


def answered(at: Served, *answers: str) -> list[str]:
    """The questions of the server, answered with `answers` in order."""
    questions: list[str] = []
    left = list(answers)

    def answer(params: Any) -> Any:
        questions.append(params["message"])
        return {"title": left.pop(0)} if left else None

    at.editor.answers["window/showMessageRequest"] = answer
    return questions


async def test_a_no_runs_nothing(plugin: Served, endpoint: Endpoint) -> None:
    questions = answered(plugin, "No")
    endpoint.say(REPLY)
    end = await plugin.turn("pairwright.edit", text="How do I make it?")
    assert end["shell"] == [COMMAND]
    found = await plugin.editor.command("pairwright.run", command=COMMAND)
    assert found["state"] == "cancelled"
    assert questions == [f"Pairwright: run this by bash in {plugin.root}?\n\n{COMMAND}"]
    assert not (plugin.root / "made.txt").exists()


async def test_a_yes_runs_it_and_a_further_one_tells_the_model(
    plugin: Served, endpoint: Endpoint
) -> None:
    questions = answered(plugin, "Run", "Add")
    found = await plugin.editor.command("pairwright.run", command=COMMAND)
    assert (found["state"], found["code"], found["joined"]) == ("ran", 3, True)
    assert found["output"].startswith("23\n")
    assert "exit code 3" in questions[1]
    assert (plugin.root / "made.txt").read_text() == "23\n"
    for _ in range(2):
        # The first time as news, then as part of the conversation.
        endpoint.say("I see.")
        await plugin.turn("pairwright.ask", text="And?")
        asked = endpoint.requests[-1].text
        assert "which ended with exit code 3" in asked and "    23\n" in asked
        assert SECRET not in asked


async def test_only_what_was_suggested_is_run(plugin: Served) -> None:
    questions = answered(plugin, "Run", "Run")
    for command in ("touch other.txt", f"{COMMAND} ", f"{COMMAND}\ntouch other.txt"):
        with pytest.raises(AssertionError, match="Only a command that an answer suggested"):
            await plugin.editor.command("pairwright.run", command=command)
    assert questions == [] and not (plugin.root / "other.txt").exists()


async def test_a_client_without_our_protocol_is_asked_behind_the_turn(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": "x = 1\n"}, plugin=False, trusted=True) as at:
        questions = answered(at, "Run", "No")
        await at.editor.command("pairwright.apply", text=PASTED)
        await at.editor.wait_for(
            "where the output is",
            lambda m: m["method"] == "window/showMessage" and "run-" in m["params"]["message"],
        )
        (shown,) = [m["message"] for m in at.sent("window/showMessage") if "run-" in m["message"]]
        page = Path(shown.partition("open ")[2]).read_text()
        assert page.startswith("# A command ended with exit code 3") and "\n23\n" in page
        assert len(questions) >= 1 and COMMAND in questions[0]


async def test_nothing_is_offered_where_nobody_vouched_for_the_workspace(tmp_path: Path) -> None:
    async with served(tmp_path, {"a.py": "x = 1\n"}, plugin=False) as at:
        questions = answered(at, "Run", "Run")
        await at.editor.command("pairwright.apply", text=PASTED)
        message = await at.editor.wait_for(
            "why not",
            lambda m: m["method"] == "window/showMessage" and "not run" in m["params"]["message"],
        )
        assert "is not trusted" in message["params"]["message"]
        with pytest.raises(AssertionError, match="is not trusted"):
            await at.editor.command("pairwright.run", command=COMMAND)
        assert questions == [] and not (at.root / "made.txt").exists()
