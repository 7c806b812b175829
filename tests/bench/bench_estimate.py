"""The token estimate against real tokenizers over the text files of folders.

    PYTHONPATH=server python tests/bench/bench_estimate.py [--tokenizer FILE]… FOLDER…

Uses the cl100k and o200k data that litellm ships, no network; `--tokenizer` adds a `tokenizer.json`, such as
that of Qwen. For each file suffix, over files of 150 tokens and more: the mean ratio to each tokenizer's count,
and to the highest of them the mean, least and greatest. At the end how many files are under-counted, and the
speed.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from pairwright.text.estimate import estimate

MOST = 250_000
LEAST = 150

Count = Callable[[str], int]


def shipped() -> dict[str, Count]:
    """cl100k and o200k."""
    found = find_spec("litellm")
    assert found is not None and found.origin is not None
    place = Path(found.origin).parent / "litellm_core_utils" / "tokenizers"
    os.environ["TIKTOKEN_CACHE_DIR"] = str(place)
    import tiktoken

    made = {name: tiktoken.get_encoding(f"{name}_base") for name in ("cl100k", "o200k")}
    return {
        name: lambda text, each=each: len(each.encode_ordinary(text)) for name, each in made.items()
    }


def from_file(path: Path) -> Count:
    """The tokenizer of a `tokenizer.json`."""
    import tokenizers

    made = tokenizers.Tokenizer.from_file(str(path))
    return lambda text: len(made.encode(text, add_special_tokens=False).ids)


def texts(folders: list[Path]) -> Iterator[tuple[str, str]]:
    """(suffix, text) of every file that is not too large and is UTF-8."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.stat().st_size <= MOST:
                try:
                    yield path.suffix, path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--tokenizer", action="append", type=Path, default=[], metavar="FILE")
    args = parser.parse_args()
    counts = shipped() | {path.parent.name: from_file(path) for path in args.tokenizer}
    ratios: dict[str, list[list[float]]] = defaultdict(list)
    size, spent = 0, 0.0
    for suffix, text in texts(args.folders):
        start = perf_counter()
        guess = estimate(text)
        spent += perf_counter() - start
        size += len(text)
        exact = [count(text) for count in counts.values()]
        if min(exact) >= LEAST:
            ratios[suffix].append([*(guess / each for each in exact), guess / max(exact)])
    print(f"{'suffix':>10} {'files':>6}", *(f"{name:>8}" for name in counts), "to the highest")
    for suffix, rows in sorted(ratios.items(), key=lambda item: -len(item[1])):
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        least, most = min(row[-1] for row in rows), max(row[-1] for row in rows)
        print(f"{suffix:>10} {len(rows):6}", *(f"{mean:8.3f}" for mean in means), end="")
        print(f" {least:.3f}-{most:.3f}")
    every = [row[-1] for rows in ratios.values() for row in rows]
    under = sum(ratio < 1 for ratio in every)
    print(f"{len(every)} files, mean {sum(every) / max(len(every), 1):.3f}, {under} under-counted")
    print(f"{size / 1e6:.1f} MB at {size / 1e6 / max(spent, 1e-9):.1f} MB/s")


if __name__ == "__main__":
    main()
