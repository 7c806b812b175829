"""The modes through the real server: with a client of ours, and with one that knows standard LSP only."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.support.endpoint import Endpoint
from tests.support.served import blocks, served

FILES = {
    "cart.py": "from money import up\n\n\ndef total(rows):\n    return up(sum(rows))\n",
    "money.py": "def up(value):\n    return int(value + 0.99)\n",
}
PLAN = "In cart.py, `total` returns the plain sum."
EDIT = blocks(("cart.py", "    return up(sum(rows))\n", "    return sum(rows)\n"))


async def test_every_mode_by_its_command(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, FILES, endpoint=endpoint) as at:
            await at.indexed()
            path = at.root / "cart.py"
            at.editor.open(path)
            questions: list[Any] = []

            def yes(params: Any) -> Any:
                questions.append(params)
                return params["actions"][0]

            at.editor.answers["window/showMessageRequest"] = yes
            endpoint.say("```look\nsymbol up\n```")
            endpoint.say(PLAN)
            endpoint.say(EDIT)
            end = await at.turn("pairwright.architect", uri=path.as_uri(), text="Do not round.")
            assert (end["outcome"], end["text"], end["refine"]) == ("done", PLAN, False)
            (hunk,) = await at.hunks(end["proposal"])
            assert hunk["new"] == "    return sum(rows)\n"
            assert [one["title"] for one in questions[0]["actions"]] == ["Edit", "Refine", "Cancel"]
            events = at.sent("pairwright/turn/event")
            (looked,) = [event for event in events if event["kind"] == "looked"]
            assert looked["wishes"] == [["symbol up", "1 definition"]]
            assert [event["text"] for event in events if event["kind"] == "planned"] == [PLAN]
            await at.editor.command("pairwright.reject", proposal=end["proposal"])

            # A file that the model asks for is shown, and changed after a yes.
            endpoint.say("`money.py` has to be changed too: please add it to the chat.")
            endpoint.say(
                blocks(("money.py", "    return int(value + 0.99)\n", "    return int(value)\n"))
            )
            end = await at.turn("pairwright.edit", uri=path.as_uri(), text="Round down.")
            assert end["proposal"], end
            assert "money.py, which is not in the chat" in questions[1]["message"]

            # It is in the chat by now, and what the model names is what it sees: one round is enough.
            endpoint.say("- money.py: rounds\n- coins.py: none")
            end = await at.turn("pairwright.context", text="Round down.")
            assert "- `money.py`: rounds" in end["text"] and "coins.py" in end["text"]
            held = await at.editor.command("pairwright.chat")
            assert held["editable"] == ["money.py"]

            endpoint.say("By `pairwright.undo` (git.md).")
            end = await at.turn("pairwright.help", text="How do I undo?")
            assert end["text"] == "By `pairwright.undo` (git.md)."
            assert "def up" not in endpoint.requests[-1].text


async def test_a_plan_is_refined_without_a_client_of_ours(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, FILES, endpoint=endpoint, plugin=False) as at:
            path = at.root / "cart.py"
            at.editor.open(path)
            choices = ["Refine", "Edit"]
            at.editor.answers["window/showMessageRequest"] = lambda params: {
                "title": choices.pop(0)
            }
            actions = await at.editor.request(
                "textDocument/codeAction",
                {
                    "textDocument": {"uri": path.as_uri()},
                    "range": at.editor.range(path, 0, 0),
                    "context": {"diagnostics": []},
                },
            )
            titles = [action["title"].removeprefix("Pairwright: ") for action in actions]
            assert titles == ["Ask", "Edit", "Plan, then edit", "Choose files", "Help"]
            endpoint.say(PLAN)
            await at.editor.command("pairwright.architect", uri=path.as_uri(), text="No rounding.")
            (document,) = await documents(at, 1)
            text = await filled(at, document, PLAN)
            assert text.count(PLAN) == 1 and text.rstrip().endswith('"Pairwright: Send".*')

            document.write_text(text.replace("*Write below", "Keep the import.\n*Write"))
            at.editor.open(document, "markdown")
            endpoint.say("Then keep it.")
            endpoint.say(EDIT)
            await at.editor.command("pairwright.send", uri=document.as_uri())
            shown = await at.editor.wait_for(
                "the summary",
                lambda m: m["method"] == "window/showMessage" and "proposed" in str(m["params"]),
            )
            assert "1 hunk proposed in cart.py" in shown["params"]["message"]
            assert PLAN in endpoint.requests[1].text, "the plan is in the conversation"
            assert at.editor.text(document).count("Then keep it.") == 1


async def documents(at: Any, many: int) -> list[Path]:
    """The request documents that were shown."""
    await at.editor.wait_for("a document", lambda m: "architect-" in str(m["params"]))
    found = sorted((at.root.parent / "cache" / "requests").glob("architect-*.md"))
    assert len(found) == many
    return found


async def filled(at: Any, document: Path, said: str) -> str:
    """The text of a document once `said` stands in it."""
    for _ in range(1200):
        text = document.read_text()
        if said in text:
            return text
        await asyncio.sleep(0.05)
    raise AssertionError(f"{said!r} never came: {document.read_text()}")
