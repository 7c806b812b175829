"""What would be sent is what is sent, with its price, and looking changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.turns import Room

from pairwright.engine.context import TurnMode as Mode
from pairwright.engine.door import Door
from pairwright.engine.events import Done, Stop
from pairwright.engine.outlook import Outlook, document, outlook
from pairwright.engine.tools import Tools
from pairwright.engine.turn import Turn
from pairwright.llm.types import Delta, Finish, ModelInfo, Request, Text, Usage

# In two pieces: a scanner that reads this file must find nothing.
GITHUB = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
FILES = {
    "a.py": "def add(a, b):\n    return a + b\n",
    "b.py": f"KEY = '{GITHUB}'\n",
    "c.py": "import a\n\n\ndef use():\n    return a.add(1, 2)\n",
}
TURN = Turn("ask", "What does add do?", "a.py", chat=("a.py",), read_only=("b.py",))


class Speaker:
    """A model with a price that answers in one word."""

    def __init__(self, info: ModelInfo) -> None:
        self.info = info

    async def stream(self, request: Request) -> AsyncIterator[Delta]:
        for delta in (Text("Adds."), Usage(100, 2), Finish("stop")):
            yield delta

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 1 for text in texts]


class One:
    """The same model in every role."""

    def __init__(self, info: ModelInfo) -> None:
        self.model = Speaker(info)

    async def get(self, role: str = "main") -> Speaker:
        return self.model


PRICED = ModelInfo("m", window=20_000, max_output=1_000, price_in=1e-5, price_out=1e-4)


def room(tmp_path: Path, info: ModelInfo = PRICED) -> Room:
    return Room.of(tmp_path, FILES, One(info))


async def seen(at: Room, turn: Turn = TURN) -> Outlook:
    tools = Tools(
        at.settings, at.models, at.door, at.sessions, at.events.append, at._ask, at._propose
    )
    found = await outlook(turn, at.host.snapshot, tools)
    assert isinstance(found, Outlook), found
    return found


async def test_what_would_be_sent_is_what_is_sent(tmp_path: Path) -> None:
    at = room(tmp_path)
    before = await seen(at)
    assert at.door.departed == () and at.events == []
    assert at.sessions.frozen(TURN.session) is None, "looking freezes no map"
    assert isinstance(await at.run(TURN), Done)
    (manifest,) = at.door.manifests
    assert [(row.name, row.tokens) for row in before.parts] == list(manifest.tokens)
    assert (before.total, before.costs) == (manifest.total, manifest.costs)
    after = await seen(at, replace(TURN, instruction="And use?"))
    assert "history" in [row.name for row in after.parts]
    assert after.spent.session.dollars == 100 * 1e-5 + 2 * 1e-4 == after.spent.day.dollars


@pytest.mark.parametrize(
    ("mode", "more"),
    [("edit", ""), ("architect", "The plan goes to m"), ("context", "Up to 2 more"), ("help", "")],
)
async def test_the_first_request_of_every_mode(tmp_path: Path, mode: Mode, more: str) -> None:
    at = room(tmp_path)
    # A map that the conversation holds already is another than the large one of mode context.
    await at.run(TURN)
    turn = replace(TURN, mode=mode, instruction="How is add undone by undo?")
    before = await seen(at, turn)
    assert before.more.startswith(more) and bool(before.more) == bool(more)
    await at.run(turn)
    sent = at.door.manifests[1]
    assert [(row.name, row.tokens) for row in before.parts] == list(sent.tokens)
    assert (before.total, before.costs) == (sent.total, sent.costs)
    assert not more or before.more in document(before)


async def test_figures_of_files_and_of_the_window(tmp_path: Path) -> None:
    found = await seen(room(tmp_path))
    first, second = found.files
    assert (first.name, first.editable, first.tokens) == ("a.py", True, len(FILES["a.py"]) // 4 + 1)
    assert (second.name, second.editable) == ("b.py", False)
    assert first.cost == first.tokens * 1e-5
    assert found.left == 19_000 - found.total and found.hidden == 1
    assert found.costs == (found.total * 1e-5 + 0.1, found.total * 1e-5 + 0.1)


async def test_the_document_says_all_of_it(tmp_path: Path) -> None:
    text = document(await seen(room(tmp_path)))
    for said in (
        "| a.py |",
        "editing",
        "reading",
        "$5.00",
        "$20.00",
        "Secrets that would not leave: 1",
    ):
        assert said in text, text
    assert "ghp_" not in text
    unknown = document(await seen(room(tmp_path / "other", ModelInfo("u", window=20_000))))
    assert "| unknown |" in unknown and "at most" not in unknown


async def test_what_could_not_be_sent_is_said(tmp_path: Path) -> None:
    at = room(tmp_path, replace(PRICED, window=300, max_output=100))
    tools = Tools(
        at.settings, at.models, Door(), at.sessions, at.events.append, at._ask, at._propose
    )
    found = await outlook(TURN, at.host.snapshot, tools)
    assert isinstance(found, Stop) and "there is room for 200" in found.message
