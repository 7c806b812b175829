"""A shell command that an answer suggests, at a terminal: shown whole, run on a yes to it alone, never by `--yes`."""

from __future__ import annotations

import sys
from pathlib import Path

from pairwright.cli.main import asked

_TIMEOUT = 600.0


async def suggested(root: Path, command: str) -> None:
    """Offer to run `command` in the folder `root`; where nobody can say yes it is only named."""
    from pairwright.cli.printed import harmless
    from pairwright.config.load import environment
    from pairwright.lsp.suggested import hidden_parts, outcome, shell_of
    from pairwright.workspace.run import Commands

    if not sys.stdin.isatty() or hidden_parts(command):
        print(f"suggested command (not run): {harmless(command)}", file=sys.stderr)
        return
    name, words = shell_of(command)
    if await asked(f"Run this by {name} in {root}?\n\n{command}\n\n", ("yes", "no")) != "yes":
        return
    ran = await Commands(environment()).run(words, str(root), _TIMEOUT)
    print(harmless(ran.output), end="", file=sys.stderr)
    print(f"The command {outcome(ran.code, ran.timed_out)}.", file=sys.stderr)
