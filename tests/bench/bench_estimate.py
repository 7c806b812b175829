"""The token estimate against real tokenizers over the text files of folders.

    PYTHONPATH=server python tests/bench/bench_estimate.py FOLDER…

Uses the cl100k and o200k data that litellm ships, no network. Prints for each file suffix the mean and the
least ratio of estimate to exact count, files of 150 tokens and more, and the speed.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from pairwright.text.estimate import estimate

MOST = 250_000
LEAST = 150


def encodings() -> list[object]:
    """cl100k and o200k."""
    found = find_spec("litellm")
    assert found is not None and found.origin is not None
    place = Path(found.origin).parent / "litellm_core_utils" / "tokenizers"
    os.environ["TIKTOKEN_CACHE_DIR"] = str(place)
    import tiktoken

    return [tiktoken.get_encoding(name) for name in ("cl100k_base", "o200k_base")]


def main(folders: list[str]) -> None:
    """Print the table."""
    tokenizers = encodings()
    ratios: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    size, spent = 0, 0.0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if not path.is_file() or path.stat().st_size > MOST:
                continue
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            start = perf_counter()
            guess = estimate(text)
            spent += perf_counter() - start
            size += len(text)
            exact = [len(each.encode(text, disallowed_special=())) for each in tokenizers]  # type: ignore[attr-defined]
            if min(exact) >= LEAST:
                ratios[path.suffix].append(tuple(guess / each for each in exact))
    print(f"{'suffix':>10} {'files':>6} {'cl100k mean, least':>20} {'o200k mean, least':>20}")
    for suffix, found in sorted(ratios.items(), key=lambda item: -len(item[1])):
        means = [
            f"{sum(column) / len(found):.3f} {min(column):.3f}"
            for column in zip(*found, strict=True)
        ]
        print(f"{suffix:>10} {len(found):6} {means[0]:>20} {means[1]:>20}")
    print(f"{size / 1e6:.1f} MB at {size / 1e6 / max(spent, 1e-9):.1f} MB/s")


if __name__ == "__main__":
    main(sys.argv[1:])
