"""`python -m tests.bench.formats`: format `symbol` beside `diff` with the embedded model, as a Markdown table.

The same small edits in both: functions of Django drawn by a seed, each with one local to rename. An edit counts as
applied if the first reply is read and planned without a problem, and as right if the file is then what a rename by
hand makes of it. Tokens are those that the model wrote.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import os
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench import corpora

from pairwright.config.schema import Model as Settings
from pairwright.edits.diff import apply
from pairwright.edits.formats.registry import read
from pairwright.edits.plan import plan
from pairwright.edits.types import Target
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Model, Request, Text, Usage
from pairwright.prompts.build import Chunks, FileText, build

SEED = 7
FORMATS = ("diff", "symbol")
LINES = range(6, 19)


@dataclass(frozen=True, slots=True)
class Task:
    """Rename the local `old` of `function` to `new`. `shown`: the function's own lines; `after`: the whole file
    with the rename done."""

    path: str
    data: bytes
    function: str
    old: str
    new: str
    shown: str
    after: bytes


@dataclass(frozen=True, slots=True)
class Tried:
    tokens: int
    applied: bool
    right: bool


def tasks(root: Path, count: int) -> list[Task]:
    """`count` functions of the repository, the same ones each time."""
    found = []
    for file in sorted((root / "django" / "utils").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                found += _task(file.relative_to(root).as_posix(), text, node)
    return sorted(
        random.Random(SEED).sample(found, count), key=lambda task: (task.path, task.function)
    )


def _task(path: str, text: str, node: ast.FunctionDef) -> list[Task]:
    assert node.end_lineno
    lines = text.splitlines(keepends=True)
    body = "".join(lines[node.lineno - 1 : node.end_lineno])
    names = [
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    locals_ = [
        n
        for n in dict.fromkeys(names)
        if len(n) > 2 and len(re.findall(rf"\b{n}\b", body)) in (2, 3)
    ]
    if node.end_lineno - node.lineno + 1 not in LINES or not locals_:
        return []
    old = locals_[0]
    new = f"new_{old}"
    changed = re.sub(rf"\b{old}\b", new, body)
    after = "".join([*lines[: node.lineno - 1], changed, *lines[node.end_lineno :]])
    return [Task(path, text.encode(), node.name, old, new, body, after.encode())]


async def tried(model: Model, task: Task, form: str, keep: Path | None) -> Tried:
    """One reply of `model`, read and planned, nothing sent back. `keep`: a folder for the reply as it came."""
    chunks = Chunks(
        "edit",
        f"In {task.function}, rename the local variable {task.old} to {task.new} everywhere.",
        files=(FileText(task.path, task.shown, "python", partial=True),),
        format=form,
    )
    text, usage = "", Usage(0, 0)
    async for delta in model.stream(Request(build(chunks), max_tokens=600)):
        if isinstance(delta, Text):
            text += delta.text
        elif isinstance(delta, Usage):
            usage = delta
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{task.function}.{form}.txt").write_text(text, encoding="utf-8")
    parsed = read(text, form, (task.path,))
    planned = plan(parsed.blocks, {task.path: Target(task.path, task.data)}, chat=(task.path,))
    whole = not (parsed.problems or planned.problems) and bool(planned.changes)
    after = apply(task.data, planned.changes[0].hunks) if whole else b""
    return Tried(usage.completion, whole, after == task.after)


async def measure(count: int, keep: Path | None) -> None:
    chosen = tasks(corpora.django().root, count)
    models = ConfiguredModels(Settings(name="embedded"), os.environ)
    found: dict[str, list[Tried]] = {form: [] for form in FORMATS}
    try:
        model = await models.get()
        for task in chosen:
            for form in FORMATS:
                one = await tried(model, task, form, keep)
                found[form].append(one)
                print(f"{task.path} {task.function} {form}: {one}", file=sys.stderr, flush=True)
    finally:
        await models.close()
    print(f"{count} renames of a local, embedded model, seed {SEED}\n")
    print("| format | applied at the first try | right | tokens written, median | in all |")
    print("|---|---|---|---|---|")
    for form, results in found.items():
        applied, right = (sum(getattr(r, name) for r in results) for name in ("applied", "right"))
        tokens = [r.tokens for r in results]
        print(f"| `{form}` | {applied} of {count} | {right} | {median(tokens):g} | {sum(tokens)} |")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.formats", description=__doc__)
    parser.add_argument("--edits", type=int, default=12)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write every reply there")
    args = parser.parse_args()
    asyncio.run(measure(args.edits, args.keep))


if __name__ == "__main__":
    main()
