"""Long tasks and references in the real Neovim, by keys and commands as a user would; replies are scripted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint
from tests.support.nvim import Nvim
from tests.support.nvim_room import Room
from tests.support.tasks import block, listing, target

pytestmark = [pytest.mark.nvim, pytest.mark.xdist_group("nvim_plugin")]
PLAN = """# Plan: Carts

## create shop/item.py
- contract: class Item
## create shop/cart.py
- contract: def total(items)
- depends: shop/item.py
## modify main.py
- depends: shop/item.py
"""
REPLIES = {
    "shop/item.py": listing("shop/item.py", "class Item:\n    price = 0\n", ["price is in cents"]),
    "shop/cart.py": listing("shop/cart.py", "def total(items):\n    return len(items)\n"),
    "main.py": block("main.py", "print(1)\n", "print(2)\n"),
}


def answer(body: dict[str, Any]) -> str:
    path = target("\n".join(message["content"] for message in body["messages"]))
    return REPLIES[path] if path else PLAN


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Endpoint() as endpoint:
        made = Room(tmp_path_factory.mktemp("nvim_tasks"), endpoint)
        (made.root / "main.py").write_text("print(1)\n")
        (made.root / "wish.md").write_text("Add carts, in cents.\n")
        yield made
        made.nvim.close()


@pytest.fixture
def room(shared: Room) -> Room:
    """`main.py` in the only window, nothing of a task in the workspace."""
    shared.endpoint.otherwise = answer
    shared.nvim.keys("<Esc>")
    shared.nvim.api.command("silent! only | messages clear")
    shared.nvim.edit(shared.root / "main.py")
    return shared


def view(nvim: Nvim) -> str:
    """The text of the view of a task; empty while there is none."""
    code = """
        for _, b in ipairs(vim.api.nvim_list_bufs()) do
          if vim.api.nvim_buf_get_name(b):match('^pairwright://task/') then
            return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n')
          end
        end
        return ''
    """
    return str(nvim.lua(code))


def to(nvim: Nvim, name: str) -> None:
    """Go to the window of a buffer whose name holds `name`."""
    code = """
        for _, w in ipairs(vim.api.nvim_list_wins()) do
          if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(w)):find(..., 1, true) then
            vim.api.nvim_set_current_win(w)
            return true
          end
        end
        return false
    """
    nvim.wait(f"the window of {name}", lambda: nvim.lua(code, name))


def on_row(nvim: Nvim, path: str) -> None:
    """The cursor to the row of a file in the view of its task."""
    to(nvim, "pairwright://task/")
    row = next(n for n, text in enumerate(nvim.lines(), 1) if f"`{path}`" in text)
    nvim.api.current.window.cursor = (row, 0)


def planned(room: Room, words: str) -> None:
    nvim = room.nvim
    nvim.api.command(f"messages clear | Pairwright task plan {words}")
    nvim.wait(
        "the end", lambda: "planned" in room.messages() or "plan cannot" in room.messages(), 180
    )
    assert "3 files planned" in room.messages(), room.messages()
    nvim.wait("its document", lambda: "## modify main.py" in nvim.screen())


def faults(nvim: Nvim) -> list[list[Any]]:
    """What is underlined in the buffer in front: line (from 1) and message."""
    code = """
        return vim.tbl_map(function(d) return { d.lnum + 1, d.message } end, vim.diagnostic.get(0))
    """
    return list(nvim.lua(code))


def text_of(room: Room, path: str) -> str:
    """What a user would see of a file, saved or not; empty where there is none."""
    code = """
        for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
          if vim.api.nvim_buf_get_name(buffer) == ... and vim.api.nvim_buf_is_loaded(buffer) then
            return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n') .. '\\n'
          end
        end
        return ''
    """
    full = room.root / path
    return str(room.nvim.lua(code, str(full))) or (full.read_text() if full.exists() else "")


def test_a_plan_with_faults_is_underlined_and_each_file_reviewed(room: Room) -> None:
    nvim = room.nvim
    nvim.edit(room.root / "wish.md")
    planned(room, "%")
    assert "Add carts, in cents." in room.endpoint.requests[-1].text
    assert nvim.api.current.buffer.name == str(room.root / "wish.md"), "the focus stays"

    to(nvim, "-1.md")
    nvim.keys("/modify main<CR>:s/main/lost/<CR>")
    nvim.wait("the typing", lambda: "## modify lost.py" in nvim.lines())
    nvim.api.command("Pairwright task run")
    nvim.wait("the fault", lambda: faults(nvim))
    ((line, fault),) = faults(nvim)
    assert nvim.lines()[line - 1] == "## modify lost.py"
    assert fault.startswith("lost.py does not exist")
    nvim.keys(":s/lost/main/<CR>")
    nvim.wait("the typing", lambda: "## modify main.py" in nvim.lines())
    plan = nvim.api.current.buffer.name
    nvim.api.command("messages clear | Pairwright task run file")
    nvim.wait("the first file", lambda: "shop/item.py (1 of 3) waits" in room.messages())
    nvim.wait("the view", lambda: "- [x] create `shop/item.py`: proposed" in view(nvim))
    assert (faults(nvim), nvim.api.current.buffer.name) == ([], plan)
    assert "task 1/3 files" in nvim.lua("return require('pairwright').statusline()")

    # In the view a line means its file; the run goes on as soon as nothing is left to choose.
    on_row(nvim, "shop/item.py")
    nvim.keys("p")
    nvim.wait("its proposal", lambda: "+class Item:" in nvim.lines())
    on_row(nvim, "shop/item.py")
    nvim.keys("<Space>pa")
    nvim.wait("the second", lambda: "shop/cart.py (2 of 3) waits" in room.messages())
    assert text_of(room, "shop/item.py") == "class Item:\n    price = 0\n"
    nvim.api.command("Pairwright reject all")
    nvim.wait("the third", lambda: "main.py (2 of 3) waits" in room.messages())
    nvim.api.command("Pairwright accept all")
    nvim.wait("the end", lambda: "task: 2 of 3 files written" in room.messages())
    nvim.wait(
        "the view", lambda: "[ ] create `shop/cart.py`: left out; you rejected it" in view(nvim)
    )

    on_row(nvim, "shop/cart.py")
    nvim.keys("r")
    nvim.wait("it waits again", lambda: "shop/cart.py (3 of 3) waits" in room.messages())
    nvim.api.command("Pairwright accept all")
    nvim.wait("the end", lambda: "task: 3 of 3 files written" in room.messages())
    assert text_of(room, "main.py") == "print(2)\n"

    nvim.api.command("messages clear | Pairwright task undo")
    nvim.wait("all of it undone", lambda: "undone" in view(nvim))
    assert (text_of(room, "main.py"), text_of(room, "shop/item.py")) == ("print(1)\n", "")
    nvim.wait("it is saved", lambda: (room.root / "main.py").read_text() == "print(1)\n")
    assert "- [ ] modify `main.py`: to do" in view(nvim)


def test_a_run_is_stopped_goes_on_and_leaves_a_file_out(room: Room) -> None:
    nvim, endpoint = room.nvim, room.endpoint
    planned(room, "Add carts.")
    count = len(endpoint.requests)
    endpoint.say(REPLIES["shop/item.py"])
    endpoint.stall("shop/cart.py\n```\n", 30.0)
    nvim.api.command("messages clear | Pairwright task run task")
    endpoint.wait(count + 2)
    nvim.wait("its state", lambda: "`shop/item.py`: applied" in view(nvim))
    nvim.wait("what is written", lambda: "writing" in nvim.screen())
    nvim.api.command("Pairwright status")
    nvim.wait("the status", lambda: "task 1/3 files" in room.messages())
    assert nvim.api.current.buffer.name == str(room.root / "main.py"), "the focus stays"
    on_row(nvim, "main.py")
    nvim.keys("<C-c>")
    nvim.wait("its end", lambda: "task stopped: 1 of 3 files written" in room.messages())
    nvim.keys("x")
    nvim.wait("left out", lambda: "`main.py`: left out; left out by you" in view(nvim))

    complete = "return vim.fn.getcompletion('Pairwright task ' .. ..., 'cmdline')"
    assert nvim.lua(complete, "s") == ["show", "skip", "stop"]
    assert nvim.lua(complete, "redo ma") == ["main.py"]
    ident = nvim.lua("return vim.b.pairwright_task")
    assert ident in nvim.lua(complete, "show ")

    nvim.keys("c")
    nvim.wait("its end", lambda: "task: 2 of 3 files written; main.py skipped" in room.messages())
    assert text_of(room, "shop/cart.py") == "def total(items):\n    return len(items)\n"
    nvim.api.command("silent! only | messages clear")
    nvim.api.command("Pairwright task redo main.py task")
    nvim.wait("its end", lambda: "task: 3 of 3 files written" in room.messages())
    nvim.wait("it is saved", lambda: (room.root / "main.py").read_text() == "print(2)\n")
    nvim.api.command(f"Pairwright task undo {ident}")
    nvim.wait("all of it undone", lambda: "task undone: 0 of 3 files written" in room.messages())
    assert text_of(room, "main.py") == "print(1)\n"
    nvim.api.command("Pairwright task list")
    nvim.wait("the list", lambda: f"1: {ident} Carts: undone, 0 of 3" in nvim.screen())
    nvim.keys("1<CR>")
    nvim.wait("the view", lambda: nvim.lua("return vim.b.pairwright_task") == ident)


def test_a_plan_is_asked_for_in_a_document_changed_by_words_and_accepted_as_one(room: Room) -> None:
    nvim, endpoint = room.nvim, room.endpoint
    nvim.api.command("messages clear | Pairwright task plan")
    nvim.wait("where to write", lambda: "/requests/plan-" in nvim.api.current.buffer.name)
    nvim.keys("GoAdd carts of glass.<Esc>")
    nvim.wait("the words", lambda: "Add carts of glass." in nvim.lines())
    nvim.api.command("Pairwright send")
    nvim.wait("the plan", lambda: "3 files planned" in room.messages())
    assert "Add carts of glass." in endpoint.requests[-1].text

    to(nvim, "-1.md")
    nvim.keys("/# Plan<CR>o<CR>- Prices are whole.<Esc>")
    nvim.wait("the typing", lambda: "- Prices are whole." in nvim.lines())
    endpoint.say(PLAN.replace("Plan: Carts", "Plan: Baskets"))
    nvim.api.command("messages clear | Pairwright task plan Call them baskets.")
    nvim.wait("the second", lambda: "3 files planned" in room.messages())
    assert "Call them baskets." in endpoint.requests[-1].text
    assert "# Plan: Carts\n\n- Prices are whole." in endpoint.requests[-1].text
    to(nvim, "-2.md")
    assert "# Plan: Baskets" in nvim.lines()

    # What is saved in the plan is there when it is opened again.
    nvim.keys("Go- depends: shop/cart.py<Esc>")
    nvim.wait("the typing", lambda: nvim.lines()[-1] == "- depends: shop/cart.py")
    nvim.api.command("silent write | bwipeout | Pairwright task show plan")
    nvim.wait("the plan", lambda: nvim.api.current.buffer.name.endswith("-2.md"))
    assert nvim.lines()[-1] == "- depends: shop/cart.py"

    nvim.api.command("messages clear | Pairwright task run")
    nvim.wait("its end", lambda: "it waits for your choice" in room.messages())
    assert "3 of 3 files written; plan version 3" in view(nvim)
    assert text_of(room, "main.py") == "print(1)\n"
    assert "task waits, 3/3 files" in nvim.lua("return require('pairwright').statusline()")
    nvim.wait("its hunks", lambda: room.waiting() > 0)
    nvim.api.command("Pairwright reject all")
    nvim.wait("nothing left", lambda: room.waiting() == 0)
    nvim.wait("the task knows", lambda: "left out" in view(nvim))


def test_references_are_added_searched_and_removed(room: Room, tmp_path: Path) -> None:
    nvim = room.nvim
    library = tmp_path / "money"
    library.mkdir()
    (library / "LICENSE").write_text(
        "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n"
        'of this software and associated documentation files (the "Software"), to deal\n'
        "in the Software without restriction.\n"
    )
    (library / "interest.py").write_text(
        '"""Interest."""\n\n\ndef compound_interest(amount, rate, years):\n'
        '    """Compound interest of an amount."""\n    return amount * (1 + rate) ** years\n'
    )
    nvim.api.command(f"cd {tmp_path}")
    nvim.api.command("Pairwright reference add money name=lender")
    nvim.wait("the answer", lambda: "added lender: folder" in room.messages())
    nvim.api.command(f"cd {room.root}")
    nvim.api.command("Pairwright reference search compound interest of an amount")
    nvim.wait("what is found", lambda: nvim.lua("return vim.bo.buftype") == "quickfix")
    text = "\n".join(nvim.lines())
    assert "interest.py|4-6| function compound_interest: lender" in text
    assert "return amount * (1 + rate) ** years" in text
    nvim.keys("gg<CR>")
    nvim.wait("its file", lambda: nvim.api.current.buffer.name == str(library / "interest.py"))
    assert nvim.api.current.window.cursor[0] == 4
    nvim.api.command("cclose")

    complete = "return vim.fn.getcompletion('Pairwright reference ' .. ..., 'cmdline')"
    assert nvim.lua(complete, "re") == ["remove"]
    assert nvim.lua(complete, "search in=") == ["in=lender"]
    assert nvim.lua(complete, "remove ") == ["lender"]
    nvim.api.command("messages clear | Pairwright reference search bake bread in=lender")
    nvim.wait("the answer", lambda: "no match in the references" in room.messages())
    nvim.api.command("Pairwright reference list")
    nvim.wait("the list", lambda: nvim.lines()[0].startswith("lender: folder, "))
    nvim.api.command("Pairwright reference remove lender")
    nvim.wait("the answer", lambda: "removed lender" in room.messages())
    for words, said in {
        "reference search x": "There is no such reference",
        "reference find x": "there is no :Pairwright reference find; there are add, list, remove",
        "task go": "there is no :Pairwright task go; there are list, plan, redo",
        "task stop": "no task is running",
        "task run 20200101-000000-abcd": "There is no task 20200101-000000-abcd",
    }.items():
        nvim.api.command(f"messages clear | Pairwright {words}")
        nvim.wait(f"the answer to {words}", lambda said=said: said in room.messages())
