"""No secret leaves by any part of a request, and none is carried to another place by a reply."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.endpoint import Endpoint
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Privacy
from pairwright.edits.diff import apply
from pairwright.edits.types import Block
from pairwright.engine.door import Door, Parcel, Ready
from pairwright.engine.events import Done, Reflected
from pairwright.engine.pasted import pasted
from pairwright.engine.redaction import (
    Revealing,
    carried_off,
    known_values,
    redacted,
    told,
    wanted,
)
from pairwright.engine.turn import Turn
from pairwright.llm.catalog import Known, embedded, remote
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Finish, Image, Message, ModelInfo, Reasoning, Request, Text
from pairwright.prompts.build import Chunks, FileText, build
from pairwright.secrets.hide import Hidden, reveal
from pairwright.text.document import Document

# In two pieces: a scanner that reads this file must find nothing.
GITHUB = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
FILES = {
    "app.py": f'import os\n\nTOKEN = "{GITHUB}"\n\n\ndef call():\n    return TOKEN\n',
    "other.py": "def show():\n    pass\n",
    ".env": "DB=correct-horse-battery\nDEBUG=1\n",
    ".gitignore": ".env\n",
}
TEXTS = {
    "request": f"why {GITHUB}",
    "map": f"app.py: {GITHUB}",
    "second_map": f"app.py: {GITHUB}",
    "focus": f"line 3: {GITHUB}",
    "pages": (FileText("https://example.org", f"the key is {GITHUB}", "md"),),
    "images": (Image(f"docs/{GITHUB}.png", "image/png", b""),),
    "diagnostics": (f"line 3: error: {GITHUB} is unused",),
    "open_files": (f"{GITHUB}.py",),
    "begun": f"x = {GITHUB}",
    "facts": (f"rejected: {GITHUB}",),
    "history": (Message("user", f"see {GITHUB}"), Message("assistant", f"saw {GITHUB}")),
    "feedback": (Message("assistant", f"put {GITHUB}"), Message("user", f"not {GITHUB}")),
    "files": (FileText("app.py", FILES["app.py"]),),
    "read_only": (FileText("app.py", FILES["app.py"]),),
    "references": (FileText("other/app.py", FILES["app.py"]),),
}
PLAIN = {"mode", "reminder", "brief", "format", "prefix", "look_ups", "manual"}


def check(chunks: Chunks, *values: str) -> tuple[Hidden, ...]:
    """`chunks` leaves without a secret, as whole messages, in both its forms; what was hidden."""
    out, shorter, hidden = redacted(chunks, chunks, values)
    for form in (out, shorter):
        sent = "".join(message.content for message in build(form))
        assert not any(value in sent for value in (GITHUB, *values))
        assert "REDACTED_SECRET_1" in sent
    return hidden


def test_every_field_of_a_request_is_known() -> None:
    assert {field.name for field in fields(Chunks)} == {*TEXTS, *PLAIN}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_secret_passes_by_no_part(name: str) -> None:
    chunks = replace(Chunks("ask", "x"), **{name: TEXTS[name]})
    (hidden,) = check(chunks)
    assert hidden.value == GITHUB and hidden.rule == "github-pat"
    assert GITHUB not in told((hidden,))


def test_values_of_the_environment_file_pass_by_no_part() -> None:
    check(Chunks("ask", "is correct-horse-battery right?"), "correct-horse-battery")


def test_what_holds_no_secret_is_not_touched() -> None:
    chunks = Chunks("ask", "x", files=(FileText("a.py", "x = 1\n"),))
    assert redacted(chunks, chunks, ()) == (chunks, chunks, ())


def test_only_this_machine_sees_secrets_unless_told_otherwise() -> None:
    settings = ModelSettings()
    near = [
        embedded(settings),
        remote("openai/x", Known("openai"), settings, api_base="http://127.0.0.1:8080/v1"),
        remote("ollama_chat/qwen", Known("ollama_chat"), settings, api_base=""),
    ]
    far = [
        remote("anthropic/claude", Known("anthropic"), settings, api_base=""),
        remote(
            "ollama_chat/qwen", Known("ollama_chat"), settings, api_base="http://box.example:11434"
        ),
    ]
    assert [wanted(Privacy(), info) for info in near] == [False] * 3
    assert [wanted(Privacy(), info) for info in far] == [True] * 2
    assert all(wanted(Privacy(redact="always"), info) for info in near)
    assert not any(wanted(Privacy(redact="never"), info) for info in far)


HIDDEN = tuple(Hidden(f"REDACTED_SECRET_{n}", f"value-{n}", "r", ("a.py",)) for n in range(1, 13))


@given(
    st.lists(
        st.sampled_from(
            [one.placeholder for one in HIDDEN] + ["REDACTED_", "SECRET_", "x", "1", "_"]
        ),
        max_size=8,
    ).map("".join),
    st.lists(st.integers(1, 9), max_size=30),
)
def test_values_come_back_however_the_answer_is_cut(answer: str, sizes: list[int]) -> None:
    revealing, out, at = Revealing(HIDDEN), [], 0
    for size in sizes:
        out.append(revealing.feed(answer[at : at + size]))
        at += size
    out.append(revealing.feed(answer[at:]))
    assert "".join([*out, revealing.end()]) == reveal(answer, HIDDEN)


def test_text_that_cannot_become_a_placeholder_is_not_held_back() -> None:
    revealing = Revealing(HIDDEN)
    assert revealing.feed("plain text RED") == "plain text "
    assert revealing.feed("ISH") == "REDISH"


def block(search: str, new: str, path: str = "app.py", **more: object) -> Block:
    return Block(path, tuple(search.splitlines()), tuple(new.splitlines()), 1, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edit", "refused"),
    [
        (block("t = value-1", "u = value-1"), False),
        (block("t = 1", "t = value-1"), True),
        (block("", "t = value-1", "new.py", operation="create"), True),
        (block("", "t = value-1\n", operation="whole"), False),
        (block("", "t = value-2\n", operation="whole"), True),
        (block("t = 1", "t = REDACTED_SECRET_77"), True),
        (block("t = 1", "t = 2"), False),
    ],
)
def test_a_secret_stays_where_it_stands(edit: Block, refused: bool) -> None:
    documents = {"app.py": Document.of("app.py", b"t = value-1\n")}
    problems = carried_off((edit,), HIDDEN, documents)
    assert bool(problems) == refused
    assert not any("value-" in problem.message for problem in problems)


class Far:
    """A model on another machine that repeats what it gets, placeholders and all."""

    info = ModelInfo("far", window=50_000)

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def stream(self, request: Request):  # type: ignore[no-untyped-def]
        self.requests.append(request)
        text = request.messages[-1].content
        yield Reasoning("about REDACTED_SECRET_")
        for at in range(0, len(text), 7):
            yield Text(text[at : at + 7])
        yield Finish("stop")

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


async def test_the_door_hides_on_the_way_out_and_puts_back_on_the_way_in(tmp_path: Path) -> None:
    async def ask(question: str, options: Sequence[str]) -> str | None:
        raise AssertionError("no price is known")

    room = Room.of(tmp_path, FILES, ConfiguredModels.__new__(ConfiguredModels))
    chunks = Chunks("ask", f"why {GITHUB} and correct-horse-battery?")
    parcel = Parcel(chunks, chunks, {}, {"map": (), "second map": (), "request": ()}, {})
    model, door = Far(), Door()
    ready = await door.prepare(model, parcel, room.host.snapshot(), ask=ask)
    assert isinstance(ready, Ready)
    deltas = [delta async for delta in door.send(ready)]
    sent = "".join(message.content for message in model.requests[0].messages)
    assert GITHUB not in sent and "correct-horse" not in sent
    heard = "".join(delta.text for delta in deltas if isinstance(delta, Text))
    assert f"why {GITHUB} and correct-horse-battery?" in heard
    thought = "".join(delta.text for delta in deltas if isinstance(delta, Reasoning))
    assert thought == "about REDACTED_SECRET_"
    assert [one.rule for one in door.manifests[0].hidden] == ["github-pat", "known value"]


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    room = Room.of(tmp_path / "work", FILES, models)
    room.door = Door(lambda: Privacy(redact="always"))
    return room


EDIT = """\
app.py
```python
<<<<<<< SEARCH
TOKEN = "REDACTED_SECRET_1"
=======
TOKEN = os.environ.get("TOKEN", "REDACTED_SECRET_1")
>>>>>>> REPLACE
```
"""
THEFT = """\
other.py
```python
<<<<<<< SEARCH
    pass
=======
    print("REDACTED_SECRET_1")
>>>>>>> REPLACE
```
"""


@pytest.mark.asyncio(loop_scope="session")
async def test_an_edit_of_a_line_with_a_secret_keeps_the_secret(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(EDIT, size=5)
    done = await room.run(Turn("edit", "take it from the environment", chat=("app.py",)))
    assert isinstance(done, Done)
    (change,) = room.proposals[done.proposal or ""]
    after = apply(change.before or b"", change.hunks).decode()
    assert f'TOKEN = os.environ.get("TOKEN", "{GITHUB}")' in after
    assert GITHUB not in endpoint.requests[0].text
    assert any("1 secret was hidden" in status for status in room.statuses)
    assert GITHUB in room.said and not any(GITHUB in status for status in room.statuses)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_reply_that_copies_a_secret_is_refused(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(THEFT)
    endpoint.say("Then I leave it.")
    done = await room.run(Turn("edit", "print the token", chat=("app.py", "other.py")))
    assert isinstance(done, Done) and not room.proposals
    (reflected,) = [event for event in room.events if isinstance(event, Reflected)]
    assert "write a secret (github-pat) where it does not stand" in reflected.detail
    assert not any(GITHUB in request.text for request in endpoint.requests)


def test_a_pasted_reply_never_writes_a_placeholder(tmp_path: Path) -> None:
    room = Room.of(tmp_path, FILES, ConfiguredModels.__new__(ConfiguredModels))
    found = pasted(THEFT, room.host.snapshot())
    assert found.changes == ()
    assert "other.py: REDACTED_SECRET_1 stands for a secret" in found.reasons[0]


def test_an_environment_file_is_read_again_when_it_was_touched(tmp_path: Path) -> None:
    """Also where its size and the time it says are the same."""
    path = tmp_path / ".env"
    path.write_text("KEY=first-known-value\n")
    first = path.stat()
    assert known_values(str(tmp_path), Privacy()) == ("first-known-value",)
    path.write_text("KEY=other-known-value\n")
    os.utime(path, ns=(first.st_atime_ns, first.st_mtime_ns))
    assert known_values(str(tmp_path), Privacy()) == ("other-known-value",)
    (tmp_path / ".env.local").symlink_to("nowhere")
    (tmp_path / ".env.test").write_text("TOKEN=third-known-value\n")
    assert known_values(str(tmp_path), Privacy()) == ("other-known-value", "third-known-value")
