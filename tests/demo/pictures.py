"""The pictures of the README, from real runs: the demo's output, Neovim's screen, our own code.

`make pictures` writes docs/pictures/*.svg. What is drawn is what was printed or shown; nothing is retouched.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "pictures"

sys.path.insert(0, str(ROOT))
from tests.support.nvim import Nvim  # noqa: E402  the path is set right above

SOURCE = '''"""Base 36 for short identifiers."""


def int_to_base36(i):
    """Convert an integer to a base36 string."""
    char_set = "0123456789abcdefghijklmnopqrstuvwxyz"
    if i < 0:
        raise ValueError("Negative base36 conversion input.")
    if i < 36:
        return char_set[i]
    b36 = ""
    while i != 0:
        i, n = divmod(i, 36)
        b36 = char_set[n] + b36
    return b36
'''


def draw(name: str, title: str, ansi: str, width: int) -> None:
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(ansi.rstrip()))
    OUT.mkdir(parents=True, exist_ok=True)
    console.save_svg(str(OUT / f"{name}.svg"), title=title)


def demo() -> None:
    command = [sys.executable, str(ROOT / "tests" / "demo" / "demo.py")]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    draw("demo", "make demo", run.stdout, 110)


def neovim() -> None:
    """A selection's code actions, and the choice at a hunk, with the embedded model's proposal."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "repo"
        root.mkdir()
        path = root / "base36.py"
        path.write_text(SOURCE)
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        env = {
            "PAIRWRIGHT_DATA": str(Path(scratch) / "data"),
            "PAIRWRIGHT_CACHE": str(Path(scratch) / "cache"),
        }
        models = Path(os.environ.get("PAIRWRIGHT_MODELS", Path.home() / ".cache/pairwright/models"))
        env["PAIRWRIGHT_MODELS"] = str(models)
        nvim = Nvim(Path(scratch) / "nvim", root, env=env)
        try:
            nvim.api.command("set number nohlsearch")
            nvim.edit(path)
            nvim.keys("<Esc>gg/def int<CR>O# AI rename the local char_set to digits<Esc>j")
            nvim.keys("VG")
            nvim.choose("Pairwright: Edit")
            nvim.wait(
                "the proposal",
                lambda: "proposed in" in str(nvim.api.command_output("messages")),
                300,
            )
            nvim.keys("<Esc>gg/return char_set<CR>")
            titles = "\n".join(f"  {n}: {t}" for n, t in enumerate(nvim.titles(), 1))
            rows = nvim.screen().splitlines()
            shown = "\n".join(rows[:24])
            draw(
                "neovim",
                "Neovim 0.11, built-in client, no plugin: gra at a hunk",
                f"{shown}\n\n{titles}",
                120,
            )
        finally:
            nvim.close()


def overview() -> None:
    """The server's own code, drawn by itself."""
    drawn = [sys.executable, "-m", "pairwright", "overview", "--root", str(ROOT / "server")]
    drawn += ["--title", "Pairwright, drawn by itself", "-o", str(OUT / "overview.svg")]
    subprocess.run(drawn, check=True)


if __name__ == "__main__":
    overview()
    neovim()
    demo()
