"""The scripted message sequences of tests/cases/lsp.json against the real server."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor
from tests.support.serving import COMMAND, environment

_CASES = Path(__file__).parents[1] / "cases"
_WIRE = ("close_stdin", "exit", "hold", "raw", "raw_req")
_SYMBOLS = ["--set", "symbols.document=true"]


def _for_map_text(case: Any) -> Any:
    """Without documentSymbol the runner looks for a name anywhere in the map's JSON, where `b` is
    in `budget` and in `bee`: names of one letter are left to the tests below."""
    if isinstance(case, dict):
        out = {key: _for_map_text(value) for key, value in case.items()}
        if "not_names" in out:
            out["not_names"] = [name for name in out["not_names"] if len(name) > 1]
        return out
    return [_for_map_text(item) for item in case] if isinstance(case, list) else case


# Never two at once: some cases have a time limit.
pytestmark = pytest.mark.xdist_group("lsp_cases")


async def _run(cases: Path, folder: Path, extra: list[str]) -> dict[str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(_CASES / "lsp_run.py"),
        "--map",
        "pairwright.map",
        "--cases",
        str(cases),
        "--",
        *COMMAND,
        *extra,
        env=environment(folder),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await asyncio.wait_for(process.communicate(), 140)
    parts = (line.partition(" ") for line in out.decode().splitlines())
    return {name: rest for name, _, rest in parts}


def _all() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((_CASES / "lsp.json").read_text(encoding="utf-8"))
    return found


def _is_of_the_process(case: dict[str, Any]) -> bool:
    """Whether `case` is about the wire or the process: those start as users' servers do."""
    return any(step["op"] in _WIRE for step in case["steps"])


async def _part(folder: Path, cases: list[dict[str, Any]], extra: list[str]) -> None:
    file = folder / "cases.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    check(cases, await _run(file, folder, extra))


@pytest.mark.usefixtures("cold")
async def test_every_case_of_the_wire(tmp_path: Path) -> None:
    await _part(tmp_path, [case for case in _all() if _is_of_the_process(case)], _SYMBOLS)


async def test_every_other_case_with_document_symbols(tmp_path: Path) -> None:
    await _part(tmp_path, [case for case in _all() if not _is_of_the_process(case)], _SYMBOLS)


async def test_every_case_by_default(tmp_path: Path) -> None:
    """By the map: the cases that look at symbols, the others are the same both ways."""
    both = [case for case in _all() if any(step["op"] == "symbols" for step in case["steps"])]
    by_map = tmp_path / "by_map.json"
    by_map.write_text(json.dumps(_for_map_text(both)), encoding="utf-8")
    check(both, await _run(by_map, tmp_path, []))


def check(cases: list[dict[str, Any]], told: dict[str, str]) -> None:
    """Every one of `cases` passed."""
    names = [case["id"] for case in cases]
    assert names and [n for n in names if not told.get(n, "").startswith("PASS")] == [], told


@pytest.mark.parametrize(
    ("before", "after", "present", "absent"),
    [
        ("def a():\r    pass\rdef b():\r    return a()\r", ("b()", "bee()"), "bee", "b"),
        ("def a():\n    pass\ndef b():\n    pass", ("def b", "def b2"), "b2", "b"),
        ('s = "😀"; \ndef f():\n    return s\n', ("def f", "def h"), "h", "f"),
    ],
)
async def test_the_map_follows_a_rename_as_whole_words(
    tmp_path: Path, before: str, after: tuple[str, str], present: str, absent: str
) -> None:
    root = tmp_path / "work"
    root.mkdir()
    file = root / "m.py"
    file.write_bytes(before.encode())
    env = environment(tmp_path)
    async with await Editor.start(root, {}, env=env, command=COMMAND) as editor:
        editor.open(file)
        at = before.index(after[0])
        editor.type(file, at, at + len(after[0]), after[1])
        text = (await editor.command("pairwright.map"))["text"]
    words = re.findall(r"\w+", text)
    assert present in words
    assert absent not in words
