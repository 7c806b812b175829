"""A long task through the real server: planned, edited, run, chosen about, redone, taken back."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.endpoint import Endpoint
from tests.support.served import Served, served
from tests.support.tasks import block, listing, target

from pairwright.lsp.instructions import HINT

FILES = {"main.py": "print(1)\n", "wish.md": "Add carts, in cents.\n"}
PLAN = """# Plan: Carts

- Money is in cents.

## create shop/item.py
- contract: class Item
## create shop/cart.py
- contract: def total(items)
- depends: shop/item.py
## modify main.py
- depends: shop/cart.py
"""
EXAMPLE = 'class Item:\n    """A thing of a shop, as it is sold."""\n\n    tax_code = 7\n'
SHOWN = "Code from other repositories"
REPLIES = {
    "shop/item.py": listing("shop/item.py", "class Item:\n    price = 0\n", ["price is in cents"]),
    "shop/cart.py": listing("shop/cart.py", "def total(items):\n    return len(items)\n"),
    "main.py": block("main.py", "print(1)\n", "print(2)\n"),
}


def answer(body: dict[str, Any]) -> str:
    text = "\n".join(message["content"] for message in body["messages"])
    path = target(text)
    return REPLIES[path] if path else PLAN


def reference(base: Path) -> Path:
    """A folder with code like that of the plan, whose licence allows to show it."""
    folder = base / "market"
    (folder / "lib").mkdir(parents=True)
    (folder / "LICENSE").write_text(
        "Permission is hereby granted, free of charge, to any person obtaining a copy"
    )
    (folder / "lib/item.py").write_text(EXAMPLE)
    return folder


def with_examples(endpoint: Endpoint) -> dict[str, bool]:
    """Whether code of the reference was in the request for each file of the plan."""
    texts = [request.text for request in endpoint.requests if target(request.text)]
    assert all((SHOWN in text) == ("tax_code = 7" in text) for text in texts)
    return {target(text): SHOWN in text for text in texts}


def phases(task: dict[str, Any]) -> list[str]:
    return [file["phase"] for file in task["files"]]


def texts(at: Served) -> dict[str, str]:
    """What the user sees, saved or not."""
    files = sorted(path for path in at.root.rglob("*") if path.is_file())
    return {str(path.relative_to(at.root)): at.editor.text(path) for path in files}


async def test_a_task_from_its_plan_to_its_undo(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        endpoint.otherwise = answer
        async with served(tmp_path, FILES, endpoint=endpoint) as at:
            before = texts(at)
            await at.editor.command("pairwright.reference.add", source=str(reference(tmp_path)))
            wish = (at.root / "wish.md").as_uri()
            started = await at.editor.command("pairwright.task.plan", uri=wish)
            end = await at.ended(started["id"])
            assert (end["outcome"], phases(end["task"])) == ("done", ["pending"] * 3)
            assert "Add carts, in cents." in endpoint.requests[0].text

            # The plan is a document: what the user changes in it counts.
            shown = await at.editor.command("pairwright.task.show", plan=True)
            document = Path(shown["uri"].removeprefix("file://"))
            document.write_text(
                document.read_text().replace("## modify main.py", "## delete main.py")
            )
            again = await at.editor.command("pairwright.task.show", plan=True)
            assert again["text"] == document.read_text(), "what was changed in it stays"
            end = await at.turn("pairwright.task.run")
            assert phases(end["task"]) == ["proposed"] * 3
            assert with_examples(endpoint)["shop/item.py"]
            assert end["task"]["version"] == 2
            assert texts(at) == before

            # Back to the first plan, each file applied at once.
            await at.editor.command("pairwright.reject", proposal=end["proposal"])
            shown = await at.editor.command("pairwright.task.show", plan=True)
            document = Path(shown["uri"].removeprefix("file://"))
            plan = document.read_text()
            document.write_text(plan.replace("## delete main.py", "## modify main.py"))
            for path in ("shop/item.py", "shop/cart.py"):
                end = await at.turn("pairwright.task.redo", path=path, review="task")
            assert phases(end["task"]) == ["applied"] * 3
            assert end["task"]["status"] == "done"
            assert texts(at)["main.py"] == "print(2)\n"
            changed = at.sent("pairwright/task/changed")
            assert changed[-1]["summary"] == "3 of 3 files written"
            save = [Path(uri.removeprefix("file://")) for one in changed for uri in one["save"]]
            assert sorted(save) == sorted(at.root / path for path in REPLIES)
            for path in save:
                at.editor.save(path)

            page = await at.editor.command("pairwright.task.show")
            assert "- [x] create `shop/cart.py`: applied" in page["text"]
            assert "- price is in cents" in page["text"]
            undone = await at.editor.command("pairwright.task.undo")
            assert undone["state"] == "done", undone
            assert undone["save"] == [(at.root / "main.py").as_uri()]
            assert texts(at) == before
            (listed,) = (await at.editor.command("pairwright.task.list"))["tasks"]
            assert listed["status"] == "undone"


def test_a_task_at_a_terminal(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    for path, text in FILES.items():
        (root / path).write_text(text)
    env = dict(
        os.environ,
        PAIRWRIGHT_DATA=str(tmp_path / "data"),
        PAIRWRIGHT_CACHE=str(tmp_path / "cache"),
        OPENAI_API_KEY="scripted-key",
    )
    with Endpoint() as endpoint:
        endpoint.otherwise = answer
        named = endpoint.settings()
        model = ("--model", named["name"], "--api-base", named["api_base"])

        def task(action: str, *words: str, code: int = 0) -> str:
            return pairwright("task", action, "--root", str(root), *words, code=code)

        def pairwright(*words: str, code: int = 0) -> str:
            line = [sys.executable, "-m", "pairwright", *words]
            done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=200)
            assert done.returncode == code, done.stderr
            return done.stdout

        pairwright("reference", "add", str(reference(tmp_path)))
        plan = tmp_path / "plan.md"
        plan.write_text(task("plan", str(root / "wish.md"), *model))
        assert plan.read_text() == PLAN.replace("## ", "\n## ").replace("\n\n\n", "\n\n").replace(
            ".py\n- ", ".py\n\n- "
        )
        plan.write_text(plan.read_text().replace("## modify main.py", "## modify lost.py"))
        task("run", "--plan", str(plan), *model, code=1)
        plan.write_text(plan.read_text().replace("## modify lost.py", "## modify main.py"))
        out = task("run", "--plan", str(plan), "--yes", *model)
        assert "+    return len(items)" in out
        assert with_examples(endpoint)["shop/item.py"]
        assert (root / "main.py").read_text() == "print(2)\n"
        assert "- [x] modify `main.py`: applied" in task("show")
        task("undo")
        task("run", "--yes", "--set", "task.references=off", *model)
        assert not with_examples(endpoint)["shop/item.py"]
        task("undo")
        left = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        assert left == set(FILES)
        assert (root / "main.py").read_text() == FILES["main.py"]


async def test_a_run_is_stopped_and_goes_on(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        async with served(tmp_path, FILES, endpoint=endpoint) as at:
            # A client that sends no words is shown where to write them.
            shown = await at.editor.command("pairwright.task.plan")
            document = Path(shown["document"])
            assert document.read_text().startswith("# Plan a task in the workspace")
            text = document.read_text().replace(HINT, "Add carts.")
            at.editor.open_text(document.as_uri(), text, 1, "markdown")
            endpoint.say(PLAN)
            end = await at.turn("pairwright.send", uri=document.as_uri())
            task = end["task"]["task"]
            assert "Add carts." in endpoint.requests[0].text
            endpoint.say(REPLIES["shop/item.py"])
            endpoint.stall("shop/cart.py\n```\n", 30.0)
            started = await at.editor.command("pairwright.task.run", review="task")
            await asyncio.to_thread(endpoint.wait, 3)
            assert (await at.editor.command("pairwright.task.stop"))["stopped"] == [task]
            end = await at.ended(started["id"])
            assert (end["outcome"], end["reason"]) == ("stop", "cancelled")
            assert phases(end["task"]) == ["applied", "pending", "pending"]
            endpoint.otherwise = answer
            end = await at.turn("pairwright.task.resume", review="task")
            assert phases(end["task"]) == ["applied"] * 3
