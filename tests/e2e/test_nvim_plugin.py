"""The Neovim plugin in the real Neovim, by keys and commands as a user would, on a clean profile.

One Neovim and one server for all; replies are scripted. Installing it in each way is test_nvim_plugin_install.py.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.nvim import Nvim
from tests.support.nvim_room import TEXT, Room

pytestmark = [pytest.mark.nvim, pytest.mark.xdist_group("nvim_plugin")]
FIRST = "<<<<<<< SEARCH\n    acc = 0\n=======\n    acc = 1\n>>>>>>> REPLACE\n"
SEVEN = "<<<<<<< SEARCH\n    acc = 1\n=======\n    acc = 7\n>>>>>>> REPLACE\n"
LAST = "<<<<<<< SEARCH\n    return acc\n=======\n    return acc * 2\n>>>>>>> REPLACE\n"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Endpoint() as endpoint:
        made = Room(tmp_path_factory.mktemp("nvim"), endpoint)
        yield made
        made.nvim.close()


def edited(first: bool = True, last: bool = True) -> list[str]:
    text = TEXT.replace("acc = 0", "acc = 1") if first else TEXT
    text = text.replace("return acc", "return acc * 2") if last else text
    return text.splitlines()


def test_the_server_is_there_and_a_name_is_hovered(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    nvim.api.command("Pairwright status")
    nvim.wait("the status", lambda: "version" in room.messages())
    room.line("def total")
    nvim.keys("wK")
    nvim.wait("the hover", lambda: f"{path.name}:1 · " in nvim.screen())
    nvim.keys("<Esc><Esc>")


def test_a_question_about_a_selection_is_answered_in_the_chat(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.endpoint.say("It **adds** the numbers.\n\nNothing else.", delay=0.01)
    room.line("def total")
    nvim.keys("VG<Space>pq")
    room.asked("Ask:", "what does this do")
    nvim.wait("the answer", lambda: "Nothing else." in room.chat(), 60)
    chat = room.chat()
    assert f"## You ({path.name}:1-6)\n\nwhat does this do\n\n## Pairwright\n\nIt **adds**" in chat
    assert chat.rstrip().endswith("## You"), "a place to go on"
    assert nvim.api.current.buffer.name == str(path), "the focus stays"
    assert "return acc" in room.endpoint.requests[-1].text
    nvim.wait("its end", lambda: nvim.lua("return #require('pairwright.turns').running()") == 0)

    # Go on from the chat.
    nvim.api.command("Pairwright chat")
    room.endpoint.say("Yes.")
    nvim.keys("Gisurely?<Esc><CR>")
    nvim.wait("the second answer", lambda: "Yes." in room.chat())
    assert "## You\n\nsurely?\n\n## Pairwright\n\nYes." in room.chat()


def test_an_edit_is_drawn_accepted_in_part_rejected_in_part_and_undone(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.endpoint.say(f"{path.name}\n```python\n{FIRST}{LAST}```\n")
    nvim.lua(
        "vim.api.nvim_create_autocmd('User', { pattern = 'Pairwright*', callback = function(a)"
        " _G.heard = _G.heard or {} table.insert(_G.heard, a.match) end })"
    )
    room.line("def total")
    nvim.keys("VG<Space>pe")
    room.asked("Edit:", "double it")
    nvim.wait("two hunks", lambda: room.here() == 2, 60)
    assert nvim.lines() == TEXT.splitlines(), "nothing is written before it is accepted"
    drawn = room.drawn()
    assert [(d["first"], d["last"]) for d in drawn if d["group"] == "PairwrightOld"] == [
        (1, 2),
        (5, 6),
    ]
    assert [d["new"] for d in drawn if d["new"]] == [["acc = 1"], ["return acc * 2"]]
    nvim.wait("the new lines on the screen", lambda: "return acc * 2" in nvim.screen())
    assert "2 hunks" in nvim.lua("return require('pairwright').statusline()")

    nvim.keys("<Esc>gg]h")
    nvim.wait("the cursor", lambda: nvim.api.current.window.cursor[0] == 2)
    nvim.keys("<Space>pa")
    nvim.wait("the first hunk", lambda: nvim.lines() == edited(last=False))
    nvim.wait("one left", lambda: room.here() == 1)
    nvim.keys("]h")
    nvim.wait("the cursor", lambda: nvim.api.current.window.cursor[0] == 6)
    nvim.keys("<Space>pr")
    nvim.wait("none left", lambda: room.here() == 0)
    assert nvim.lines() == edited(last=False)
    assert room.drawn() == []
    nvim.api.command("Pairwright undo")
    nvim.wait("the text before", lambda: nvim.lines() == TEXT.splitlines())
    nvim.api.command("Pairwright redo")
    nvim.wait("the text after", lambda: nvim.lines() == edited(last=False))
    heard = nvim.lua("return _G.heard")
    assert {"PairwrightProposed", "PairwrightTurnEnd"} <= set(heard)


def test_a_hunk_is_refined(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.paste(path.name, FIRST)
    nvim.wait("the hunk", lambda: room.here() == 1)
    room.endpoint.say(f"{path.name}\n```python\n{SEVEN}```\n")
    room.line("    acc = 0")
    nvim.keys("<Space>pf")
    room.asked("Refine:", "begin with seven")
    nvim.wait("the new hunk", lambda: ["acc = 7"] in [d["new"] for d in room.drawn()])
    nvim.api.command("Pairwright accept all")
    nvim.wait("the edit", lambda: nvim.lines()[1] == "    acc = 7")


def test_what_was_typed_is_kept_and_the_hunk_called_stale(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.paste(path.name, FIRST)
    nvim.wait("the hunk", lambda: room.here() == 1)
    room.line("    acc = 0")
    nvim.keys("A  # mine<Esc>")
    nvim.wait("stale", lambda: [d["group"] for d in room.drawn()] == ["PairwrightStale"])
    before = nvim.lines()
    nvim.keys("<Space>pa")
    nvim.wait("both sides", lambda: "there now" in nvim.screen())
    nvim.api.command("only! | buffer " + str(path))
    assert nvim.lines() == before
    nvim.api.command("Pairwright reject all")
    nvim.wait("nothing left", lambda: room.here() == 0)


def test_a_letter_typed_while_an_accept_is_on_its_way_is_kept(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.paste(path.name, FIRST, path.name, LAST)
    nvim.wait("the hunks", lambda: room.here() == 2)
    # Right before the edit arrives, and so after the server has looked at the text.
    nvim.lua(
        """
        local client, path = require('pairwright.client'), ...
        local stale = client.stale
        client.stale = function(...)
          client.stale = stale
          _G.typed = true
          vim.api.nvim_buf_set_lines(vim.fn.bufnr(path), 5, 6, true, { '    return acc  # mine' })
          return stale(...)
        end
        """,
        str(path),
    )
    nvim.api.command("messages clear | Pairwright accept all")
    nvim.wait("the answer", lambda: nvim.lua("return _G.typed") and path.name in room.messages())
    assert nvim.lines() == TEXT.replace("return acc", "return acc  # mine").splitlines()
    nvim.api.command("Pairwright reject all")
    nvim.wait("nothing left", lambda: room.here() == 0)


def test_what_is_typed_into_accepted_lines_at_once_stays(room: Room) -> None:
    """Before the server has seen the text that came of its own edit."""
    path, nvim = room.file(), room.nvim
    room.paste(path.name, FIRST)
    nvim.wait("the hunk", lambda: room.here() == 1)
    nvim.lua(
        """
        local client, path = require('pairwright.client'), ...
        local apply = vim.lsp.handlers['workspace/applyEdit']
        vim.lsp.handlers['workspace/applyEdit'] = function(...)
          vim.lsp.handlers['workspace/applyEdit'] = apply
          local answer = apply(...)
          vim.schedule(function()
            vim.api.nvim_buf_set_text(vim.fn.bufnr(path), 1, 11, 1, 11, { '0' })
          end)
          return answer
        end
        """,
        str(path),
    )
    nvim.api.command("Pairwright accept all")
    nvim.wait("the edit", lambda: nvim.lines()[1] != "    acc = 0")
    nvim.wait("nothing waits", lambda: room.here() == 0)
    assert nvim.lines()[1] == "    acc = 10"


def test_a_new_file_is_chosen_from_the_quickfix_list(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    made, other = room.root / f"new_{path.name}", room.root / f"other_{path.name}"
    other.write_text(TEXT)
    room.paste(
        f"{made.name}\n<<<<<<< SEARCH\n=======\nVALUE = 1\n>>>>>>> REPLACE\n", other.name, FIRST
    )
    nvim.api.command("Pairwright hunks")
    rows = nvim.lines()
    assert [row.split("|")[0] for row in rows] == [made.name, other.name]
    nvim.keys("gg<Space>pa")
    nvim.wait(
        "the new file", lambda: made.exists() or made.name in str(nvim.api.command_output("ls"))
    )
    nvim.wait("one row left", lambda: len(nvim.lines()) == 1)
    nvim.keys("gg<Space>pa")
    nvim.wait("none left", lambda: room.waiting() == 0)
    nvim.api.command("cclose")
    nvim.api.command(f"edit {other}")
    assert nvim.lines() == edited(last=False)


def test_hunks_of_a_closed_file_are_drawn_into_no_other(room: Room) -> None:
    """Nor into one whose name begins the same; what an accept leaves clean is saved."""
    path, nvim = room.file(), room.nvim
    closed, near = room.root / "[near].py", room.root / "[near].pyi"
    closed.write_text(TEXT)
    near.write_text(TEXT)
    nvim.lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(near))
    room.paste(closed.name, FIRST)
    assert room.here() == 0 and room.drawn() == []
    nvim.keys("<Esc>]h")
    nvim.wait("the file", lambda: nvim.api.current.buffer.name == str(closed))
    nvim.wait("its hunk", lambda: room.here() == 1)
    nvim.wait("the cursor", lambda: nvim.api.current.window.cursor[0] == 2)
    nvim.keys("<Space>pa")
    nvim.wait("the edit on disk", lambda: closed.read_text().splitlines() == edited(last=False))
    assert near.read_text() == TEXT
    assert path.read_text() == TEXT
    nvim.api.command("Pairwright undo")
    nvim.wait("the text of before on disk", lambda: closed.read_text() == TEXT)
    assert not nvim.lua("return vim.bo.modified")


def test_the_next_hunk_is_that_of_the_next_file_and_a_new_one_is_a_diff(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    made = room.root / f"made_{path.name}"
    room.paste(
        path.name, FIRST, f"{made.name}\n<<<<<<< SEARCH\n=======\nVALUE = 1\n>>>>>>> REPLACE\n"
    )
    nvim.wait("the hunk", lambda: room.here() == 1)
    nvim.keys("<Esc>gg]h")
    nvim.wait("its line", lambda: nvim.api.current.window.cursor[0] == 2)
    nvim.keys("]h")
    nvim.wait("the new file", lambda: "+VALUE = 1" in nvim.lines())
    nvim.keys("[h")
    nvim.wait("back", lambda: nvim.api.current.buffer.name == str(path))
    nvim.keys("]h")
    nvim.wait("the new file", lambda: "+VALUE = 1" in nvim.lines())
    nvim.keys("<Space>pa")
    nvim.wait("the new file on disk", lambda: made.exists() and made.read_text() == "VALUE = 1\n")
    nvim.wait("one hunk left", lambda: room.waiting() == 1)
    assert path.read_text() == TEXT


def test_a_block_of_an_answer_is_applied_from_the_chat(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.endpoint.say(f"Write this:\n\n{path.name}\n```python\n{LAST}```\n\nThat is all.")
    nvim.api.command("Pairwright ask how do I double it")
    nvim.wait("the answer", lambda: "That is all." in room.chat())
    nvim.api.command("Pairwright chat")
    nvim.keys("<Esc>G?return acc \\* 2<CR>g<CR>")
    nvim.wait("the hunk", lambda: room.waiting() == 1)
    nvim.api.command("Pairwright accept all")
    nvim.api.command(f"silent! only | buffer {path}")
    nvim.wait("the edit", lambda: nvim.lines() == edited(first=False))


def test_a_turn_is_stopped_and_sent_again(room: Room) -> None:
    room.file()
    nvim, done = room.nvim, threading.Event()
    count = len(room.endpoint.requests)
    room.endpoint.hold("Too late. " * 20, 12, lambda: done.wait(60))
    nvim.api.command("Pairwright ask take your time")
    room.endpoint.wait(count + 1, 60)
    nvim.wait("the mark", lambda: "Pairwright: " in nvim.screen().splitlines()[0])
    nvim.api.command("Pairwright stop")
    nvim.wait("its end", lambda: nvim.lua("return #require('pairwright.turns').running()") == 0)
    done.set()
    assert "*Cancelled.*" in room.chat()
    room.endpoint.say("Here it is.")
    nvim.api.command("Pairwright resend")
    nvim.wait("the answer", lambda: "Here it is." in room.chat())


def test_the_map_and_what_was_sent_are_documents(room: Room) -> None:
    room.file()
    nvim = room.nvim
    nvim.api.command("Pairwright map")
    nvim.wait("the map", lambda: nvim.api.current.buffer.name == "pairwright:/map")
    nvim.wait("its text", lambda: any("def total" in row for row in nvim.lines()))
    assert not nvim.lua("return vim.bo.modifiable")
    nvim.api.command("only | Pairwright sent")
    nvim.wait("what was sent", lambda: "pairwright:/sent/" in nvim.api.current.buffer.name)
    assert nvim.lua("return vim.bo.filetype") == "markdown"


def test_lines_that_come_above_the_first_are_seen(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    block = (
        "<<<<<<< SEARCH\ndef total(lines):\n=======\n# Money.\ndef total(lines):\n>>>>>>> REPLACE\n"
    )
    room.paste(path.name, block)
    nvim.wait("the new line", lambda: nvim.screen().startswith("# Money."))
    nvim.keys("<Esc>gg<Space>pa")
    nvim.wait("the edit", lambda: nvim.lines() == ["# Money.", *TEXT.splitlines()])


def test_a_plan_is_agreed_to_and_edited(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.endpoint.say("Begin with one.")
    room.endpoint.say(f"{path.name}\n```python\n{FIRST}```\n")
    nvim.api.command("Pairwright architect begin with one")
    nvim.wait("the question", lambda: "carry out this plan" in nvim.screen())
    nvim.keys("1<CR>")
    nvim.wait("the hunk", lambda: room.here() == 1)
    assert "Begin with one." in room.chat()


def test_an_older_conversation_is_gone_on_with(room: Room) -> None:
    room.file()
    nvim = room.nvim
    nvim.api.command("Pairwright new")
    nvim.wait("an empty chat", lambda: room.chat().strip() == "## You")
    nvim.api.command("Pairwright sessions")
    nvim.wait("the list", lambda: "Go on with:" in nvim.screen())
    nvim.keys("1<CR>")
    nvim.wait("what was said", lambda: "## Pairwright" in room.chat())
    assert room.chat().rstrip().endswith("## You")


def test_the_code_action_menu_asks_for_the_words_in_place(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.endpoint.say(f"{path.name}\n```python\n{FIRST}```\n")
    room.line("def total")
    nvim.keys("VG")
    nvim.choose("Pairwright: Edit")
    room.asked("Edit:", "begin with one")
    nvim.wait("the hunk", lambda: room.here() == 1)
    room.line("    acc = 0")
    nvim.choose("Pairwright: Accept hunk")
    nvim.wait("the edit", lambda: nvim.lines() == edited(last=False))


def test_the_other_commands_say_what_they_did(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    expected = {
        "model": "openai/scripted, ",
        f"add {path.name}": path.name,
        f"drop {path.name}": path.name,
        "instruct": "AI",
        "run": "no shell command",
        "preset fix": "no diagnostic here",
        "restore 1234567": "1234567",
        "nonsense": "there is no :Pairwright nonsense; there are accept, add, ",
    }
    for words, said in expected.items():
        nvim.api.command("messages clear")
        nvim.api.command(f"Pairwright {words}")
        nvim.wait(f"the answer to {words}", lambda said=said: said in room.messages())
        assert "stack traceback" not in room.messages()
    for words, said in {"tokens hello": "openai/scripted", "blast": "references"}.items():
        nvim.api.command(f"buffer {path} | silent! only")
        nvim.api.command(f"Pairwright {words}")
        name = f"pairwright://{words.split()[0]}"
        nvim.wait(words, lambda name=name: nvim.api.current.buffer.name == name)
        nvim.wait(said, lambda said=said: said in "\n".join(nvim.lines()))
    room.endpoint.say("Sums up.")
    nvim.api.command(f"buffer {path} | silent! only")
    nvim.api.command("1,6Pairwright preset explain")
    nvim.wait("the explanation", lambda: "Sums up." in room.chat())


def test_what_is_staged_is_committed(room: Room) -> None:
    """With words at once, without after the user has seen those of the model."""
    path, nvim = room.file(), room.nvim
    room.git("add", path.name)
    nvim.api.command("Pairwright commit Add the total")
    nvim.wait("the commit", lambda: "Add the total" in room.messages(), 60)
    assert room.git("log", "-1", "--format=%s") == "Add the total"
    room.paste(path.name, FIRST)
    nvim.api.command("Pairwright accept all")
    nvim.wait("the edit", lambda: path.read_text().splitlines() == edited(last=False))
    room.git("add", path.name)
    room.endpoint.say("fix: begin the total at one")
    nvim.api.command("Pairwright commit")
    nvim.wait("the question", lambda: "fix: begin the total at one" in nvim.screen(), 60)
    assert room.git("log", "-1", "--format=%s") == "Add the total"
    nvim.keys("1<CR>")
    nvim.wait(
        "the second", lambda: room.git("log", "-1", "--format=%s") == "fix: begin the total at one"
    )
    assert room.git("show", f"HEAD:{path.name}").splitlines() == edited(last=False)


def test_a_checkpoint_is_looked_at_and_restored(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.paste(path.name, FIRST)
    nvim.api.command("messages clear | Pairwright accept all")
    nvim.wait("what is said of it", lambda: "Applied" in room.messages())
    assert nvim.lines() == edited(last=False)
    nvim.keys("<Esc>ggdd")
    nvim.api.command("silent write")
    assert path.read_text().startswith("    acc = 1")
    nvim.api.command("Pairwright checkpoints")
    nvim.wait("the list", lambda: "Checkpoints:" in nvim.screen())
    nvim.keys("1<CR>")
    nvim.wait("what it changed", lambda: "pairwright:/checkpoint/" in nvim.api.current.buffer.name)
    nvim.wait("its lines", lambda: "+    acc = 1" in nvim.lines())
    ident = nvim.api.current.buffer.name.split("/")[-1].removesuffix(".diff")
    nvim.api.command(f"silent! only | buffer {path}")
    nvim.api.command(f"Pairwright restore {ident}")
    nvim.wait("the text of then", lambda: nvim.lines() == edited(last=False))


def test_words_are_completed(room: Room) -> None:
    room.file()
    complete = "return vim.fn.getcompletion(..., 'cmdline')"
    assert room.nvim.lua(complete, "Pairwright re") == [
        "read", "redo", "reference", "refine", "reject", "resend", "restart", "restore",
    ]  # fmt: skip
    assert room.nvim.lua(complete, "Pairwright accept ") == ["file", "all"]


def test_checkhealth_has_nothing_against_it(room: Room) -> None:
    room.file()
    nvim = room.nvim
    nvim.api.command("checkhealth pairwright")
    nvim.wait("the report", lambda: any("protocol 1" in row for row in nvim.lines()))
    report = "\n".join(nvim.lines())
    assert "ERROR" not in report, report
    assert "scripted-key" not in report


def test_a_killed_server_is_restarted(room: Room) -> None:
    room.file()
    nvim = room.nvim
    os.kill(server_of(nvim), signal.SIGKILL)
    nvim.wait("the word of it", lambda: "the server has ended" in room.messages())
    nvim.api.command("Pairwright restart")
    nvim.wait(
        "a new server",
        lambda: nvim.lua(
            "local c = vim.lsp.get_clients({ bufnr = 0, name = 'pairwright' })[1]"
            " return c ~= nil and c.initialized == true"
        ),
    )


def server_of(nvim: Nvim) -> int:
    """The process the client of the buffer in front has started."""
    parent = nvim.lua("return vim.fn.getpid()")
    for found in Path("/proc").glob("[0-9]*"):
        try:
            words = (found / "cmdline").read_bytes().split(b"\0")
            status = (found / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(status[1]) == parent and b"serve" in words:
            return int(found.name)
    raise AssertionError("no server")
