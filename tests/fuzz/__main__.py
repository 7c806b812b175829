"""Coverage-guided fuzzing of the edit parsers and the planner behind them (atheris, libFuzzer).

    python -m tests.fuzz FORMAT [--seconds N] [--corpus DIR]

Starts from the seeds in tests/fuzz/seeds and the cases of tests/cases/edits.json. Ends with 0, or with the
input that broke a law (printed by libFuzzer, kept as crash-…). The laws: nothing raises; a reply in pieces is
read like the whole; a plan is all or nothing; hunks make the text they say; no marker line is written.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pairwright.edits", "pairwright.text.document"]):
    from pairwright.edits.diff import apply
    from pairwright.edits.feedback import feedback
    from pairwright.edits.formats import patch, search_replace, symbol, unified, whole
    from pairwright.edits.formats.markers import NEVER_WRITTEN
    from pairwright.edits.formats.registry import read
    from pairwright.edits.lines import split
    from pairwright.edits.plan import plan
    from pairwright.edits.types import Target

FORMATS = {
    "diff": search_replace,
    "patch": patch,
    "symbol": symbol,
    "udiff": unified,
    "whole": whole,
}
TEXTS = {
    "app.py": b"import os\n\n\nclass A:\n    def f(self):\n        x = 1\n        return\n\n\ndef g():\n    y = 1\n",
    "crlf.txt": b"one\r\ntwo\r\nthree",
    "README.md": "# Title\n=======\n\n```\ncode\n```\n“quoted” – text\n".encode(),
    "empty.py": b"",
}
SEEDS = Path(__file__).with_name("seeds")
CASES = Path(__file__).parents[1] / "cases" / "edits.json"


def law(format: str, data: bytes) -> None:
    """Everything that must hold for one reply."""
    try:
        reply = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        reply = data.decode("latin-1")
    known = tuple(TEXTS)
    module = FORMATS[format]
    stream = module.Stream(known)
    cut = len(reply) // 3
    for piece in (reply[:cut], reply[cut : 2 * cut], reply[2 * cut :]):
        stream.feed(piece)
    assert stream.close() == module.parse(reply, known), "a reply in pieces is read differently"
    parsed = read(reply, format, known)
    targets = {path: Target(path, text) for path, text in TEXTS.items()}
    made = plan(parsed.blocks, targets, chat=("app.py",))
    assert not (made.changes and made.problems), "neither all nor nothing"
    feedback(parsed, made)
    for change in made.changes:
        if change.before is None or change.after is None:
            continue
        assert apply(change.before, change.hunks) == change.after, "hunks do not make the text"
        old = set(split(change.before))
        written = [line for line in split(change.after) if line not in old]
        assert not any(map(NEVER_WRITTEN.match, written)), "a marker line is written"


def seeds(format: str, folder: Path) -> None:
    """The first inputs: the seeds of the format and every case, whatever its format."""
    for seed in sorted((SEEDS / format).glob("*")):
        (folder / seed.name).write_bytes(seed.read_bytes())
    for case in json.loads(CASES.read_text(encoding="utf-8")):
        if isinstance(case.get("reply"), str):
            (folder / case["id"]).write_bytes(case["reply"].encode())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("format", choices=sorted(FORMATS))
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what was found")
    args = parser.parse_args()
    folder = args.corpus or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    seeds(args.format, folder)
    options = [f"-max_total_time={args.seconds}", "-max_len=2000", "-timeout=10"]
    options += ["-print_final_stats=1", f"-artifact_prefix={folder}/crash-"]
    atheris.Setup([sys.argv[0], *options, str(folder)], lambda data: law(args.format, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
