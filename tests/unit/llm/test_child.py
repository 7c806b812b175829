"""The model process by itself: frames, its end, its environment."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.endpoint import Endpoint

from pairwright.config.schema import Model as Settings
from pairwright.llm import wire
from pairwright.llm.models import ConfiguredModels, choose
from pairwright.llm.network import child_env
from pairwright.llm.process import Child
from pairwright.llm.types import ModelError

pytestmark = pytest.mark.usefixtures("cold")

SERVER = Path(__file__).parents[3] / "server"
MODULES = ("pairwright.llm.child", "pairwright.llm.engine_child")


def spawn(module: str) -> subprocess.Popen[bytes]:
    boot = f"import sys; sys.path.append({str(SERVER)!r}); from {module} import main; main()"
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-P", "-c", boot], stdin=pipe, stdout=pipe, stderr=pipe
    )


def check(frames: list[wire.Frame], raw: bytes) -> None:
    """`raw` holds exactly `frames`, with nothing before, between or after them."""
    assert raw == b"".join(map(wire.pack, frames))


@pytest.mark.parametrize("module", MODULES)
def test_it_ends_when_its_stdin_closes(module: str) -> None:
    process = spawn(module)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_it_ends_while_litellm_is_imported() -> None:
    process = spawn(MODULES[0])
    assert process.stdin
    process.stdin.write(wire.pack({"id": 1, "op": "warm"}))
    process.stdin.flush()
    time.sleep(0.6)
    before = time.monotonic()
    out, _ = process.communicate(timeout=20)
    assert time.monotonic() - before < 2
    assert process.returncode == 0
    check([], out)


def test_prints_go_to_stderr() -> None:
    code = (
        f"import os, sys; sys.path.append({str(SERVER)!r}); from pairwright.llm import wire\n"
        "source, sink = wire.take_stdio()\n"
        "print('from python', flush=True); os.write(1, b'from C'); os.system('echo from a shell')\n"
        "wire.write_blocking(sink, {'stdin': sys.stdin.read(), **wire.read_blocking(source)})"
    )
    raw = wire.pack({"a": 1})
    done = subprocess.run([sys.executable, "-c", code], input=raw, capture_output=True, check=True)
    check([{"stdin": "", "a": 1}], done.stdout)
    for words in (b"from python", b"from C", b"from a shell"):
        assert words in done.stderr


async def test_it_does_not_outlive_a_killed_server() -> None:
    code = (
        f"import asyncio, os, sys; sys.path.append({str(SERVER)!r})\n"
        "from pairwright.llm.process import Child\n"
        "async def main():\n"
        "    child = Child('pairwright.llm.child', os.environ)\n"
        "    await child.call('probe', bases=[], timeout=1)\n"
        "    print(child.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout
    pid = int(await asyncio.to_thread(parent.stdout.readline))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists():
            return
        await asyncio.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("the model process is still there")


async def test_a_process_that_cannot_start_is_reported_and_not_tried_for_ever() -> None:
    child = Child("pairwright.llm.no_such_module", {**os.environ})
    seen = []
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await child.call("warm")
        seen.append((caught.value.kind, caught.value.retryable))
    assert seen == [("transport", True), ("transport", False)]
    await child.close()


async def test_the_working_directory_is_not_on_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository may hold a `json.py`; opening it must not run it."""
    for name in ("json.py", "msgpack.py", "pairwright.py"):
        (tmp_path / name).write_text("raise SystemExit('the repository ran')")
    monkeypatch.chdir(tmp_path)
    child = Child("pairwright.llm.child", child_env(os.environ))
    assert await child.call("probe", bases=[], timeout=1) == []
    await child.close()


def test_its_environment() -> None:
    env = child_env(
        {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "corp", "OPENAI_API_KEY": "", "X": ""}
    )
    assert env["HTTPS_PROXY"] == "http://p:1" and env["X"] == ""
    assert env["NO_PROXY"] == "corp,127.0.0.1,localhost,::1" == "corp," + env["no_proxy"]
    assert "OPENAI_API_KEY" not in env
    assert env["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


async def test_probing_several_servers() -> None:
    with Endpoint(models=["b", "a"]) as endpoint:
        child = Child("pairwright.llm.child", child_env(os.environ))
        bases = ["http://127.0.0.1:9/v1", endpoint.url, f"{endpoint.url}/nothing/here"]
        assert (await child.call("probe", bases=bases, timeout=2))[:2] == [[], ["a", "b"]]
        await child.close()


@pytest.mark.parametrize(
    ("ids", "chosen"),
    [
        ([], None),
        (["nomic-embed-text"], None),
        (["llama3:8b", "qwen2.5-coder:7b", "codellama"], "codellama"),
        (["b", "a"], "a"),
    ],
)
def test_choosing_among_listed_models(ids: list[str], chosen: str | None) -> None:
    assert choose(ids) == chosen == choose(ids[::-1])


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False)
    | st.text()
)


@given(st.lists(st.dictionaries(st.text(), VALUES | st.lists(VALUES), max_size=4), max_size=4))
async def test_frames_come_out_as_they_went_in(frames: list[wire.Frame]) -> None:
    raw = b"".join(map(wire.pack, frames))
    reader = asyncio.StreamReader()
    reader.feed_data(raw)
    reader.feed_eof()
    back = []
    while (frame := await wire.read(reader)) is not None:
        back.append(frame)
    assert back == frames


async def test_a_frame_without_end_is_refused() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(b"\xff\xff\xff\xff")
    with pytest.raises(wire.Broken):
        await wire.read(reader)


async def test_closing_without_having_started() -> None:
    await ConfiguredModels(Settings(), {}).close()


async def test_a_request_that_meets_a_dying_process_is_answered() -> None:
    """One request in every turn of the loop from the kill until the end is known."""
    child = Child("pairwright.llm.child", child_env(os.environ))
    await child.call("probe", bases=[], timeout=1)
    dying = child.pid
    assert dying is not None
    os.kill(dying, signal.SIGKILL)
    asked = []
    while child.pid == dying:
        time.sleep(0.0002)
        asked.append(asyncio.ensure_future(child.call("probe", bases=[], timeout=1)))
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(answer == [] or isinstance(answer, ModelError) for answer in answers)
    await child.close()
