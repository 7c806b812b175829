"""The git cases: what people lost to other tools, driven from the reply to the undo; git is the judge."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.desks import Office

from pairwright.edits.formats.search_replace import parse
from pairwright.edits.plan import plan
from pairwright.edits.types import Target
from pairwright.engine.accept import accept
from pairwright.engine.undo import undo

CASES = Path(__file__).parents[2] / "cases" / "edits.json"
GIT = [case for case in json.loads(CASES.read_text("utf-8")) if case["kind"] == "git"]


def _environment(case: Mapping[str, Any], aside: Path) -> dict[str, str]:
    base = {"HOME": str(aside / "home"), "GIT_CONFIG_NOSYSTEM": "1", "CASE_TMP": str(aside)}
    more = {k: v.replace("$CASE_TMP", str(aside)) for k, v in case.get("env", {}).items()}
    return {"PATH": os.environ["PATH"], **base, **more}


def _files(root: Path, ignored: list[str]) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and ".git" not in path.relative_to(root).parts
        and str(path.relative_to(root)) not in ignored
    }


def _bytes(content: str | Mapping[str, str]) -> bytes:
    return content.encode() if isinstance(content, str) else base64.b64decode(content["b64"])


async def _apply(office: Office, case: Mapping[str, Any]) -> str:
    """One reply, accepted whole; empty, or why it was refused."""
    snapshot = office.editor.snapshot()
    parsed = parse(case["reply"], case["chat_files"])
    targets = {}
    for path in case["chat_files"]:
        document = snapshot.document(path)
        targets[path] = Target(path, document.data if document else None)
    planned = plan(parsed.blocks, targets, allowed=snapshot.allowed, chat=case["chat_files"])
    problems = [problem.message for problem in (*parsed.problems, *planned.problems)]
    if problems:
        return "\n".join(problems)
    proposal = office.desk.proposals.propose(planned.changes, "Do it", snapshot, 1.0)
    result = await accept(office.desk, proposal.id)
    assert not result.warning
    return "" if result.state == "applied" else result.message


async def _run(office: Office, case: Mapping[str, Any], sh: Any) -> str:
    error = ""
    for action in case.get("actions", ["apply"]):
        if action == "apply":
            error = await _apply(office, case)
        elif action == "undo":
            result = await undo(office.desk)
            error = "" if result.state == "done" else result.message
        else:
            sh(action["sh"])
        if error:
            break
    return error


@pytest.mark.parametrize("case", GIT, ids=lambda case: str(case["id"]))
def test_git_case(case: Mapping[str, Any], tmp_path: Path) -> None:
    root, aside = tmp_path / "work", tmp_path / "aside"
    (aside / "home").mkdir(parents=True)
    root.mkdir()
    env = _environment(case, aside)

    def sh(line: str) -> None:
        done = subprocess.run(["bash", "-c", line], cwd=root, env=env, capture_output=True)
        assert done.returncode == 0, f"{line}: {done.stderr.decode()}"

    for path, content in case["files"].items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_bytes(content))
    for line in case.get("setup", []):
        sh(line)
    ignored = [*case.get("ignore_paths", []), *case.get("unchecked", [])]
    baseline = _files(root, ignored)
    folder = root / case.get("root", "")
    office = Office.at(folder, tmp_path / "data")
    error = asyncio.run(_run(office, case, sh))
    expected = dict(baseline)
    for path, content in case["expect"].get("files", {}).items():
        expected.pop(path, None)
        if content is not None:
            expected[path] = _bytes(content)
    assert error == ""
    assert _files(root, ignored) == expected
    for line in case.get("checks", []):
        sh(line)


def test_there_are_cases() -> None:
    assert len(GIT) >= 14
