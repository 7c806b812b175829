"""`pairwright model fetch | status | path`: the local model's file. `pairwright model key`: see model_key."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path

from pairwright.cli import model_key
from pairwright.config import paths
from pairwright.config.load import environment
from pairwright.llm.artifact import QWEN
from pairwright.llm.fetch import Fetch, FetchError, Progress, is_genuine


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its verbs."""
    model = commands.add_parser(
        "model", help="fetch and inspect the local model; store a provider's key"
    )
    verbs = model.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, do, text in (
        ("fetch", fetch, "download the local model (1.1 GB, once), verified by its SHA-256"),
        ("status", status, "say whether the local model can run"),
        ("path", path, "print where the local model's file is, or would be"),
    ):
        verb = verbs.add_parser(
            name, help=text, description=f"{text[0].upper()}{text[1:]}. {QWEN.notice}"
        )
        verb.add_argument(
            "--dir", type=Path, help="the folder of the file instead of the usual one"
        )
        verb.set_defaults(run=run, do=do)
    model_key.add(verbs)


def run(args: argparse.Namespace) -> int:
    """Do the verb that `args` names; the exit code."""
    return int(args.do(args.dir or paths.models_dir(environment())))


def fetch(folder: Path) -> int:
    """Fetch the model into `folder`, progress on stderr, the path on stdout."""
    print(QWEN.notice, file=sys.stderr)
    meter = Meter(sys.stderr.isatty())
    try:
        found = Fetch(QWEN, folder, meter.show).run()
    except FetchError as error:
        meter.end()
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        meter.end()
        print(
            "Stopped. What came so far is kept; the same command goes on from there.",
            file=sys.stderr,
        )
        return 130
    meter.end()
    print(found)
    return 0


def status(folder: Path) -> int:
    """Say what is there; status 0 when the local model can run."""
    file = folder / QWEN.name
    engine = importlib.util.find_spec("xllamacpp") is not None
    if not file.is_file():
        state = "not fetched (run `pairwright model fetch`)"
    elif is_genuine(file, QWEN):
        state = "verified"
    else:
        state = "damaged (run `pairwright model fetch`)"
    print(f"model:  {QWEN.name}: {state}")
    print(f"file:   {file}")
    needed = 'missing (run `pip install "pairwright[local]"`)'
    print(f"engine: xllamacpp: {'installed' if engine else needed}")
    return 0 if engine and state == "verified" else 1


def path(folder: Path) -> int:
    """Print the file's path; status 1 when nothing is there."""
    file = folder / QWEN.name
    print(file)
    return 0 if file.is_file() else 1


class Meter:
    """Progress on stderr: one line that is rewritten on a terminal, one line a step elsewhere."""

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._last = ("", -1)
        self._at = 0.0

    def show(self, progress: Progress) -> None:
        """Show `progress`, at most ten times a second and, off a terminal, every 5 percent."""
        percent = 100 * progress.done // progress.total
        now = time.monotonic()
        step = percent if self._terminal else percent // 5
        same = self._last[0] == progress.text
        if same and (self._last[1] == step or now - self._at < 0.1):
            return
        self._last, self._at = (progress.text, step), now
        line = f"{percent:3d}%  {progress.done / 1e6:7.0f} of {progress.total / 1e6:.0f} MB  {progress.text}"
        start, end = ("\r\x1b[K", "") if self._terminal else ("", "\n")
        print(f"{start}{line}", end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._terminal:
            print(file=sys.stderr)
