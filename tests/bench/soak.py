"""`python -m tests.bench.soak [MINUTES]`: a long editing session against the real server over stdio.

Types at random into a file of this repository's own code, hovers and asks for maps in between, and holds the server
to three things: it answers, its text gives the symbols of a fresh open, its memory stops growing.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support.editor import Editor

SOURCE = Path(__file__).parents[2] / "server" / "pairwright"
WORDS = (
    "x",
    " ",
    "\n",
    "def f():\n    return 1\n",
    "é",
    "😀",
    "(",
    ")",
    '"',
    "\r\n",
    "\f",
    "\u2028",
)
CAPABILITIES: dict[str, Any] = {"general": {"positionEncodings": ["utf-16"]}}


def resident(pid: int) -> int:
    """Resident memory in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


async def symbols(editor: Editor, path: Path) -> list[str]:
    params = {"textDocument": {"uri": path.as_uri()}}
    found = await editor.request("textDocument/documentSymbol", params) or []
    return sorted(item["name"] for item in found)


async def session(minutes: float) -> int:
    random.seed(7)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "work"
        root.mkdir()
        for source in sorted(SOURCE.rglob("*.py")):
            (root / f"{source.parent.name}_{source.name}").write_bytes(source.read_bytes())
        path, fresh = root / "soak.py", root / "fresh.py"
        path.write_text("\n".join(p.read_text() for p in sorted(root.glob("engine_*.py"))))
        env = dict(os.environ, PAIRWRIGHT_DATA=f"{scratch}/d", PAIRWRIGHT_CACHE=f"{scratch}/c")
        options = {"symbols": {"document": True}}
        editor = await Editor.start(root, CAPABILITIES, init_options=options, env=env)
        async with editor:
            editor.open(path)
            end, edits, memory = time.monotonic() + 60 * minutes, 0, []
            while time.monotonic() < end:
                for _ in range(200):
                    text = editor.text(path)
                    at = random.randrange(len(text) + 1)
                    stop = min(len(text), at + random.choice((0, 0, 0, 1, 5)))
                    editor.type(path, at, stop, random.choice(WORDS))
                    edits += 1
                position = editor.range(path, 0, 0)["start"]
                ident = {"textDocument": {"uri": path.as_uri()}, "position": position}
                await editor.request("textDocument/hover", ident, timeout=10)
                await editor.command("pairwright.map", budget=512)
                memory.append(resident(editor.process.pid))
            await asyncio.sleep(2)
            fresh.write_text(editor.text(path), encoding="utf-8", newline="")
            editor.open(fresh)
            same = await symbols(editor, path) == await symbols(editor, fresh)
    half = memory[len(memory) // 2 :]
    print(
        f"{edits:,} edits in {minutes:g} min; memory {memory[0]} MB at first, {max(half)} MB at most later"
    )
    print("symbols equal those of a fresh open" if same else "SYMBOLS DIFFER from a fresh open")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(session(float(sys.argv[1]) if len(sys.argv) > 1 else 10)))
