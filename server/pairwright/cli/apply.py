"""`pairwright apply`: the edits of a reply from anywhere, done to files, with no model.

Exit code 0: applied (or there was nothing wrong in a dry run); 1: refused, every reason on stderr
and no file changed; 2: usage.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli import settings
from pairwright.edits.formats.registry import PARSERS, read
from pairwright.edits.paths import normal, unsafe
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, FileChange, Parsed, Plan, Target
from pairwright.edits.unified import unified
from pairwright.text.encoding import Decoded, decode, encode
from pairwright.workspace.apart import Apart
from pairwright.workspace.write import refusal

if TYPE_CHECKING:
    from pairwright.config.schema import Settings

# Lines above a block that may name its file, and the length up to which they are looked up.
_LOOK_BACK = 5
_LONGEST_NAME = 300
_STARTS_EDIT = re.compile(r"SEARCH|^[ \t]*(?:```|~~~|@@)")
_HELP = "apply the edit blocks of a reply to files"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = commands.add_parser("apply", help=_HELP, description=_HELP.capitalize() + ".")
    parser.add_argument("--root", type=Path, default=Path(), help="the workspace folder")
    parser.add_argument(
        "--format",
        choices=sorted(PARSERS),
        default="diff",
        help="the format asked for (diff); a reply in another one is read as what it is",
    )
    parser.add_argument(
        "--chat", action="append", default=[], metavar="FILE", help="a file that may be edited"
    )
    parser.add_argument(
        "--read", action="append", default=[], metavar="FILE", help="a file that must not be edited"
    )
    parser.add_argument("--dry-run", action="store_true", help="change nothing")
    parser.add_argument(
        "--unprotected", action="store_true", help="go on where no checkpoint can be made"
    )
    parser.add_argument("--json", action="store_true", help="print blocks, hunks and problems")
    parser.add_argument("reply", nargs="?", default="-", metavar="FILE", help="- is standard input")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Apply the reply that `args` names; the exit code."""
    root: Path = args.root
    if not root.is_dir():
        print(f"pairwright apply: {root}: no such folder", file=sys.stderr)
        return 2
    found = settings.of(args)
    try:
        reply = _reply(args.reply)
    except OSError as error:
        print(f"pairwright apply: {args.reply}: {error.strerror}", file=sys.stderr)
        return 2
    except UnicodeDecodeError as error:
        where = f"is not {error.encoding.upper()} at byte {error.start}"
        print(f"pairwright apply: the reply {where}", file=sys.stderr)
        return 2
    session = _Session(
        root, [_relative(root, p) for p in args.chat], [_relative(root, p) for p in args.read]
    )
    parsed = read(reply, args.format, session.known(reply))
    planned = session.plan(parsed.blocks)
    problems = [problem.message for problem in (*parsed.problems, *planned.problems)]
    if not parsed.blocks and not problems:
        problems.append(f"The reply holds no edit in the format {args.format}.")
    if not problems:
        from pairwright.engine.redaction import placeholders

        problems += (*session.check(planned.changes), *placeholders(planned.changes))
    if not problems and not args.dry_run and planned.changes:
        problems += _carry_out(root, found, planned.changes, args.unprotected)
    if args.json:
        _print(json.dumps(_as_json(parsed, planned, problems), ensure_ascii=False, indent=2))
    elif not problems:
        _show(planned.changes, parsed.shell, args.dry_run)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _reply(name: str) -> str:
    """The text of the reply. What Windows shells redirect is UTF-16 with a mark. Raises OSError and
    UnicodeDecodeError."""
    if name == "-":
        raw = b"" if sys.stdin is None else sys.stdin.buffer.read()
    else:
        raw = Path(name).read_bytes()
    is_utf16 = raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    return raw.decode("utf-16" if is_utf16 else "utf-8-sig")


class _Session:
    """The files one reply may mean, read once."""

    def __init__(self, root: Path, chat: Sequence[str], read: Sequence[str]) -> None:
        self._root = root
        self._chat, self._read = tuple(chat), frozenset(read)
        self._raw: dict[str, bytes] = {}
        self._targets: dict[str, Target] = {}
        for path in (*chat, *read):
            self._load(path)

    def known(self, reply: str) -> tuple[str, ...]:
        """The files given, and those that lines above a block of `reply` name in plain."""
        lines = reply.split("\n")
        for at, line in enumerate(lines):
            if _STARTS_EDIT.search(line):
                for above in lines[max(at - _LOOK_BACK, 0) : at]:
                    self._load(above.strip(" \t\r`*#:\"'")[:_LONGEST_NAME])
        return tuple(self._targets)

    def plan(self, blocks: Sequence[Block]) -> Plan:
        """The plan of `blocks`; a file they name is read if it is there."""
        for block in blocks:
            if block.path is not None:
                for path in (block.path, normal(block.path), normal(block.to or "")):
                    self._load(path)
        with Apart() as apart:
            return plan(
                blocks, self._targets, allowed=self._allowed, chat=self._chat, tags=apart.tags
            )

    def check(self, changes: Sequence[FileChange]) -> tuple[str, ...]:
        """Why `changes` cannot be written in the encodings of their files."""
        reasons: list[str] = []
        for change in changes:
            try:
                self._encoded(change)
            except UnicodeError as error:
                reasons.append(
                    f"{change.path}: a new line cannot be written in the file's encoding: {error}."
                )
        return tuple(reasons)

    def _load(self, path: str) -> None:
        if path in self._targets or unsafe(path):
            return
        try:
            if not (self._root / path).is_file():
                return
        except OSError:
            # A name too long for the file system; the writing door says so if it is meant.
            return
        editable = path not in self._read
        if reason := refusal(self._root, path):
            self._targets[path] = Target(path, None, editable, reason)
            return
        raw = self._raw[path] = (self._root / path).read_bytes()
        text = decode(raw)
        if isinstance(text, Decoded):
            self._targets[path] = Target(path, text.data, editable)
        else:
            self._targets[path] = Target(path, None, editable, text.reason)

    def _allowed(self, path: str) -> str | None:
        if path in self._targets and self._chat and path not in (*self._chat, *self._read):
            return "it is not in the chat; add it with --chat"
        if path in self._read and path not in self._targets:
            return "it is read-only here"
        real = (self._root / path).resolve()
        if any(real == (self._root / one).resolve() for one in self._read - {path}):
            return "it is a link to a file that is read-only here"
        return refusal(self._root, path)

    def _encoded(self, change: FileChange) -> bytes | None:
        if change.after is None:
            return None
        source = change.moved_from or change.path
        text = decode(self._raw[source]) if source in self._raw else None
        if isinstance(text, Decoded):
            return encode(change.after, text.codec, text.bom)
        return encode(change.after, "utf-8", b"")


def _carry_out(
    root: Path, found: Settings, changes: Sequence[FileChange], unprotected: bool
) -> tuple[str, ...]:
    """Do `changes` between two checkpoints; the reasons why nothing was done."""
    from pairwright.cli.desk import changed

    end = asyncio.run(changed(root, found, changes, "pasted reply", unprotected))
    if end.warning:
        print(end.warning, file=sys.stderr)
    if end.state == "cancelled":
        return (f"{end.message} --unprotected goes on without.",)
    return () if end.state == "done" else (end.message,)


def _relative(root: Path, path: str) -> str:
    """`path` as given, or relative to `root` if it is absolute and inside."""
    given = Path(path)
    if given.is_absolute() and given.is_relative_to(root.absolute()):
        return given.relative_to(root.absolute()).as_posix()
    return normal(path)


def _show(changes: Sequence[FileChange], shell: Sequence[str], is_dry: bool) -> None:
    for change in changes:
        if is_dry and change.moved_from is not None:
            _print(f"rename from {change.moved_from}\nrename to {change.path}")
        if not is_dry or change.hunks or change.moved_from is None:
            _print(unified(change).removesuffix("\n") if is_dry else _done(change))
    for command in shell:
        _print(f"suggested command (not run): {command}")


def _print(text: str) -> None:
    """A line of output, the same bytes whatever the terminal's encoding and line ends are."""
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def _done(change: FileChange) -> str:
    if change.moved_from is not None:
        return f"renamed {change.moved_from} to {change.path}"
    if change.after is None:
        return f"deleted {change.path}"
    return f"{'created' if change.before is None else 'edited'} {change.path}"


def _as_json(parsed: Parsed, planned: Plan, problems: Sequence[str]) -> dict[str, object]:
    return {
        "format": parsed.format,
        "blocks": [
            {
                "path": block.path,
                "line": block.line,
                "operation": block.operation,
                "search": list(block.search),
                "replace": list(block.replace),
                "passed": index in planned.passed,
            }
            for index, block in enumerate(parsed.blocks)
        ],
        "files": [
            {
                "path": change.path,
                "created": change.before is None,
                "deleted": change.after is None,
                "moved_from": change.moved_from,
                "hunks": [
                    {"start": h.start, "end": h.end, "new": h.new.decode("utf-8", "replace")}
                    for h in change.hunks
                ],
            }
            for change in planned.changes
        ],
        "problems": list(problems),
        "shell": list(parsed.shell),
    }
