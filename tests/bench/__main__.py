"""Every figure of docs/benchmarks.md against its goal, in one Markdown table.

    python -m tests.bench [--runs N] [--corpora django,home-assistant,linux]
                          [--only map,typing,index,disk,start,turn,history,apply]

Corpora are fetched at first use. The machine should do nothing else meanwhile: its load is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.bench_apply import applying
from tests.bench.bench_checkpoint import checkpoints
from tests.bench.bench_disk import large_file, switches
from tests.bench.bench_history import history
from tests.bench.bench_index import index
from tests.bench.bench_map import maps
from tests.bench.bench_start import starts
from tests.bench.bench_turn import turns
from tests.bench.bench_typing import typing
from tests.bench.corpora import ALL, Corpus
from tests.bench.table import Figure, as_table

PARTS = ("map", "typing", "index", "disk", "start", "turn", "history", "apply", "checkpoint")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--corpora", type=_words(tuple(ALL)), default="django,home-assistant,linux")
    parser.add_argument("--only", type=_words(PARTS), default=",".join(PARTS))
    parser.add_argument("--out", type=Path, help="write the table there too")
    args = parser.parse_args(argv)
    figures = []
    for figure in measured([ALL[name]() for name in args.corpora], args.only, args.runs):
        print(f"{figure.name}: {figure.value}", file=sys.stderr, flush=True)
        figures.append(figure)
    table = as_table(figures)
    print(table)
    if args.out:
        args.out.write_text(table + "\n", encoding="utf-8")
    return 0


def measured(corpora: list[Corpus], parts: tuple[str, ...], runs: int) -> Iterator[Figure]:
    for corpus in corpora:
        # A first map of Linux takes minutes.
        if "map" in parts:
            yield from maps(corpus, 1 if corpus.name == "Linux" else runs)
        if "typing" in parts:
            yield from typing(corpus)
        if "index" in parts:
            yield from index(corpus)
        if "disk" in parts and corpus.language == "python":
            yield from switches(corpus)
        if "checkpoint" in parts:
            yield from checkpoints(corpus)
    if "disk" in parts:
        yield from large_file()
    if "start" in parts:
        yield from starts(runs)
    if "turn" in parts:
        yield from turns(corpora[0])
    if "history" in parts:
        yield from history(corpora[0])
    if "apply" in parts:
        yield from applying(runs)


def _words(known: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def parse(text: str) -> tuple[str, ...]:
        words = tuple(text.split(","))
        unknown = [word for word in words if word not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}")
        return words

    return parse


if __name__ == "__main__":
    sys.exit(main())
