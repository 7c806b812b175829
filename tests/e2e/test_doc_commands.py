"""What the user's pages tell to type is typed: every `sh` block of README.md and docs/*.md runs on a clean profile.

The word after three backticks says what becomes of a block:

- `sh`: it is run here, in a small repository, with an empty home folder and a model that follows a script. All of its
  commands must succeed; a question is answered with yes.
- `sh manual YYYY-MM-DD`: it needs a network, a download or a desktop. It was tried by hand on that day.
- `json`, `toml`, `lua`, `python`: it must parse, and the settings it names must exist.

Blocks without a word, or with `text`, are nothing to type.
"""

from __future__ import annotations

import datetime
import json
import os
import pty
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint
from tests.support.nvim import binary
from tests.support.served import blocks

from pairwright.config.load import SECTION, options

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# A fence of more backticks holds those of fewer.
_FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^\1\2$", re.M | re.S)
_COMMAND = re.compile(r"^\s*(?:\$ )?(?:pairwright|pipx?|make|git|npm|code) \S", re.M)
_MANUAL = re.compile(r"sh manual (\d{4}-\d\d-\d\d)")

FILES = {
    "a.py": "def size(a):\n    return 0\n",
    "src/session.py": "def expired(session):\n    return parse_cookie(session).age > 60\n",
    "src/client.py": "def parse_cookie(text):\n    return text\n\n\ndef retry(call):\n    return call()\n",
    "reply.md": blocks(("a.py", "    return 0\n", "    return len(a)\n")),
    "../other/parse.py": "def parse(text):\n    return text.split()\n",
}
RETRY = blocks(("src/client.py", "    return call()\n", "    print('again')\n    return call()\n"))


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def _blocks() -> Iterator[Block]:
    for path in PAGES:
        page = path.read_text("utf-8")
        for match in _FENCE.finditer(page):
            line = page.count("\n", 0, match.start()) + 1
            text = re.sub(rf"^{match[1]}", "", match[4], flags=re.M)
            yield Block(path.relative_to(ROOT).as_posix(), line, match[3].strip(), text)


BLOCKS = list(_blocks())
RUN = [block for block in BLOCKS if block.info == "sh"]


def _answer(body: dict[str, Any]) -> str:
    """What the scripted model says."""
    asked = str(body["messages"][-1]["content"])
    if "how is a session expired?" in asked:
        return "It is compared with sixty seconds."
    return RETRY if "log every retry" in asked else FILES["reply.md"]


@pytest.fixture(scope="module")
def model() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        endpoint.otherwise = _answer
        yield endpoint


def _profile(home: Path, model: Endpoint) -> dict[str, str]:
    """A user who has just installed it: nothing at home but the command, and for requests the scripted model."""
    scripts = home / "bin"
    scripts.mkdir(parents=True)
    named = model.settings()
    command = scripts / "pairwright"
    command.write_text(
        "#!/bin/bash\n"
        f'case "$1" in ask|edit) set -- "$@" --model {named["name"]} --api-base {named["api_base"]};; esac\n'
        f'exec {sys.executable} -m pairwright "$@"\n'
    )
    command.chmod(0o755)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PAIRWRIGHT_", "XDG_", "GIT_"))
    }
    path = [str(scripts), str(Path(sys.executable).parent), "/usr/bin", "/bin"]
    return {
        **kept,
        "HOME": str(home),
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "server"), kept.get("PYTHONPATH", "")]),
        "OPENAI_API_KEY": "scripted-key",
    }


def _repository(root: Path) -> None:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "Sessions expire")):
        subprocess.run(["git", *identity, *words], cwd=root, check=True)


def _run(script: str, root: Path, env: Mapping[str, str]) -> None:
    """Run `script` in `root` as typed at a terminal where every question gets a yes."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, b"y\n" * 4)
        done = subprocess.run(
            ["bash", "-eu", "-c", script],
            cwd=root,
            env=env,
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=280,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.parametrize("block", RUN, ids=str)
def test_what_a_page_tells_to_type_works(block: Block, tmp_path: Path, model: Endpoint) -> None:
    root, env = tmp_path / "work", _profile(tmp_path / "home", model)
    root.mkdir()
    _repository(root)
    if "checkpoints" in block.text:
        _run("pairwright apply reply.md", root, env)
    _run(block.text, root, env)


def test_the_pages_have_commands_and_all_of_them_are_marked() -> None:
    assert len(RUN) >= 8
    for block in BLOCKS:
        if not block.info:
            assert not _COMMAND.search(block.text), f"{block}: commands without `sh`"


@pytest.mark.parametrize("block", [b for b in BLOCKS if "manual" in b.info], ids=str)
def test_what_is_not_run_here_says_when_it_was_tried(block: Block) -> None:
    match = _MANUAL.fullmatch(block.info)
    assert match, f"{block}: {block.info}"
    datetime.date.fromisoformat(match[1])


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.info == "json"], ids=str)
def test_json_of_the_pages_parses_and_names_settings_that_exist(block: Block) -> None:
    for name in _names(json.loads(block.text)):
        key = name.removeprefix(f"{SECTION}.")
        assert key == name or key in options(), f"{block}: {name}"


def _names(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _names(inner)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.info in ("toml", "python")], ids=str)
def test_toml_and_python_of_the_pages_parse(block: Block) -> None:
    if block.info == "toml":
        assert tomllib.loads(block.text)
    else:
        compile(block.text, str(block), "exec")


def test_lua_of_the_pages_parses(tmp_path: Path) -> None:
    found = [block for block in BLOCKS if block.info == "lua"]
    assert found
    for number, block in enumerate(found):
        (tmp_path / f"{number}.lua").write_text(f"-- {block}\n{block.text}")
    check = tmp_path / "check.lua"
    check.write_text("for _, f in ipairs(arg) do assert(loadfile(f)) end\n")
    files = [str(tmp_path / f"{number}.lua") for number in range(len(found))]
    words = [binary(), "--clean", "--headless", "-l", str(check), *files]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
