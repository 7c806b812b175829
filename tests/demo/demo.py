"""The main job on a real repository, as an editor does it, printed step by step with timings.

Takes the Django wheel (pinned; fetched once at set-up), gives it a git history on the spot, starts the real
server over stdio and drives it by LSP: hover, map, ask, selection edit, partial accept, undo - with the
embedded model. No network is used after the set-up. Run it by `make demo`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import textwrap
import time
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.support.editor import Editor

DJANGO = "django==5.1.4"
FILE = "django/utils/http.py"
NAME = "int_to_base36"
QUESTION = (
    "What does this function do, and what happens for a negative number? Answer in two sentences."
)
REQUEST = "Rename the local variable char_set to digits. Change nothing else."
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "textOnlyTransactional",
        },
        "configuration": False,
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
    "experimental": {"pairwright": {"protocol": 1}},
}

BOLD, DIM, GREEN, RED, CYAN, YELLOW, OFF = (
    "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[36m", "\033[33m", "\033[0m",
)  # fmt: skip


def say(text: str = "") -> None:
    print(text, flush=True)


def step(number: int, title: str) -> float:
    say(f"\n{BOLD}{CYAN}{number}  {title}{OFF}")
    return time.perf_counter()


def took(start: float, what: str = "") -> None:
    seconds = time.perf_counter() - start
    shown = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    say(f"   {DIM}{what + ': ' if what else ''}{shown}{OFF}")


def indent(text: str, rows: int = 0) -> None:
    lines = text.rstrip().splitlines()
    for line in lines[: rows or None]:
        say(f"   {line}")
    if rows and len(lines) > rows:
        say(f"   {DIM}… {len(lines) - rows} more lines{OFF}")


def diff(text: str) -> None:
    for line in text.rstrip().splitlines():
        colour = {"+": GREEN, "-": RED, "@": CYAN}.get(line[:1], "")
        say(f"   {colour}{line}{OFF if colour else ''}")


def repository(target: Path) -> Path:
    """The Django wheel unpacked under `target` as a git repository with one commit."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pairwright" / "demo"
    cache.mkdir(parents=True, exist_ok=True)
    wheels = sorted(cache.glob("[dD]jango-5.1.4-*.whl"))
    if not wheels:
        say(f"{DIM}fetching {DJANGO} once …{OFF}")
        command = [sys.executable, "-m", "pip", "download", "-q", "--retries", "8", "--no-deps"]
        subprocess.run([*command, "-d", str(cache), DJANGO], check=True)
        wheels = sorted(cache.glob("[dD]jango-5.1.4-*.whl"))
    root = target / "django-5.1.4"
    zipfile.ZipFile(wheels[0]).extractall(root)
    for args in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        [
            "-c",
            "user.name=Demo",
            "-c",
            "user.email=demo@example.invalid",
            "commit",
            "-qm",
            "Django 5.1.4",
        ],
    ):
        subprocess.run(["git", *args], cwd=root, check=True)
    return root


def git(root: Path, *args: str) -> str:
    return subprocess.run(
        ["git", *args], cwd=root, capture_output=True, text=True, check=True
    ).stdout


async def scanned(editor: Editor) -> None:
    await editor.wait_for(
        "the first scan",
        lambda m: m["method"] == "pairwright/status" and m["params"].get("quiescent") is True,
        120,
    )


async def turn(editor: Editor, command: str, **args: Any) -> dict[str, Any]:
    """Run a turn and print what streams in; returns the end's parameters."""
    since = len(editor.received)
    started = await editor.command(command, **args)
    ident, first, start, last = started["id"], None, time.perf_counter(), ""
    at = since
    while True:
        message = await editor.wait_for(
            "the model",
            lambda m: (
                m["method"]
                in ("pairwright/chat/delta", "pairwright/turn/event", "pairwright/turn/end")
                and m["params"]["id"] == ident
            ),
            600,
            at,
        )
        at = editor.received.index(message, at) + 1
        params = message["params"]
        if message["method"] == "pairwright/turn/end":
            if first:
                say("")
            took(start, "turn")
            return params
        if params["kind"] == "status" and not first and params["text"] != last:
            last = params["text"]
            if params["percent"] is None or params["percent"] in (0, 100):
                say(f"   {DIM}{last}{OFF}")
        if params["kind"] == "text":
            if first is None:
                first = time.perf_counter()
                say(f"   {DIM}first token after {first - start:.1f} s{OFF}")
                sys.stdout.write("   ")
            sys.stdout.write(params["text"].replace("\n", "\n   "))
            sys.stdout.flush()


async def story(root: Path, env: dict[str, str]) -> None:
    path = root / FILE
    original = path.read_bytes()

    start = step(1, "An editor starts the server")
    editor = await Editor.start(root, CAPABILITIES, env=env, stderr=subprocess.DEVNULL)
    took(start, "initialize answered")
    async with editor:
        await scanned(editor)
        took(start, f"{len(git(root, 'ls-files').splitlines())} files indexed")
        editor.open(path)

        start = step(2, f"Hover over {NAME}")
        at = editor.text(path).index(f"def {NAME}") + 4
        hover = await editor.request(
            "textDocument/hover",
            {
                "textDocument": {"uri": path.as_uri()},
                "position": editor.range(path, at, at)["start"],
            },
        )
        took(start)
        indent(hover["contents"]["value"] if hover else "nothing")

        start = step(3, "The repo map for a request, 512 tokens")
        found = await editor.command(
            "pairwright.map",
            budget=512,
            message="base36 conversion of integers in urls",
            chat=[path.as_uri()],
        )
        took(start, f"{found['tokens']} of {found['budget']} tokens")
        indent(found["text"], 16)

        text = editor.text(path)
        begin = text.index(f"def {NAME}")
        end = text.index("\n\n\n", begin) + 1
        where = {"uri": path.as_uri(), "range": editor.range(path, begin, end)}

        step(4, f"Ask: {QUESTION}")
        await turn(editor, "pairwright.ask", text=QUESTION, **where)

        step(5, f"Edit the selection: {REQUEST}")
        ended = await turn(editor, "pairwright.edit", text=REQUEST, **where)
        proposal = ended.get("proposal")
        if not proposal:
            raise SystemExit(f"no proposal: {ended.get('message')}")
        shown = await editor.command("pairwright.show", proposal=proposal)
        say(f"\n   {BOLD}proposed, nothing written yet:{OFF}")
        diff(shown["preview"])
        hunks = [h["id"] for f in shown["proposal"]["files"] for h in f["hunks"]]
        assert path.read_bytes() == original and editor.text(path).encode() == original

        start = step(6, f"Accept hunk 1 of {len(hunks)}, reject the rest")
        await editor.command("pairwright.accept", proposal=proposal, hunks=hunks[:1])
        took(start, "checkpoint, edit, verified")
        if hunks[1:]:
            await editor.command("pairwright.reject", proposal=proposal, hunks=hunks[1:])
        editor.save(path)
        diff(git(root, "diff", "-U1", "--", FILE))

        start = step(7, "Undo")
        await editor.command("pairwright.undo")
        took(start)
        editor.save(path)
        same = path.read_bytes() == original
        clean = not git(root, "status", "--porcelain").strip()
        say(
            f"   {GREEN if same and clean else RED}{FILE}: "
            f"{'byte for byte as before' if same else 'NOT as before'}; "
            f"git status {'clean' if clean else 'NOT clean'}{OFF}"
        )
        if not (same and clean):
            raise SystemExit(1)
        listed = await editor.command("pairwright.checkpoints", limit=5)
        for item in listed["checkpoints"]:
            say(f"   {DIM}checkpoint {item['id'][:8]} {item['kind']:<7} {item['note'][:60]}{OFF}")
    say(f"\n{BOLD}Done.{OFF} The same works in your editor: see docs/editors.md.")


def main() -> None:
    say(
        textwrap.dedent(f"""\
        {BOLD}Pairwright{OFF} {DIM}- the server is real, the model runs on this machine, nothing leaves it{OFF}""")
    )
    with tempfile.TemporaryDirectory(prefix="pairwright-demo-") as scratch:
        start = time.perf_counter()
        root = repository(Path(scratch))
        took(start, f"{DJANGO} with a git history in {root}")
        env = dict(os.environ, PAIRWRIGHT_DATA=str(Path(scratch) / "data"))
        asyncio.run(story(root, env))


if __name__ == "__main__":
    main()
