"""What goes with a request beside the workspace: the web pages that the user named, if the user wants them fetched.

Pages are cut to a share of the model's window; nothing is fetched without a yes.
"""

from __future__ import annotations

import asyncio

from pairwright.engine.context import Given, Turn
from pairwright.engine.events import Status
from pairwright.engine.ports import Page
from pairwright.engine.tools import Tools
from pairwright.engine.web import listed, urls_in
from pairwright.llm.types import ModelInfo
from pairwright.prompts.build import FileText
from pairwright.text.estimate import estimates

_MOST_PAGES = 5
_SMALL = 500


def cap(info: ModelInfo) -> int:
    """Tokens of all web pages of one request together: a sixth of the window, 8,000 at most, and what a small
    model reads in ten seconds."""
    return _SMALL if info.small else min(8_000, info.window // 6)


async def given(turn: Turn, words: str, tools: Tools, info: ModelInfo) -> Given:
    """The conventions to look for, and the pages of `turn`: those of `urls` are fetched, those in `words`, the
    user's own, after a question. Raises only CancelledError."""
    settings = tools.settings.context
    urls, refused = await _agreed(turn, words, tools)
    pages: list[FileText] = []
    left = cap(info)
    if urls:
        tools.emit(Status(f"fetching {listed(urls)}"))
    for found in await asyncio.gather(*map(tools.fetcher.fetch, urls)):
        if isinstance(found, Page):
            page, used = await asyncio.to_thread(_cut, found, left)
            left -= used
            pages.append(page)
        else:
            refused.append(found.reason)
    return Given(settings.conventions, tuple(pages), tuple(refused))


async def _agreed(turn: Turn, words: str, tools: Tools) -> tuple[list[str], list[str]]:
    """The addresses that may be fetched, and why others are not."""
    mentioned = [url for url in urls_in(words) if url not in turn.urls]
    wanted = list(dict.fromkeys(turn.urls))
    if tools.settings.context.web == "never":
        return [], [f"{url} is not fetched: pairwright.context.web is `never`" for url in wanted]
    if mentioned:
        question = f"Fetch {listed(mentioned)} and send the text to the model?"
        if await tools.ask(question, ("Fetch", "Leave out")) == "Fetch":
            wanted += mentioned
    over = wanted[_MOST_PAGES:]
    refused = [f"{url} is not fetched: {_MOST_PAGES} pages go with one request" for url in over]
    return wanted[:_MOST_PAGES], refused


def _cut(page: Page, room: int) -> tuple[FileText, int]:
    """A page as the prompt has it, cut at a line where `room` is used up, and the tokens it takes."""
    rows = [f"{row}\n" for row in page.text.removesuffix("\n").split("\n")]
    costs = estimates(rows)
    used = taken = 0
    while taken < len(rows) and used + costs[taken] <= room:
        used += costs[taken]
        taken += 1
    if taken == len(rows):
        return FileText(page.url, page.text, "md"), used
    note = f"the first {taken:,} of {len(rows):,} lines"
    return FileText(page.url, "".join(rows[:taken]), "md", True, (), note), used
