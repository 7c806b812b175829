"""Where an answer goes: rendered Markdown at a terminal, the bare text anywhere else.

At a terminal a block is printed for good once it is complete, and the end of what still grows is drawn below it, so
that a long answer costs no more than a short one. Characters that would steer the terminal are left out there, since
a model wrote them.
"""

from __future__ import annotations

import re
import sys
import time
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PAUSE = 0.1
"""Seconds between two drawings of what grows."""


class Printed(Protocol):
    """An answer on its way."""

    def add(self, text: str) -> None:
        """The next piece."""
        ...

    def end(self) -> None:
        """Something else is printed now, or nothing more comes."""
        ...

    def diff(self, text: str) -> None:
        """A unified diff, whole."""
        ...


def printed(out: IO[str], is_shown: bool = True) -> Printed:
    """Rendered if `out` is a terminal that can, else as it comes. `is_shown`: False swallows the answer."""
    if not is_shown:
        return Plain(sys.stderr, is_silent=True)
    if not out.isatty():
        return Plain(out)
    from rich.console import Console

    console = Console(file=out, highlight=False)
    return Plain(out) if console.is_dumb_terminal else Rendered(console)


def harmless(text: str) -> str:
    """`text` without what a terminal takes for an order; line feeds and tabs stay."""
    return _STEERING.sub("", text.replace("\r\n", "\n"))


class Plain:
    """The text as it comes. `is_silent`: only diffs."""

    def __init__(self, out: IO[str], is_silent: bool = False) -> None:
        self._out = out
        self._is_silent = is_silent
        self._is_open = False

    def add(self, text: str) -> None:
        if not self._is_silent:
            self._out.write(harmless(text) if self._out.isatty() else text)
            self._out.flush()
            self._is_open = not text.endswith("\n")

    def end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._out.write("\n")
            self._out.flush()

    def diff(self, text: str) -> None:
        self._out.write(harmless(text) if self._out.isatty() else text)
        self._out.flush()


class Rendered:
    """Markdown on a terminal. `console`: rich's."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._text = ""
        self._live: Live | None = None
        self._drawn = 0.0

    def add(self, text: str) -> None:
        self._text += harmless(text)
        done = complete(self._text) if "\n" in text else 0
        if done:
            self._erase()
            self._print(self._text[:done])
            self._text = self._text[done:]
        now = time.monotonic()
        if self._text.strip() and now - self._drawn >= _PAUSE:
            self._drawn = now
            self._draw()

    def end(self) -> None:
        self._erase()
        rest, self._text = self._text, ""
        self._print(rest)

    def diff(self, text: str) -> None:
        from rich.syntax import Syntax

        self.end()
        shown = Syntax(harmless(text), "diff", theme="ansi_dark", background_color="default")
        self._console.print(shown)

    def _print(self, text: str) -> None:
        from rich.markdown import Markdown

        if text.strip():
            self._console.print(Markdown(text, code_theme="ansi_dark"))

    def _draw(self) -> None:
        from rich.live import Live
        from rich.markdown import Markdown

        if self._live is None:
            self._live = Live(
                console=self._console,
                auto_refresh=False,
                transient=True,
                vertical_overflow="ellipsis",
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        shown = tail(self._text, self._console.height)
        self._live.update(Markdown(shown, code_theme="ansi_dark"), refresh=True)

    def _erase(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def complete(text: str) -> int:
    """How much of the Markdown `text`, from its beginning, is whole blocks that nothing that follows can change: up
    to the last blank line or closing fence outside a fence."""
    at, found, fence = 0, 0, ""
    for line in text.splitlines(keepends=True):
        if not line.endswith("\n"):
            break
        at += len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence, found = "", at
        elif mark:
            fence = mark[1]
        elif not line.strip():
            found = at
    return found


def tail(text: str, height: int) -> str:
    """The last `height` lines of an unfinished block, under its opening fence if it has one."""
    lines = text.splitlines(keepends=True)
    if len(lines) <= height:
        return text
    opening = next((line for line in lines if line.strip()), "")
    return "".join(([opening] if _FENCE.match(opening) else []) + lines[-height:])
