"""Refining through the real server: by command, by a second edit of the file, by a request document."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.endpoint import Endpoint
from tests.support.served import blocks, served

TEXT = "def a():\r\n    return 1\r\n\r\n\r\ndef b():\r\n    return 1\r\n"
FIRST = blocks(("a.py", "def a():\n    return 1\n", "def a():\n    return 2\n"))
SECOND = blocks(("a.py", "def a():\n    return 2\n", "def a():\n    return 22\n"))
THIRD = blocks(("a.py", "    return 22\n", "    return 23\n"))


async def test_a_proposal_is_refined_in_three_ways(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, {"a.py": TEXT}, endpoint=endpoint) as at:
            path = at.root / "a.py"
            at.editor.open(path)
            endpoint.say(FIRST)
            end = await at.turn("pairwright.edit", uri=path.as_uri(), text="return two")
            ident = end["proposal"]
            drafted = [d for d in at.sent("pairwright/turn/event") if d["kind"] == "hunk"]
            assert [(d["path"], d["line"], d["new"]) for d in drafted] == [
                ("a.py", 0, "def a():\n    return 2")
            ]

            endpoint.say(SECOND)
            end = await at.turn("pairwright.refine", proposal=ident, instruction="more")
            assert end["proposal"] == ident, end
            asked = endpoint.requests[-1].text
            assert "def a():\n    return 2\n" in asked and "return two" in asked
            (hunk,) = await at.hunks(ident)
            assert (hunk["old"], hunk["new"]) == ("    return 1\r\n", "    return 22\r\n")
            assert at.editor.text(path) == TEXT

            # A second edit of the file goes on from the proposal; its selection is what the user sees.
            endpoint.say(THIRD)
            spot = TEXT.index("    return 1")
            end = await at.turn(
                "pairwright.edit",
                uri=path.as_uri(),
                text="one more",
                range=at.editor.range(path, spot, spot + len("    return 1\r\n")),
            )
            assert end["proposal"] == ident, end
            (hunk,) = await at.hunks(ident)
            assert hunk["new"] == "    return 23\r\n"
            taken = await at.editor.command("pairwright.accept", proposal=ident)
            assert taken["state"] == "applied", taken
            assert at.editor.text(path) == TEXT.replace("return 1", "return 23", 1)
            undone = await at.editor.command("pairwright.undo")
            assert undone["state"] == "done" and at.editor.text(path) == TEXT


async def test_refining_by_a_request_document(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, {"a.py": TEXT}, endpoint=endpoint) as at:
            path = at.root / "a.py"
            at.editor.open(path)
            ident = await at.pasted(FIRST)
            params = {
                "textDocument": {"uri": path.as_uri()},
                "range": at.editor.range(path, TEXT.index("1"), TEXT.index("1")),
                "context": {"diagnostics": []},
            }
            found = await at.editor.request("textDocument/codeAction", params)
            (action,) = [a for a in found if a["title"] == "Pairwright: Refine hunk 1 of 1"]
            (args,) = action["command"]["arguments"]
            shown = await at.editor.command("pairwright.refine", **args)
            document = Path(shown["document"])
            document.write_text(document.read_text().replace("*Write below", "twenty-two\n*Write"))
            at.editor.open(document, "markdown")
            endpoint.say(SECOND)
            end = await at.turn("pairwright.send", uri=document.as_uri())
            assert end["proposal"] == ident, end
            (hunk,) = await at.hunks(ident)
            assert hunk["new"] == "    return 22\r\n"


async def test_typing_while_the_answer_arrives(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    with Endpoint() as endpoint:
        async with served(tmp_path, {"a.py": TEXT}, endpoint=endpoint) as at:
            path = at.root / "a.py"
            at.editor.open(path)

            async def typing() -> None:
                at.editor.type(path, 0, 0, "# mine\r\n")
                spot = at.editor.text(path).rindex("1")
                at.editor.type(path, spot, spot + 1, "9")

            both = blocks(
                ("a.py", "def a():\n    return 1\n", "def a():\n    return 2\n"),
                ("a.py", "def b():\n    return 1\n", "def b():\n    return 2\n"),
            )
            endpoint.hold(
                both, 20, lambda: asyncio.run_coroutine_threadsafe(typing(), loop).result(30)
            )
            end = await at.turn("pairwright.edit", uri=path.as_uri(), text="return two")
            typed = at.editor.text(path)
            all_ = await at.editor.command("pairwright.accept", proposal=end["proposal"])
            assert all_["state"] == "stale", all_
            (clash,) = all_["conflicts"]
            assert clash["now"] == "    return 9\r\n" and at.editor.text(path) == typed
            one = await at.editor.command(
                "pairwright.accept", proposal=end["proposal"], hunks=["0.0"]
            )
            assert one["state"] == "applied", one
            assert at.editor.text(path) == typed.replace("return 1", "return 2", 1)


async def test_an_incomplete_proposal_asks_before_all_of_it_is_taken(tmp_path: Path) -> None:
    bad = blocks(("a.py", "    return nowhere(1, 2, 3)\n", "    return 4\n"))
    reply = f"{FIRST}\n\n{bad}"
    with Endpoint() as endpoint:
        async with served(tmp_path, {"a.py": TEXT}, endpoint=endpoint) as at:
            path = at.root / "a.py"
            at.editor.open(path)
            endpoint.say(reply)
            endpoint.say(reply)
            end = await at.turn("pairwright.edit", uri=path.as_uri(), text="return two")
            assert end["outcome"] == "done" and len(end["missing"]) == 1, end
            shown = await at.editor.command("pairwright.show", proposal=end["proposal"])
            assert "Incomplete. 1 part of the answer" in shown["preview"]
            answers = [None, {"title": "Accept what is there"}]
            at.editor.answers["window/showMessageRequest"] = lambda params: answers.pop(0)
            taken = await at.editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "cancelled" and at.editor.text(path) == TEXT
            taken = await at.editor.command("pairwright.accept", proposal=end["proposal"])
            assert taken["state"] == "applied", taken
            assert at.editor.text(path) == TEXT.replace("return 1", "return 2", 1)
