"""Proposals in the real Neovim with its own client and no plugin: choose hunks, type meanwhile, take back.

Replies are pasted by pairwright.apply; where the reply must be on its way while the user types, a scripted endpoint
sends it. Neovim 0.11 answers `applied: true` for a document it skipped, and applies a stale one that is not the first
of its edit: what counts here are texts and bytes.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint
from tests.support.nvim import Nvim
from tests.support.serving import environment

pytestmark = [pytest.mark.nvim, pytest.mark.xdist_group("neovim_proposals")]
TEXT = "def total(lines):\n    acc = 0\n    for line in lines:\n        acc += line\n    # done\n    return acc\n"
FIRST = "<<<<<<< SEARCH\n    acc = 0\n=======\n    acc = 1\n>>>>>>> REPLACE\n"
LAST = "<<<<<<< SEARCH\n    return acc\n=======\n    return acc * 2\n>>>>>>> REPLACE\n"


class Room:
    """One Neovim over one folder. Every test has files of its own."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.root = folder / "work"
        (self.root / ".git").mkdir(parents=True)
        self.endpoint = endpoint
        options = {"model": endpoint.settings(), "turn": {"reflections": 0}}
        env = {k: v for k, v in environment(folder).items() if k.startswith(("PAIRW", "PYTHONP"))}
        env["OPENAI_API_KEY"] = "scripted-key"
        self.nvim = Nvim(folder / "nvim", self.root, init_options=json.dumps(options), env=env)
        self._names = itertools.count()

    def file(self, text: str = TEXT) -> Path:
        """A new file, open in front."""
        path = self.root / f"file_{next(self._names)}.py"
        path.write_bytes(text.encode())
        self.nvim.edit(path)
        return path

    def lines(self, path: Path) -> list[str] | None:
        """The buffer's lines; None if Neovim has none of that name."""
        code = """
            local b = vim.fn.bufnr('^' .. ... .. '$')
            return b > 0 and vim.api.nvim_buf_is_loaded(b) and vim.api.nvim_buf_get_lines(b, 0, -1, false)
              or false
        """
        found = self.nvim.lua(code, str(path))
        return list(found) if found is not False else None

    def text(self, path: Path) -> str | None:
        """What the user has: the buffer as it would be written, else the file."""
        code = """
            local b = vim.fn.bufnr('^' .. ... .. '$')
            if b < 0 or not vim.api.nvim_buf_is_loaded(b) then return false end
            local text = table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n')
            return text .. ((vim.bo[b].eol and text ~= '') and '\\n' or '')
        """
        found = self.nvim.lua(code, str(path))
        return str(found) if found is not False else path.read_text()

    def command(self, name: str, **args: Any) -> dict[str, Any]:
        """Run a command of ours as a key mapping would; its result."""
        self.nvim.lua(
            """
            local name, args = ...
            _G.answer = nil
            local client = vim.lsp.get_clients({ name = 'pairwright' })[1]
            client:request('workspace/executeCommand', { command = name, arguments = { args } },
              function(err, result) _G.answer = { error = err and err.message, result = result } end, 0)
            """,
            name,
            args,
        )
        answer = self.nvim.wait(f"the answer to {name}", lambda: self.nvim.lua("return _G.answer"))
        assert not answer.get("error"), answer
        return dict(answer["result"])

    def paste(self, reply: str) -> str:
        """The id of the proposal of a pasted reply."""
        before = {p["id"] for p in self.command("pairwright.proposals")["proposals"]}
        self.command("pairwright.apply", text=reply)

        def found() -> str | None:
            listed = self.command("pairwright.proposals")["proposals"]
            return next((p["id"] for p in listed if p["id"] not in before), None)

        return str(self.nvim.wait("the proposal", found))

    def accept(self, ident: str) -> dict[str, Any]:
        return self.command("pairwright.accept", proposal=ident)

    def between(self, lua: str) -> None:
        """Run `lua` once, right before Neovim applies the next edit of the server."""
        self.nvim.lua(
            """
            local job = ...
            local real = vim.lsp.handlers['workspace/applyEdit']
            vim.lsp.handlers['workspace/applyEdit'] = function(...)
              vim.lsp.handlers['workspace/applyEdit'] = real
              assert(loadstring(job))()
              return real(...)
            end
            """,
            lua,
        )


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Endpoint() as endpoint:
        made = Room(tmp_path_factory.mktemp("nvim"), endpoint)
        yield made
        made.nvim.close()


def edited(text: str = TEXT, first: bool = True, last: bool = True) -> list[str]:
    text = text.replace("acc = 0", "acc = 1") if first else text
    text = text.replace("return acc", "return acc * 2") if last else text
    return text.splitlines()


def set_line(path: Path, number: int, text: str) -> str:
    """Lua that replaces a line of an open buffer."""
    return f"vim.api.nvim_buf_set_lines(vim.fn.bufnr('{path}'), {number - 1}, {number}, true, {{ {text!r} }})"


def test_one_hunk_is_accepted_one_rejected_and_u_takes_it_back(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    room.paste(f"{path.name}\n{FIRST}\n{path.name}\n{LAST}")
    nvim.keys("<Esc>gg/acc = 0<CR>")
    nvim.choose("Pairwright: Accept hunk")
    nvim.wait("the accepted hunk", lambda: nvim.lines() == edited(last=False))
    nvim.keys("<Esc>G/return acc<CR>")
    nvim.choose("Pairwright: Reject hunk")
    nvim.wait("no more to choose", lambda: not any("Reject" in t for t in nvim.titles()))
    assert nvim.lines() == edited(last=False)
    nvim.keys("<Esc>u")
    nvim.wait("the text before", lambda: nvim.lines() == TEXT.splitlines())
    # The accept is gone already: undo has nothing to take, and must not touch the text.
    room.command("pairwright.undo")
    assert nvim.lines() == TEXT.splitlines()
    assert path.read_text() == TEXT, "nothing was saved"


def test_what_a_formatter_does_before_the_write_is_taken_back_too(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    nvim.lua(
        """
        vim.api.nvim_create_autocmd('BufWritePre', { pattern = ..., once = true, callback = function()
          vim.cmd([[silent %s/acc = 1/total = (1)/]])
          vim.cmd([[silent %s/acc \\* 2/(acc) * (2)/]])
        end })
        """,
        str(path),
    )
    taken = room.accept(room.paste(f"{path.name}\n{FIRST}\n{path.name}\n{LAST}"))
    assert taken["state"] == "applied", taken
    nvim.keys("<Esc>:silent write<CR>")
    nvim.wait("the formatted file", lambda: "total = (1)" in path.read_text())
    folder = room.command("pairwright.checkpoints")["folder"]
    words = ["git", "log", "-1", "--format=%s"]

    def recorded() -> bool:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.startswith("saved: ")

    nvim.wait("the record of the save", recorded)
    undone = room.command("pairwright.undo")
    assert undone["state"] == "done", undone
    assert nvim.lines() == TEXT.splitlines()


def test_undo_keeps_what_was_typed_and_saved_later(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    path.chmod(0o755)
    taken = room.accept(room.paste(f"{path.name}\n{FIRST}\n{path.name}\n{LAST}"))
    assert taken["state"] == "applied", taken
    nvim.keys("<Esc>Go# mine<Esc>:silent write<CR>")
    nvim.wait("the save", lambda: path.read_text().splitlines() == [*edited(), "# mine"])
    nvim.choose("Pairwright: Undo last accept")
    nvim.wait("the undo", lambda: nvim.lines() == [*TEXT.splitlines(), "# mine"])
    nvim.keys("<Esc>:silent write<CR>")
    nvim.wait("the save", lambda: path.read_text() == f"{TEXT}# mine\n")
    assert path.stat().st_mode & 0o777 == 0o755


def test_typing_while_the_reply_is_on_its_way(room: Room) -> None:
    path, nvim = room.file(), room.nvim
    reply = f"{path.name}\n```python\n{FIRST}```\n"
    typed: list[bool] = []
    # The endpoint answers from a thread; Neovim is driven by this one.
    room.endpoint.hold(reply, 20, lambda: _wait_for(typed))
    room.command("pairwright.edit", text="start with one", uri=path.as_uri())
    room.endpoint.wait(1, 120)
    nvim.keys("<Esc>ggO# typed meanwhile<Esc>")
    nvim.wait("the typing", lambda: nvim.lines()[0] == "# typed meanwhile")
    room.command("pairwright.proposals")
    typed.append(True)
    nvim.wait("the proposal", lambda: any("Accept all" in t for t in nvim.titles()))
    nvim.choose("Pairwright: Accept all")
    nvim.wait("the edit", lambda: nvim.lines() == ["# typed meanwhile", *edited(last=False)])


def _wait_for(typed: list[bool]) -> None:
    end = time.monotonic() + 60
    while not typed and time.monotonic() < end:
        time.sleep(0.02)


def test_a_second_file_that_goes_stale_takes_the_first_back(room: Room) -> None:
    one, two = room.file(), room.file()
    ident = room.paste(f"{one.name}\n{FIRST}\n{two.name}\n{FIRST}")
    room.between(set_line(two, 2, "    acc = 99"))
    taken = room.accept(ident)
    assert taken["state"] in ("stale", "refused"), taken
    assert two.name in taken["message"]
    assert room.lines(one) == TEXT.splitlines()
    assert room.lines(two) == TEXT.replace("acc = 0", "acc = 99").splitlines()


def test_an_edit_that_neovim_skips_and_calls_applied_is_not_believed(room: Room) -> None:
    path = room.file()
    ident = room.paste(f"{path.name}\n{FIRST}")
    # As its own handler answers for a buffer that is newer than the edit.
    room.nvim.lua(
        """
        local real = vim.lsp.handlers['workspace/applyEdit']
        vim.lsp.handlers['workspace/applyEdit'] = function()
          vim.lsp.handlers['workspace/applyEdit'] = real
          return { applied = true }
        end
        """
    )
    taken = room.accept(ident)
    assert taken["state"] == "refused", taken
    assert room.lines(path) == TEXT.splitlines()
    again = room.accept(ident)
    assert again["state"] == "applied", again
    assert room.lines(path) == edited(last=False)


def test_a_file_is_created_and_another_edited(room: Room) -> None:
    path = room.file()
    made = room.root / "made" / f"new_{path.name}"
    create = f"{made.relative_to(room.root)}\n<<<<<<< SEARCH\n=======\nNEW = 1\n>>>>>>> REPLACE\n"
    taken = room.accept(room.paste(f"{path.name}\n{LAST}\n{create}"))
    assert taken["state"] == "applied", taken
    assert room.lines(path) == edited(first=False)
    assert room.text(made) == "NEW = 1\n"
    undone = room.command("pairwright.undo")
    assert undone["state"] == "done", undone
    assert room.lines(path) == TEXT.splitlines()
    assert not made.exists()


@pytest.mark.parametrize("rows", [[], ["one", ""]])
def test_a_new_file_has_exactly_the_text_proposed(room: Room, rows: list[str]) -> None:
    room.file()
    made = room.root / f"exact_{len(rows)}.py"
    added = "".join(f"+{row}\n" for row in rows)
    reply = f"*** Begin Patch\n*** Add File: {made.name}\n{added}*** End Patch\n"
    taken = room.accept(room.paste(reply))
    assert taken["state"] == "applied", (
        taken,
        made.exists(),
        room.lines(made),
        room.nvim.log()[-600:],
        room.nvim.api.command_output("messages")[-300:],
    )
    assert room.text(made) == "".join(f"{row}\n" for row in rows)


def test_an_empty_file_is_filled(room: Room) -> None:
    front = room.file()
    empty = room.root / "empty.py"
    empty.touch()
    room.nvim.edit(front)
    fill = f"{empty.name}\n<<<<<<< SEARCH\n=======\nX = 1\n>>>>>>> REPLACE\n"
    taken = room.accept(room.paste(fill))
    assert taken["state"] == "applied", taken
    assert room.text(empty) == "X = 1\n"


@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip(), TEXT.replace("\n", "\r\n")])
def test_a_file_is_deleted_and_comes_back(room: Room, text: str) -> None:
    gone, kept = room.file(text), room.file()
    reply = f"*** Begin Patch\n*** Delete File: {gone.name}\n*** End Patch\n"
    taken = room.accept(room.paste(reply))
    assert taken["state"] == "applied", taken
    assert not gone.exists() and kept.exists()
    undone = room.command("pairwright.undo")
    assert undone["state"] == "done", undone
    assert gone.read_bytes() == text.encode() or room.text(gone) == text


def test_a_file_is_renamed_with_new_text_and_comes_back(room: Room) -> None:
    path = room.file()
    new = room.root / "lib" / f"moved_{path.name}"
    reply = (
        f"*** Begin Patch\n*** Update File: {path.name}\n*** Move to: lib/{new.name}\n"
        "@@\n-    acc = 0\n+    acc = 1\n*** End Patch\n"
    )
    taken = room.accept(room.paste(reply))
    assert taken["state"] == "applied", taken
    assert not path.exists() and new.exists()
    assert room.lines(new) == edited(last=False)
    undone = room.command("pairwright.undo")
    assert undone["state"] == "done", undone
    assert not new.exists() and path.exists()
    assert room.lines(path) == TEXT.splitlines() or path.read_text() == TEXT
