"""The same words in every client: docs/keys.md is held against both plugins and the server."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from pairwright.lsp.capabilities import COMMANDS

ROOT = Path(__file__).parents[2]
NVIM = ROOT / "editors" / "nvim" / "lua" / "pairwright"
PACKAGE = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))


@dataclass(frozen=True)
class Row:
    what: str
    command: str
    nvim: str
    nvim_key: str
    vscode_key: str
    action: str


def _rows() -> list[Row]:
    found = []
    for line in (ROOT / "docs" / "keys.md").read_text("utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split(" |")]
        if line.startswith("| ") and len(cells) == 6 and cells[0] != "what":
            found.append(Row(*cells))
    return found


ROWS = _rows()


def test_every_command_of_the_vscode_extension_is_listed_under_its_title() -> None:
    titles = {command["title"].casefold() for command in PACKAGE["contributes"]["commands"]}
    assert titles - {row.what.casefold() for row in ROWS} == set()


def test_every_subcommand_of_the_neovim_plugin_is_listed() -> None:
    table = (
        (NVIM / "commands.lua").read_text("utf-8").split("local COMMANDS = {")[1].split("\n}\n")[0]
    )
    names = set(re.findall(r"^  (\w+) = \{", table, re.M))
    assert len(names) > 30
    assert {row.nvim.split()[0] for row in ROWS if row.nvim} == names


def test_the_server_has_every_command_that_is_listed() -> None:
    named = {f"pairwright.{row.command}" for row in ROWS if row.command}
    assert named - set(COMMANDS) == set()


def test_where_a_plugin_and_the_server_use_a_word_it_is_the_same_command() -> None:
    # `chat` opens the window whose files the server's `chat` changes.
    verbs = {command.removeprefix("pairwright.") for command in COMMANDS} - {"chat"}
    for row in ROWS:
        word = row.nvim.split()[0] if row.nvim else ""
        assert word not in verbs or word == row.command, row
    titles = {c["command"]: c["title"].casefold() for c in PACKAGE["contributes"]["commands"]}
    known = {row.what.casefold(): row.command for row in ROWS}
    for command, title in titles.items():
        assert command not in COMMANDS or f"pairwright.{known[title]}" == command, title


def test_the_keys_are_those_that_neovim_suggests() -> None:
    text = (NVIM / "keys.lua").read_text("utf-8")
    suggested = dict(re.findall(r"\{ 'n', '([^']+)', '([^']+)' \}", text))
    words = {"next-hunk": "next", "previous-hunk": "previous"}
    expected = {key: words.get(plug, plug.replace("-", " ")) for key, plug in suggested.items()}
    assert {row.nvim_key: row.nvim for row in ROWS if row.nvim_key} == expected


def test_the_keys_are_those_of_the_vscode_extension() -> None:
    titles = {c["command"]: c["title"].casefold() for c in PACKAGE["contributes"]["commands"]}
    bound = {titles[k["command"]]: k["key"] for k in PACKAGE["contributes"]["keybindings"]}
    listed = {row.what.casefold(): row.vscode_key.casefold() for row in ROWS if row.vscode_key}
    assert listed == bound


def test_the_code_actions_are_those_the_server_offers() -> None:
    source = (ROOT / "server" / "pairwright" / "lsp" / "handlers" / "actions.py").read_text("utf-8")
    for row in ROWS:
        for name in re.findall(r"\*\*(.+?)\*\*", row.action):
            word = name.removesuffix(": …")
            assert re.search(rf"""["' {{]{re.escape(word)}\b""", source), f"{name}: {row.what}"
