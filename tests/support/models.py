"""One model process for the whole run: its imports take seconds, and only the settings differ between tests.

A test that asks for it runs on the loop of the session: `pytestmark = pytest.mark.asyncio(loop_scope="session")`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from tests.support.endpoint import Endpoint

from pairwright.config.schema import Model as Settings
from pairwright.llm.models import ConfiguredModels

SECRET = "sk-proj-0123456789abcdef"


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def models_everywhere(warm: None) -> AsyncIterator[ConfiguredModels]:
    """Models with a key of OpenAI's and none of Anthropic's; each test configures them first."""
    env = {**os.environ, "OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": ""}
    made = ConfiguredModels(Settings(), env, servers=())
    yield made
    await made.close()


@pytest.fixture
def models(models_everywhere: ConfiguredModels) -> ConfiguredModels:
    return models_everywhere


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A scripted server for one test."""
    with Endpoint() as made:
        yield made
