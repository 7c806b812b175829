"""Where the plugins of editors are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pairwright.cli.editor import plugin
from pairwright.cli.main import main


def test_it_prints_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["editor", "nvim"]) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert (folder / "lsp" / "pairwright.lua").is_file()


def test_a_copy_takes_the_place_of_an_older_one_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("keep")
    assert main(["editor", "nvim", "--copy", str(mine)]) == 1
    assert "is no copy of the plugin" in capsys.readouterr().err
    assert (mine / "notes.txt").read_text() == "keep"
    copy = tmp_path / "copy"
    assert main(["editor", "nvim", "--copy", str(copy)]) == 0
    (copy / "lua" / "pairwright" / "gone.lua").write_text("")
    assert main(["editor", "nvim", "--copy", str(copy)]) == 0
    assert not (copy / "lua" / "pairwright" / "gone.lua").exists()


def test_every_subcommand_and_plug_is_in_the_help_file() -> None:
    folder = plugin("nvim")
    assert folder is not None
    manual = (folder / "doc" / "pairwright.txt").read_text()
    source = (folder / "lua" / "pairwright" / "commands.lua").read_text()
    table = source.partition("local COMMANDS = {\n")[2].partition("\n}\n")[0]
    names = re.findall(r"^  (\w+) = \{", table, re.M)
    assert len(names) > 30
    assert [name for name in names if not re.search(rf"^ {{2}}.*\b{name}\b", manual, re.M)] == []
    start = (folder / "lua" / "pairwright" / "start.lua").read_text()
    plugs = re.findall(r"^  \{ '([a-z-]+)', ", start, re.M)
    assert len(plugs) > 15
    assert [name for name in plugs if f"(pairwright-{name})" not in manual] == []
