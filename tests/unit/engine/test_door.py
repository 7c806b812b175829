"""Nothing leaves but through the door, and nothing passes it unseen."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.turns import Room

import pairwright
from pairwright.engine.door import KEEP, ROUTES, Door, Parcel, Ready
from pairwright.engine.events import Stop
from pairwright.graph.types import Focus
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Delta, Image, Message, ModelInfo, Request, Text
from pairwright.prompts.build import PARTS, Chunks, FileText, parts
from pairwright.text.document import Document
from pairwright.workspace.manifest import MapManifest

PACKAGE = Path(pairwright.__file__).parent


class Echo:
    """A model that takes what it gets."""

    info = ModelInfo("echo", window=50_000)

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.is_closed = False

    async def stream(self, request: Request):  # type: ignore[no-untyped-def]
        self.requests.append(request)
        try:
            delta: Delta = Text("a")
            yield delta
            yield delta
        finally:
            self.is_closed = True

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


FILES = {"a.py": "x = 1\n", "key.env": "KEY=marked-secret\n", ".gitignore": "*.env\n"}


def parcel(chunks: Chunks, **sources: tuple[str, ...]) -> Parcel:
    documents = {p: Document.of(p, t.encode(), 3) for p, t in FILES.items()}
    named = {"map": (), "second map": (), "request": (), **sources}
    return Parcel(chunks, chunks, documents, named, {"a.py": "in the chat"})


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room.of(tmp_path, FILES, ConfiguredModels.__new__(ConfiguredModels))


async def passed(room: Room, what: Parcel, door: Door | None = None) -> Ready | Stop:
    async def ask(question: str, options: Sequence[str]) -> str | None:
        raise AssertionError("no price is known")

    snapshot = room.host.snapshot()
    return await (door or Door()).prepare(Echo(), what, snapshot, ask=ask)


def test_only_the_door_asks_a_model() -> None:
    callers = set()
    for layer in (
        "engine",
        "memory",
        "reference",
        "prompts",
        "checkpoints",
        "workspace",
        "lsp",
        "cli",
    ):
        for path in sorted((PACKAGE / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr == "stream":
                    callers.add(path.relative_to(PACKAGE).as_posix())
    assert callers == {"engine/door.py"}


def test_every_part_has_a_route() -> None:
    assert set(ROUTES) == set(PARTS)


SECRET = FileText("key.env", "KEY=marked-secret\n", spans=((0, 18),))
LEAKS = {
    "files": (Chunks("ask", "x", files=(SECRET,)), {}),
    "read-only files": (Chunks("ask", "x", read_only=(SECRET,)), {}),
    "requested files": (Chunks("ask", "x", read_only=(replace(SECRET, is_late=True),)), {}),
    "map": (Chunks("ask", "x", map="key.env: marked-secret"), {"map": ("a.py", "key.env")}),
    "second map": (Chunks("ask", "x", second_map="marked-secret"), {"second map": ("key.env",)}),
    "reflection": (
        Chunks("ask", "x", feedback=(Message("user", "key.env:1: marked-secret"),)),
        {"reflection": ("key.env",)},
    ),
    "images": (
        Chunks("ask", "x", images=(Image("marked-secret.png", "image/png", b""),)),
        {"images": ("key.env",)},
    ),
    "request": (Chunks("ask", "x", focus="marked-secret"), {"request": ("key.env",)}),
}


@pytest.mark.parametrize(
    "route", sorted(name for name, kind in ROUTES.items() if kind != "nothing")
)
async def test_an_ignored_file_passes_by_no_route(room: Room, route: str) -> None:
    chunks, sources = LEAKS[route]
    assert "marked-secret" in parts(chunks)[route]
    refused = await passed(room, parcel(chunks, **sources))
    assert isinstance(refused, Stop) and refused.reason == "refused"
    assert "key.env" in refused.message and "marked-secret" not in refused.message
    shorter = replace(parcel(Chunks("ask", "x"), **sources), shorter=chunks)
    assert isinstance(await passed(room, shorter), Stop), "nor when files are cut down"


async def test_a_request_leaves_with_its_manifest(room: Room) -> None:
    door = Door()
    file = FileText("a.py", "x = 1\n", spans=((0, 6),))
    chunks = Chunks("edit", "Set x.", files=(file,), map="b.py:\ndef f():")
    ready = await passed(room, parcel(chunks, map=("b.py",)), door)
    assert isinstance(ready, Ready) and door.manifests == ()
    deltas = [delta async for delta in door.send(ready)]
    assert deltas == [Text("a"), Text("a")]
    (manifest,) = door.manifests
    assert list(dict(manifest.tokens)) == list(parts(chunks))
    assert manifest.total == sum(len(text) + 8 for text in parts(chunks).values())
    (sent,) = manifest.files
    assert (sent.path, sent.version, sent.editable, sent.spans) == ("a.py", 3, True, ((0, 6),))
    assert sent.digest == Document.of("a.py", b"x = 1\n").digest and sent.why == "in the chat"
    assert manifest.map_files == ("b.py",)
    assert manifest.sent("b.py") is None


@pytest.mark.parametrize("second", ["", "c.py:\ndef g():"])
async def test_the_manifest_keeps_what_the_sent_maps_were_made_from(
    room: Room, second: str
) -> None:
    maps = {
        name: MapManifest(Focus(names=(name,)), 100, "estimate", {}, {}, "")
        for name in ("map", "second map")
    }
    chunks = Chunks("ask", "x", map="b.py:\ndef f():", second_map=second)
    sent = parcel(chunks, **{"map": ("b.py",), "second map": ("c.py",)})
    ready = await passed(room, replace(sent, maps=maps))
    assert isinstance(ready, Ready)
    named = ["map", "second map"] if second else ["map"]
    assert ready.manifest.maps == tuple((name, maps[name]) for name in named)
    assert ready.manifest.map_files == (("b.py", "c.py") if second else ("b.py",))


async def test_closing_the_answer_closes_the_model_s_stream(room: Room) -> None:
    door = Door()
    ready = await passed(room, parcel(Chunks("ask", "x")), door)
    assert isinstance(ready, Ready)
    answer = door.send(ready)
    assert await anext(answer) == Text("a")
    await answer.aclose()  # type: ignore[attr-defined]
    assert ready.model.is_closed  # type: ignore[attr-defined]


async def test_the_newest_manifests_are_kept(room: Room) -> None:
    door = Door()
    for number in range(KEEP + 2):
        ready = await passed(room, replace(parcel(Chunks("ask", "x")), session=str(number)), door)
        assert isinstance(ready, Ready)
        async for _ in door.send(ready):
            pass
    assert [m.session for m in door.manifests] == [str(n) for n in range(2, KEEP + 2)]
