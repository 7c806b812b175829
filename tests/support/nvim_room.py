"""A Neovim with the plugin over one folder, a scripted model behind it, and what a test asks of both."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path
from typing import Any

from tests.support.endpoint import Endpoint
from tests.support.nvim import Nvim, plugin_config
from tests.support.serving import environment

TEXT = "def total(lines):\n    acc = 0\n    for line in lines:\n        acc += line\n    # done\n    return acc\n"


class Room:
    """One Neovim with the plugin over one folder. Every test has files of its own."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        for words in (
            "init -q -b main",
            "config user.name T",
            "config user.email t@example.invalid",
        ):
            self.git(*words.split())
        self.git("commit", "-q", "--allow-empty", "-m", "base")
        self.endpoint = endpoint
        settings = {"model": endpoint.settings(), "turn": {"reflections": 0}}
        env = {k: v for k, v in environment(folder).items() if k.startswith(("PAIRW", "PYTHONP"))}
        env["OPENAI_API_KEY"] = "scripted-key"
        self.nvim = Nvim(
            folder / "nvim", self.root, env=env, config=plugin_config(settings, keys=True)
        )
        self._names = itertools.count()

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def file(self, text: str = TEXT) -> Path:
        """A new file, open in the only window, with nothing waiting from before."""
        self.nvim.keys("<Esc>")
        self.nvim.api.command("silent! only")
        while left := self.waiting():
            self.nvim.api.command("Pairwright reject all")
            self.nvim.wait("nothing left from before", lambda: self.waiting() < left)
        path = self.root / f"file_{next(self._names)}.py"
        path.write_bytes(text.encode())
        self.nvim.edit(path)
        return path

    def line(self, text: str) -> None:
        """Put the cursor on the line that begins with `text`."""
        self.nvim.keys(f"<Esc>gg/\\V{text}<CR>0")

    def paste(self, *replies: str) -> None:
        """Edit blocks in a scratch buffer become a proposal by `:Pairwright apply`."""
        before = self.waiting()
        nvim = self.nvim
        nvim.api.command("new | setlocal buftype=nofile bufhidden=wipe")
        nvim.api.current.buffer[:] = "\n".join(replies).split("\n")
        nvim.api.command("%Pairwright apply")
        nvim.api.command("close")
        nvim.wait("the proposal", lambda: self.waiting() > before)

    def waiting(self) -> int:
        return int(self.nvim.lua("return require('pairwright.hunks').count()"))

    def here(self) -> int:
        return int(self.nvim.lua("return #require('pairwright.hunks').in_buffer(0)"))

    def drawn(self) -> list[dict[str, Any]]:
        """What is drawn into the buffer in front: rows (from 0), lines that would come, hints."""
        code = """
            local space = require('pairwright.hunks').space
            return vim.tbl_map(function(m)
              local rows = {}
              for i, row in ipairs(m[4].virt_lines or {}) do rows[i] = vim.trim(row[1][1]) end
              return { first = m[2], last = m[4].end_row or m[2], group = m[4].hl_group or '', new = rows }
            end, vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }))
        """
        return list(self.nvim.lua(code))

    def chat(self) -> str:
        code = """
            for _, b in ipairs(vim.api.nvim_list_bufs()) do
              if vim.api.nvim_buf_get_name(b):match('^pairwright://chat/') then
                return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n')
              end
            end
            return ''
        """
        return str(self.nvim.lua(code))

    def messages(self) -> str:
        return str(self.nvim.api.command_output("messages"))

    def asked(self, prompt: str, words: str) -> None:
        """Answer a prompt at the bottom of the screen."""
        self.nvim.wait(f"the prompt {prompt!r}", lambda: prompt in self.nvim.screen())
        self.nvim.keys(f"{words}<CR>")
