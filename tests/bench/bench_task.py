"""How long the prompts of a long task are, file by file, beside two other policies on the same script.

    python -m tests.bench.bench_task [--files 30] [--seeds 8] [--svg FILE]

A real run of the engine with a scripted model: files of 20 to 400 lines, every second one there before, and again
with all of them new; for several seeds, since the sizes and who needs whom decide what there is to know. Counted by
the estimate that budgets are kept by. `full history` goes on in one conversation. `appended summaries` re-enacts a
tool that wipes the conversation after each file and sends the plan, lists of the first twenty paths, and each summary
so far: what is called constant there and grows. Nothing here is timed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from tests.bench.table import Figure, as_table
from tests.support.author import Place, place_of
from tests.support.tasks import Worksite, block, listing, target

from pairwright.engine.knowledge import Known
from pairwright.engine.records import Notebook
from pairwright.engine.task.document import render, section
from pairwright.engine.task.plan import Entry, Plan
from pairwright.engine.task.run import run, summary
from pairwright.prompts.build import template
from pairwright.text.estimate import estimate

GOAL = 1.3
_BODY = 11
"""Lines of a function, about."""
FROM = 3
"""The file behind which the prompt has to stay as long."""
_COLOURS = {"pairwright": "#3b6fd4", "full history": "#b8325f", "appended summaries": "#c2571a"}


@dataclass(frozen=True)
class Script:
    """The task: its plan, the texts that are there, and what each file is to become."""

    plan: Plan
    before: Mapping[str, str]
    after: Mapping[str, str]

    def reply(self, path: str) -> str:
        """What the model says in the step of `path`."""
        notes = [f"{path} keeps its sums in cents", f"call check_{_stem(path)} before it is saved"]
        if path not in self.before:
            return listing(path, self.after[path], notes)
        old = self.before[path].splitlines(keepends=True)[0]
        new = self.after[path].removesuffix(self.before[path].removeprefix(old))
        tail = "\n".join(("\n```notes", *(f"- {note}" for note in notes), "```\n"))
        return block(path, old, new) + tail


def script(files: int, seed: int = 7, *, all_new: bool = False) -> Script:
    """`files` files of 20 to 400 lines; each needs up to three of those before it. Every second one is there before,
    unless they are `all_new`."""
    rng = random.Random(seed)
    names = [f"shop/{'core' if n % 3 else 'api'}/part_{n:02}.py" for n in range(files)]
    sizes = [20 + 380 * n // max(1, files - 1) for n in range(files)]
    rng.shuffle(sizes)
    entries, before, after = [], {}, {}
    for index, (path, lines) in enumerate(zip(names, sizes, strict=True)):
        stem = _stem(path)
        uses = rng.sample(names[max(0, index - 8) : index], min(index, 3))
        text = _text(stem, lines, uses)
        is_there = bool(index % 2) and not all_new
        entries.append(
            Entry(
                path,
                "modify" if is_there else "create",
                f"Keeps the rows of {stem} and adds them up for the parts that follow.",
                (f"class Book{index:02}", f"def add_{stem}(rows: list[int], rate: int) -> int"),
                tuple(uses),
            )
        )
        after[path] = text
        if is_there:
            before[path] = text
            after[path] = text.replace("\n", f"\nLIMIT_{index} = {index}\n", 1)
    notes = ("All sums are in cents.", "Rows are plain integers, newest last.")
    return Script(Plan("The books of a shop", notes, tuple(entries)), before, after)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")


def _text(stem: str, lines: int, uses: Sequence[str]) -> str:
    rows = [f'"""The rows of {stem}."""', ""]
    rows += [
        f"from {use.removesuffix('.py').replace('/', '.')} import add_{_stem(use)}" for use in uses
    ]
    number = stem.removeprefix("part_")
    rows += [f"class Book{number}:", '    """Rows in the order they came."""', ""]
    rows += [f"def add_{stem}(rows: list[int], rate: int) -> int:", "    return sum(rows) * rate"]
    count = 0
    while len(rows) + _BODY + 3 <= lines:
        count += 1
        rows += [f"def step_{count}_{stem}(value: int) -> int:", f'    """The step {count}."""']
        rows += [f"    part_{n} = value + {count * n}" for n in range(_BODY - 1)]
        rows += ["    return part_0 + part_1", ""]
    return "\n".join(rows) + "\n"


async def ours(made: Script, place: Place) -> tuple[list[int], list[int]]:
    """Tokens of each prompt of a real run less those of the target's own text, and in all."""
    site = Worksite.of(place, lambda prompt: made.reply(target(prompt)), made.before)
    notebook = Notebook()
    crew = replace(site.crew, knowledge=lambda snapshot: Known(notebook, snapshot))
    state = await run(crew, await site.plan(made.plan, "Write the books of a shop."))
    assert len(state.paths("proposed")) == len(made.plan.entries), summary(state)
    own = [estimate(made.before.get(target(prompt), "")) for prompt in site.model.prompts]
    whole = [estimate(prompt) for prompt in site.model.prompts]
    return [all_ - mine for all_, mine in zip(whole, own, strict=True)], whole


def full_history(made: Script) -> list[int]:
    """The same steps in one conversation."""
    said = estimate(template("edit")) + estimate(render(made.plan))
    found = []
    for entry in made.plan.entries:
        own = estimate(made.before.get(entry.path, ""))
        step = estimate(section(entry))
        found.append(said + step)
        said += step + own + estimate(made.reply(entry.path))
    return found


def appended_summaries(made: Script) -> list[int]:
    """System, plan and previews of both lists, and the whole file of summaries."""
    plan, paths = render(made.plan), [entry.path for entry in made.plan.entries]
    summaries, found = "", []
    for index, entry in enumerate(made.plan.entries):
        lists = "\n".join((*_preview(paths[:index]), *_preview(paths[index:])))
        found.append(sum(map(estimate, (template("edit"), plan, lists, summaries, section(entry)))))
        rule = "=" * 80
        summaries += "\n".join(
            (
                rule,
                f"## IMPLEMENTATION File {entry.path}; ROUND {index}",
                rule,
                f"**Core Purpose**: {entry.purpose}",
                f"**Public Interface**: {'; '.join(entry.contract)}",
                f"**Internal Dependencies**: {', '.join(entry.depends) or 'none'}",
                "**External Dependencies**: the parts that follow are expected to import its sums",
                "**Implementation Notes**: sums are kept in cents, rows are checked before they are saved",
                "",
            )
        )
    return found


def _preview(paths: Sequence[str]) -> list[str]:
    more = len(paths) - 20
    return [*paths[:20], *([f"(+{more} more)"] if more > 0 else [])]


def spread(tokens: Sequence[int]) -> float:
    """The longest over the shortest behind the file FROM."""
    rest = tokens[FROM:]
    return max(rest) / min(rest)


def tasks(files: int = 30, svg: Path | None = None, seeds: int = 8) -> list[Figure]:
    """The figures; `svg`: where the plot goes."""
    made = script(files)
    beside, whole = _measured(made)
    rows = {
        "pairwright": beside,
        "full history": full_history(made),
        "appended summaries": appended_summaries(made),
    }
    if svg:
        svg.write_text(plot(rows), encoding="utf-8")
    figures = []
    for name, tokens in rows.items():
        flat = spread(tokens)
        value = f"{flat:.2f} ({min(tokens[FROM:]):,} to {max(tokens[FROM:]):,} tokens)"
        is_ours = name == "pairwright"
        what = f"prompt beside the file, {files} files: {name}"
        goal = f"max/min below {GOAL} behind file {FROM}" if is_ours else "-"
        figures.append(Figure(what, goal, value, flat < GOAL if is_ours else None))
    for kind, all_new in (("every second one there before", False), ("all new", True)):
        figures.append(_over(files, seeds, kind, all_new=all_new))
    most = max(whole)
    figures.append(
        Figure("longest whole prompt", "within the window", f"{most:,} tokens", most < 24_000)
    )
    return figures


def _over(files: int, seeds: int, kind: str, *, all_new: bool) -> Figure:
    """How flat the prompts are for each of `seeds` scripts."""
    found = [
        spread(_measured(script(files, seed, all_new=all_new))[0]) for seed in range(1, seeds + 1)
    ]
    return Figure(
        f"the same over {seeds} seeds, {kind}",
        f"below {GOAL} for each",
        f"{min(found):.2f} to {max(found):.2f}",
        max(found) < GOAL,
    )


def _measured(made: Script) -> tuple[list[int], list[int]]:
    async def go(base: Path) -> tuple[list[int], list[int]]:
        async with place_of(base) as place:
            return await ours(made, place)

    with tempfile.TemporaryDirectory() as base:
        return asyncio.run(go(Path(base)))


def plot(rows: Mapping[str, Sequence[int]]) -> str:
    """Tokens by file, a curve each, as one SVG."""
    wide, high, left, top = 900, 420, 70, 40
    most = max(max(tokens) for tokens in rows.values())
    count = max(len(tokens) for tokens in rows.values())
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 120} {high + 90}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{wide + 120}" height="{high + 90}" fill="#ffffff"/>',
        f'<text x="{left}" y="22" font-size="16">Tokens of a prompt beside the file it is about, by file</text>',
    ]
    for part in range(5):
        y = top + high - high * part / 4
        out.append(f'<path d="M{left} {y:g}H{wide}" stroke="#d5d9e0"/>')
        out.append(
            f'<text x="{left - 8}" y="{y + 4:g}" text-anchor="end">{most * part // 4:,}</text>'
        )
    for place, (name, tokens) in enumerate(rows.items()):
        step = (wide - left) / max(1, count - 1)
        points = [(left + step * n, top + high - high * one / most) for n, one in enumerate(tokens)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        colour = _COLOURS[name]
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        out.append(
            f'<text x="{left + 190 * place}" y="{top + high + 34}" fill="{colour}">{escape(name)}</text>'
        )
    return "\n".join((*out, "</svg>")) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_task", description=__doc__)
    parser.add_argument("--files", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=8, help="how many scripts of each kind")
    parser.add_argument("--svg", type=Path, help="draw the curves there")
    args = parser.parse_args()
    print(as_table(tasks(args.files, args.svg, args.seeds)))


if __name__ == "__main__":
    main()
