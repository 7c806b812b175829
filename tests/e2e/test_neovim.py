"""The story of the product in the real Neovim, by keys, with no plugin of ours.

Opens a real repository (the installed dulwich, with a history made on the spot), hovers the map, asks, asks for an
edit, sees hunks, accepts one, rejects one, undoes. The model is the embedded one; form and bytes are asserted,
never wording.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import dulwich
import pytest
from tests.support.nvim import Nvim

TARGET = '''"""Totals of an order."""


def order_total(lines, discount):
    """Sum of all lines after the discount."""
    acc = 0
    for line in lines:
        price = line.price * line.count
        line.final = price * (1 - discount)
    return acc
'''
# What the model reads and writes is most of the time this takes.
SETTINGS = {"model": {"max_output": 128}, "map": {"tokens": 200}}


def git(root: Path, *args: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=T", "-c", "user.email=t@example.invalid", *args],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    source = Path(dulwich.__file__).parent
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(source, root / "dulwich", ignore=ignore)
    (root / "orders.py").write_text(TARGET)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "base")
    return root


@pytest.fixture
def nvim(tmp_path: Path, repository: Path, embedded_model_path: Path) -> Iterator[Nvim]:
    env = {
        "PAIRWRIGHT_DATA": str(tmp_path / "data"),
        "PAIRWRIGHT_CACHE": str(tmp_path / "cache"),
        "PAIRWRIGHT_MODELS": str(embedded_model_path.parent),
    }
    options = json.dumps(SETTINGS)
    editor = Nvim(tmp_path / "nvim", repository, init_options=options, env=env)
    yield editor
    editor.close()


def select_function(nvim: Nvim) -> None:
    nvim.keys("<Esc>gg/def order_total<CR>VG")


@pytest.mark.nvim
@pytest.mark.model
def test_ask_edit_choose_undo(nvim: Nvim, repository: Path) -> None:
    path = repository / "orders.py"
    original = path.read_bytes()
    nvim.edit(path)

    # Hover: the map's line about the name.
    nvim.keys("gg/order_total<CR>K")
    nvim.wait(
        "the hover", lambda: "static references" in nvim.screen() or "order_total" in _float(nvim)
    )
    nvim.keys("<Esc><Esc>")

    # Ask: a preset needs no text; the answer arrives in a document that opens beside.
    select_function(nvim)
    nvim.choose("Pairwright: Explain")
    answer = nvim.wait("the answer", lambda: _answer(nvim), 240)
    assert len(answer) > 20
    nvim.api.command("only!")
    nvim.api.command(f"edit {path}")

    # Edit: the request is a comment above the code.
    nvim.keys("<Esc>gg/def order_total<CR>O# AI rename the local variable acc to total<Esc>")
    select_function(nvim)
    nvim.choose("Pairwright: Edit")
    nvim.wait("the proposal", lambda: "proposed in orders.py" in _messages(nvim), 240)
    before = nvim.lines()
    assert "# AI rename" in "\n".join(before), "nothing is written before it is accepted"

    # Accept the hunk at the first line that changes, reject the one at the last.
    nvim.keys("<Esc>gg/acc = 0<CR>")
    nvim.choose("Pairwright: Accept hunk")
    nvim.wait("the accepted hunk", lambda: any("total = 0" in row for row in nvim.lines()))
    assert any("return acc" in row for row in nvim.lines()), "the other hunk waits"
    nvim.keys("<Esc>G/return acc<CR>")
    nvim.choose("Pairwright: Reject hunk")
    nvim.wait("the rejected hunk", lambda: not _offers(nvim, "Reject hunk"))
    assert any("return acc" in row for row in nvim.lines())

    # Undo takes back what was accepted, and nothing else.
    nvim.choose("Pairwright: Undo last accept")
    nvim.wait("the undo", lambda: nvim.lines() == before)
    nvim.keys("<Esc>:e!<CR>")
    assert path.read_bytes() == original
    assert git(repository, "status", "--porcelain") == ""
    assert os.listdir(repository / ".git" / "refs" / "heads") == ["main"]


def _float(nvim: Nvim) -> str:
    return str(
        nvim.lua(
            """
            for _, w in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(w).relative ~= '' then
                local b = vim.api.nvim_win_get_buf(w)
                return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n')
              end
            end
            return ''
            """
        )
    )


def _answer(nvim: Nvim) -> str:
    text = str(
        nvim.lua(
            """
            for _, b in ipairs(vim.api.nvim_list_bufs()) do
              if vim.api.nvim_buf_get_name(b):match('/requests/.*%.md$') then
                return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n')
              end
            end
            return ''
            """
        )
    )
    _, mark, tail = text.partition("## Answer")
    return tail.partition("## Request")[0].strip() if mark else ""


def _messages(nvim: Nvim) -> str:
    return str(nvim.api.command_output("messages"))


def _offers(nvim: Nvim, title: str) -> bool:
    return any(title in found for found in nvim.titles())
