"""The pictures of README and docs, from real runs: the demo's output, the screens of editors, our own code.

`make pictures` writes docs/pictures; with names as arguments only those. What is drawn is what was printed or shown;
nothing is retouched. The demo is answered by the embedded model, in the editors the model's words follow a script.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.text import Text
from tests.demo.terminal import save, screen
from tests.support.endpoint import Endpoint
from tests.support.nvim import Nvim, plugin_config
from tests.support.served import blocks
from tests.support.serving import environment

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "pictures"

BASKET = """\
from prices import price_of


class Basket:
    def __init__(self):
        self.lines = []

    def add(self, item, count=1):
        self.lines.append((item, count))

    def total(self):
        acc = 0
        for item, count in self.lines:
            acc += price_of(item) * count
        return acc
"""
FILES = {
    "basket.py": BASKET,
    "prices.py": "def price_of(item):\n    return item.cents / 100\n",
    "receipt.py": "def receipt(basket):\n    return f'{basket.total():.2f}'\n",
}
ANSWER = """\
`Basket.total` adds the price of every line.

Only `receipt` in **receipt.py** relies on it: it prints the sum with two digits, so a `float` has to come back.
"""
EDIT = blocks(
    (
        "basket.py",
        "        self.lines.append((item, count))\n",
        "        if count < 1:\n            raise ValueError(count)\n        self.lines.append((item, count))\n",
    ),
    (
        "basket.py",
        "        acc = 0\n        for item, count in self.lines:\n            acc += price_of(item) * count\n"
        "        return acc\n",
        "        return sum(price_of(item) * count for item, count in self.lines)\n",
    ),
)
LOOK = """
vim.o.termguicolors = true
vim.o.number = true
vim.o.statusline = ' %t %m%=%{v:lua.require("pairwright").statusline()} '
options.chat = { position = 'right', size = 48 }
"""
STARTED = """
local client = vim.lsp.get_clients({ bufnr = 0, name = 'pairwright' })[1]
return client ~= nil and client.initialized == true
"""
QUIET = "return not require('pairwright').statusline():find('asking')"


def demo() -> None:
    command = [sys.executable, str(ROOT / "tests" / "demo" / "demo.py")]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    save(OUT / "demo.svg", "make demo", Text.from_ansi(run.stdout.rstrip()), 110, wrap=True)


def neovim() -> None:
    """An answer in the chat, and two hunks of a proposal drawn where they would be."""
    with tempfile.TemporaryDirectory() as scratch, Endpoint() as endpoint:
        folder = Path(scratch)
        root = folder / "shop"
        (root / ".git").mkdir(parents=True)
        for name, text in FILES.items():
            (root / name).write_text(text)
        settings = {"model": endpoint.settings()}
        env = {k: v for k, v in environment(folder).items() if k.startswith(("PAIRW", "PYTHONP"))}
        env["OPENAI_API_KEY"] = "scripted-key"
        config = plugin_config(settings, keys=True).replace(
            "vim.g.pairwright =", f"{LOOK}vim.g.pairwright ="
        )
        nvim = Nvim(folder / "nvim", root, env=env, config=config)
        try:
            _work(nvim, root / "basket.py", endpoint)
            save(OUT / "neovim.svg", "Neovim with the plugin", screen(nvim), 120)
        finally:
            nvim.close()


def _work(nvim: Nvim, path: Path, endpoint: Endpoint) -> None:
    nvim.api.ui_try_resize(120, 26)
    nvim.api.command(f"edit {path}")
    nvim.wait("the server", lambda: nvim.lua(STARTED), 300)
    endpoint.say(EDIT)
    nvim.keys(":Pairwright edit refuse counts below one, and simplify the total<CR>")
    nvim.wait("the hunks", lambda: "hunk 2 of 2" in nvim.screen(), 300)
    endpoint.say(ANSWER)
    nvim.keys("<Esc>:Pairwright ask who relies on total<CR>")
    nvim.wait("the answer", lambda: "has to come back" in nvim.screen(), 300)
    nvim.wait("its end", lambda: nvim.lua(QUIET))
    nvim.keys("<Esc>gg]h")
    nvim.wait("the first hunk", lambda: nvim.api.current.window.cursor[0] == 9)
    nvim.api.command("echo '' | redrawstatus!")


def vscode() -> None:
    """The same in the real workbench: the chat, and two hunks with their lenses."""
    with tempfile.TemporaryDirectory() as scratch:
        run = ROOT / "tests" / "e2e_editors" / "vscode" / "run"
        script = json.dumps({"files": FILES, "answer": ANSWER, "edit": EDIT})
        env = {**os.environ, "OUT": scratch, "PICTURE": script}
        subprocess.run([run, sys.executable, "picture"], check=True, env=env)
        shutil.copyfile(Path(scratch) / "picture-1-work.png", OUT / "vscode.png")


def overview() -> None:
    """The server's own code, drawn by itself."""
    drawn = [sys.executable, "-m", "pairwright", "overview", "--root", str(ROOT / "server")]
    drawn += ["--title", "Pairwright, drawn by itself", "-o", str(OUT / "overview.svg")]
    subprocess.run(drawn, check=True)


PICTURES = {"overview": overview, "neovim": neovim, "vscode": vscode, "demo": demo}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
