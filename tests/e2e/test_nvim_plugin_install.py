"""Ways to install the Neovim plugin, each on a clean profile; the runtime path at start is in test_nvim_plugin.py."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support.nvim import PLUGIN_DIR, Nvim, binary, plugin_config
from tests.support.serving import environment

from pairwright.cli.main import main

pytestmark = pytest.mark.nvim

TREES = ["copied", *filter(None, [os.environ.get("NVIM_PLUGIN")])]
"""Where the package comes from; NVIM_PLUGIN: the tree of `make nvim-plugin`."""

PROTOCOL = """
    local client = vim.lsp.get_clients({ name = 'pairwright' })[1]
    local run = { command = 'pairwright.status', arguments = { { version = 1 } } }
    return client:request_sync('workspace/executeCommand', run, 20000).result.client.protocol
"""


def started(tmp_path: Path, install: str) -> Nvim:
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    (root / "one.py").write_text("def alpha():\n    return 1\n")
    env = {k: v for k, v in environment(tmp_path).items() if k.startswith(("PAIRW", "PYTHONP"))}
    return Nvim(tmp_path / "nvim", root, env=env, config=plugin_config({}, install=install))


GLOBALS = """
    local bytecode, known = require('jit.bc'), {}
    local function note(line)
      for name in line:gmatch('G[GS]ET[^\\n]-; "([^"]+)"') do known[name] = true end
    end
    local out = { write = function(_, line) note(line) end, flush = function() end, close = function() end }
    for _, path in ipairs(vim.fn.glob('%s/**/*.lua', true, true)) do
      bytecode.dump(assert(loadfile(path)), out, true)
    end
    for name in pairs(known) do io.stdout:write(name, ' ') end
"""


def test_it_has_no_global_of_its_own(tmp_path: Path) -> None:
    """By the bytecode of every file: a name that is misspelt or was meant to be local is a global."""
    script = tmp_path / "globals.lua"
    script.write_text(GLOBALS % PLUGIN_DIR)
    words = [binary(), "--clean", "--headless", "-l", str(script)]
    found = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    lua = "assert error io ipairs math next pairs pcall require select string table tonumber tostring type unpack vim"
    assert "vim" in found.split()
    assert {*found.split()} - {*lua.split()} == set()


def test_added_late_and_set_up(tmp_path: Path) -> None:
    """As a plugin manager does that loads it after a file is open: nothing of it was sourced at start."""
    nvim = started(tmp_path, "_G.options = options\n")
    try:
        nvim.api.command(f"edit {tmp_path / 'work' / 'one.py'}")
        assert nvim.lua("return vim.fn.exists(':Pairwright')") == 0
        nvim.lua("vim.opt.runtimepath:append(...)", str(PLUGIN_DIR))
        nvim.lua("require('pairwright').setup(_G.options)")
        assert nvim.lua("return vim.fn.exists(':Pairwright')") == 2
        nvim.edit(tmp_path / "work" / "one.py")
        assert nvim.lua(PROTOCOL) == 1
        nvim.lua("require('pairwright').setup({ keys = 'yes', colour = 1 })")
        said = nvim.api.command_output("messages")
        assert 'keys is a boolean, not a string; there is no option "colour"' in said
    finally:
        nvim.close()


@pytest.mark.parametrize("tree", TREES)
def test_as_a_package(tmp_path: Path, tree: str) -> None:
    """By `pairwright editor nvim --copy` into a folder of the packpath, where a second copy takes the place of the
    first; or from the tree that `make nvim-plugin` wrote."""
    target = tmp_path / "site" / "pack" / "pairwright" / "start" / "pairwright.nvim"
    if tree == "copied":
        for _ in range(2):
            assert main(["editor", "nvim", "--copy", str(target)]) == 0
    else:
        shutil.copytree(tree, target)
    install = f"vim.opt.packpath:prepend({str(tmp_path / 'site')!r})\nvim.g.pairwright = options\n"
    nvim = started(tmp_path, install)
    try:
        nvim.edit(tmp_path / "work" / "one.py")
        assert nvim.lua(PROTOCOL) == 1
        nvim.api.command("help pairwright-keys")
        assert "*pairwright-keys*" in nvim.api.current.line
        shipped = (PLUGIN_DIR / "doc" / "tags").read_text()
        nvim.api.command(f"helptags {target / 'doc'}")
        assert (target / "doc" / "tags").read_text() == shipped, "run :helptags editors/nvim/doc"
    finally:
        nvim.close()
