"""A company's proxy and its own certificates, with real TLS through a real proxy."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.certificates import certificates
from tests.support.endpoint import Endpoint
from tests.support.proxy import Proxy

from pairwright.config.schema import Model as Settings
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.network import Network, child_env
from pairwright.llm.types import Message, Model, ModelError, Request, Text

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "llm.company.invalid"
ASK = Request((Message("user", "Hello?"),), 8)


@pytest.fixture
def authority(tmp_path: Path) -> tuple[Path, Path]:
    return certificates(tmp_path / "tls", HOST)


@pytest.fixture
def endpoint(authority: tuple[Path, Path]) -> Iterator[Endpoint]:
    with Endpoint(tls=authority[1]) as endpoint:
        yield endpoint


@pytest.fixture
def proxy(endpoint: Endpoint) -> Iterator[Proxy]:
    with Proxy(endpoint.port) as proxy:
        yield proxy


async def text(model: Model) -> str:
    return "".join([d.text async for d in model.stream(ASK) if isinstance(d, Text)])


async def test_a_certificate_of_ones_own(
    models_everywhere: ConfiguredModels, endpoint: Endpoint
) -> None:
    """Without the authority it is one message that says what to set."""
    models_everywhere.configure(Settings(**endpoint.settings()))
    with pytest.raises(ModelError, match=r"pairwright\.model\.ca_file") as caught:
        await text(await models_everywhere.get())
    assert not caught.value.retryable
    assert endpoint.requests == []


async def test_by_settings_alone(
    authority: tuple[Path, Path], endpoint: Endpoint, proxy: Proxy
) -> None:
    """Both ways litellm has to the network, OpenAI's client and its own; the settings may change while it runs."""
    env = {**os.environ, "OPENAI_API_KEY": "scripted-key", "ANTHROPIC_API_KEY": "scripted-key"}
    here = Settings(
        name="openai/scripted", api_base=f"https://{HOST}/v1", ca_file=str(authority[0])
    )
    models = ConfiguredModels(here, env, servers=())
    first = models._child
    try:
        models.configure(replace(here, proxy=proxy.url))
        endpoint.say("through the proxy")
        assert await text(await models.get()) == "through the proxy"
        models.configure(
            replace(here, name="anthropic/claude-x", api_base=f"https://{HOST}", proxy=proxy.url)
        )
        endpoint.fail(400, "as scripted")
        with pytest.raises(ModelError, match="as scripted"):
            await text(await models.get())
        assert [request.headers["host"] for request in endpoint.requests] == [HOST, HOST]
        assert proxy.seen == [f"CONNECT {HOST}:443 HTTP/1.1"] * len(proxy.seen) and proxy.seen
        # A server on this machine is never asked through it.
        seen = len(proxy.seen)
        models.configure(replace(here, api_base=endpoint.url, proxy=proxy.url))
        endpoint.say("directly")
        assert await text(await models.get()) == "directly"
        assert len(proxy.seen) == seen
        assert first.pid is None, "the process with the old settings was not even started"
    finally:
        await models.close()


@pytest.mark.usefixtures("cold")
async def test_a_process_with_old_settings_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    models = ConfiguredModels(Settings(), os.environ, servers=())
    old = models._child
    assert await old.call("probe", bases=[], timeout=1) == []
    waiting = old.stream("probe", bases=["http://127.0.0.1:9/v1"], timeout=1)
    first = await anext(waiting)
    models.configure(Settings(proxy="http://127.0.0.1:9"))
    assert old.pid is not None, "somebody still waits"
    assert first["value"] == [[]]
    assert [frame async for frame in waiting] == []
    async with asyncio.timeout(30):
        while old.pid is not None:
            await asyncio.sleep(0.1)
    assert await old.call("probe", bases=[], timeout=1) == [], "whoever still holds it is served"
    await models.close()
    assert old.pid is None


async def test_what_settings_say_beats_the_environment() -> None:
    env = {"HTTPS_PROXY": "http://old", "https_proxy": "http://old", "SSL_CERT_FILE": "/old.pem"}
    same = child_env(env, Network.of(Settings()))
    assert {name: same[name] for name in env} == env
    changed = child_env(env, Network.of(Settings(proxy="http://new", ca_file="~/ca.pem")))
    assert changed["HTTPS_PROXY"] == changed["https_proxy"] == changed["HTTP_PROXY"] == "http://new"
    assert changed["SSL_CERT_FILE"] == str(Path("~/ca.pem").expanduser())
    assert "127.0.0.1" in changed["NO_PROXY"]
