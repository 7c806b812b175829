"""What stands on Neovim's screen as a picture: every cell with its colours, as Neovim itself tells them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

# Neovim's own dark colours, for what no highlight group says.
_BACKGROUND, _FOREGROUND = (20, 22, 27), (224, 226, 234)
_ANSI = [
    (7, 8, 13), (255, 192, 185), (179, 246, 192), (252, 224, 148),
    (166, 219, 255), (255, 202, 255), (140, 248, 247), (238, 241, 248),
]  # fmt: skip
THEME = TerminalTheme(_BACKGROUND, _FOREGROUND, _ANSI, _ANSI)

_CELLS = """
local rows = {}
for row = 0, vim.o.lines - 1 do
  local runs = {}
  for column = 0, vim.o.columns - 1 do
    local cell = vim.api.nvim__inspect_cell(1, row, column)
    local text, look = cell[1], cell[2] or {}
    local last = runs[#runs]
    if last and vim.deep_equal(last[2], look) then
      last[1] = last[1] .. text
    else
      runs[#runs + 1] = { text, next(look) and look or vim.empty_dict() }
    end
  end
  rows[#rows + 1] = runs
end
return rows
"""


def screen(nvim: Any) -> Text:
    """The whole screen of a Neovim (tests.support.nvim) with its colours."""
    # The first look at a cell fills the table of highlights anew, and the screen has the numbers of the old one.
    nvim.lua("vim.api.nvim__inspect_cell(1, 0, 0)")
    nvim.api.command("redraw!")
    shown = Text()
    for runs in nvim.lua(_CELLS):
        for text, look in runs:
            shown.append(text, _style(look))
        shown.append("\n")
    return shown


def _style(look: dict[str, Any]) -> Style:
    front, back = look.get("foreground"), look.get("background")
    if look.get("reverse"):
        front, back = back, front
        front = _number(_BACKGROUND) if front is None else front
        back = _number(_FOREGROUND) if back is None else back
    return Style(
        color=None if front is None else f"#{front:06x}",
        bgcolor=None if back is None else f"#{back:06x}",
        bold=look.get("bold"),
        italic=look.get("italic"),
        underline=look.get("underline"),
    )


def _number(colour: tuple[int, int, int]) -> int:
    red, green, blue = colour
    return red << 16 | green << 8 | blue


def save(path: Path, title: str, shown: Text, width: int, *, wrap: bool = False) -> None:
    """Write `shown` as an SVG: a terminal `width` columns wide. What is longer is cut, or goes on below."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(shown, no_wrap=not wrap, overflow="fold" if wrap else "crop", end="")
    path.parent.mkdir(parents=True, exist_ok=True)
    console.save_svg(str(path), title=title, theme=THEME)
