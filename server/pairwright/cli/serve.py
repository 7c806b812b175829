"""`pairwright serve`: the language server on stdin and stdout, or on a socket for debugging."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys

from pairwright.cli.main import add_parser

# Seconds a thread may keep the interpreter from others. Each file a hover reads hands it over; at the
# usual 5 ms a ranking beside it would make the hover wait that long every time.
_SWITCH = 0.0005


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `serve`."""
    parser = add_parser(commands, "serve")
    parser.add_argument("--stdio", action="store_true", help="use stdin and stdout (the default)")
    parser.add_argument(
        "--tcp", metavar="[HOST:]PORT", help="wait for one client on a socket instead; 0: any port"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting that wins over the client's, such as map.tokens=2048",
    )
    parser.add_argument("--log-file", metavar="FILE", help="where the log goes")
    # Some clients add this one to every server they start.
    parser.add_argument("--clientProcessId", type=int, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve one client."""
    # Importing the message types makes a hundred thousand objects that all stay: collecting garbage
    # meanwhile costs a fifth of the time to the first answer. The server turns it on again.
    gc.disable()
    from pairwright.config.load import assignments
    from pairwright.lsp.server import Options, Server
    from pairwright.lsp.transport import claim_stdio

    sys.setswitchinterval(_SWITCH)
    values, problems = assignments(args.set)
    _log(args.log_file)
    options = Options(values, problems)
    if args.tcp is None:
        reader, writer = claim_stdio()
        serving = Server(options).run_stdio(reader, writer)
    else:
        host, _, port = args.tcp.rpartition(":")
        if not port.isdigit():
            print(f"--tcp {args.tcp}: expected a port such as 8123", file=sys.stderr)
            return 2
        serving = Server(options).run_tcp(host or "127.0.0.1", int(port), _say)
    # `asyncio.run` would wait at the end for threads that still compute, whose answers are of no
    # use.
    code = asyncio.new_event_loop().run_until_complete(serving)
    sys.stderr.flush()
    os._exit(code)


def _say(port: int) -> None:
    print(f"pairwright listens on port {port}", file=sys.stderr, flush=True)


def _log(path: str | None) -> None:
    from pathlib import Path

    from pairwright.config.load import environment
    from pairwright.config.paths import data_dir
    from pairwright.lsp import notify

    notify.to_stderr()
    notify.set_level("info")
    folder = data_dir(environment())
    notify.to_file(Path(path) if path is not None else folder / "logs" / "server.log")
