"""A model that writes what a script makes of each prompt: the product's own models with a scripted server behind."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint, Received, Reply

from pairwright.config.schema import Model as ModelSettings
from pairwright.llm.models import ConfiguredModels
from pairwright.text.estimate import estimate

Answer = Callable[[str], str]
DOWN = "(down)"
CUT = "(cut)"
FILTERED = "(filtered)"
NAME = "openai/scripted"
_PIECE = 400
"""Characters that come at once."""


class Author(Endpoint):
    """`answer`: the reply to a prompt, all its messages as one text. DOWN: the server refuses; a reply that ends in
    CUT is cut off there by the token limit, FILTERED stands for one that the provider stopped. Counts tokens as we
    estimate them."""

    def __init__(self, answer: Answer = lambda prompt: "", port: int = 0) -> None:
        super().__init__(port)
        self.answer = answer

    @property
    def prompts(self) -> list[str]:
        """What came, in order, as one text each."""
        return [request.text for request in self.requests]

    def next_reply(self, request: Received) -> Reply:
        if self._server.stopping.is_set():
            # A connection that was kept open outlives the door.
            return lambda handler, _: handler.reset()
        if request.body.get("messages"):
            said = self.answer(request.text)
            if said == DOWN:
                self.fail(403, "The model's server is down.")
            else:
                self._write(request.text, said)
        return super().next_reply(request)

    def _write(self, prompt: str, said: str) -> None:
        text = said.removesuffix(CUT)
        read, written = estimate(prompt), estimate(text)
        usage = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        }
        finish = "content_filter" if said == FILTERED else "stop" if text == said else "length"
        self.say(text, size=_PIECE, finish=finish, usage=usage)

    def model(self, **limits: Any) -> ModelSettings:
        """Settings by which the product asks here. `limits`: fields of the settings, and `small`."""
        small = limits.pop("small", False)
        wanted = {"window": 32_000, "max_output": 8_000, **limits}
        family = {NAME: {"small": small, "format": "diff"}}
        return ModelSettings(name=NAME, api_base=self.url, overrides=family, **wanted)


@dataclass(frozen=True)
class Place:
    """An empty folder, and who writes for what is made in it."""

    base: Path
    models: ConfiguredModels
    author: Author

    def __truediv__(self, name: str) -> Place:
        return replace(self, base=self.base / name)

    def ask(self, **limits: Any) -> ModelSettings:
        """From now on the author is asked, within `limits`."""
        settings = self.author.model(**limits)
        self.models.configure(settings)
        return settings


@pytest.fixture
def place(tmp_path: Path, models: ConfiguredModels) -> Iterator[Place]:
    """For a test on the loop of the session, as for `models`."""
    with Author() as author:
        yield Place(tmp_path, models, author)


@asynccontextmanager
async def place_of(base: Path) -> AsyncIterator[Place]:
    """The same outside of tests, with a model process of its own."""
    models = ConfiguredModels(ModelSettings(), {**os.environ, "OPENAI_API_KEY": "scripted"})
    try:
        with Author() as author:
            yield Place(base, models, author)
    finally:
        await models.close()
