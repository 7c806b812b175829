"""Snippets of references for a step: chosen, capped, described where a licence forbids, judged by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.fixture import files
from tests.support.turns import Room
from tests.unit.reference.test_relations import REPOSITORY

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Reference as Settings
from pairwright.engine.references import Examples, Shelved, target_of
from pairwright.engine.rerank import Reranker
from pairwright.llm.models import ConfiguredModels
from pairwright.reference.build import build
from pairwright.reference.library import Root
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache

pytestmark = pytest.mark.asyncio(loop_scope="session")
CONTRACT = ("class PolygonReader", "def parse_points(line)", "def write_polygon(polygon)")
PURPOSE = "Reads polygons: their points, unpacked by struct, and writes them."


@dataclass
class Board:
    """A shelf with what a test puts there. `asked`: how often it was asked."""

    built: list[tuple[Root, object]] = field(default_factory=list)
    asked: int = 0

    async def ready(self) -> Shelved:
        self.asked += 1
        return self.built  # type: ignore[return-value]


@pytest.fixture
def examples(tmp_path: Path) -> Examples:
    folder = (tmp_path / "shapes").resolve()
    for name, text in files(REPOSITORY).items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    cache = Cache(tmp_path / "store")
    root = Root("shapes", "folder", str(folder), str(folder), (), "working tree", "MIT")
    return Examples(Board([(root, build(str(folder), cache))]), Settings(), cache)


def licensed(examples: Examples, licence: str, setting: str = "permissive") -> Examples:
    assert isinstance(examples.shelf, Board)
    ((root, built),) = examples.shelf.built
    settings = replace(examples.settings, licences=setting)  # type: ignore[arg-type]
    return replace(
        examples, shelf=Board([(replace(root, licence=licence), built)]), settings=settings
    )


async def names(examples: Examples, budget: int = 1000) -> Sequence[str]:
    found = await examples.for_target("app/polygon.py", CONTRACT, PURPOSE, budget)
    assert sum(estimate(one.text) for one in found) <= budget
    return [one.path for one in found]


async def test_a_step_sees_code_with_its_place_revision_and_licence(examples: Examples) -> None:
    found = await examples.for_target("app/polygon.py", CONTRACT, PURPOSE, 1000)
    first = found[0]
    assert first.path.startswith("shapes/lib/polygon.py:") and first.language == "py"
    assert first.note.startswith("direct match; revision working tree; licence MIT; ")
    assert first.text in REPOSITORY


async def test_the_budget_holds_and_none_means_none(examples: Examples) -> None:
    many, few = await names(examples, 1000), await names(examples, 100)
    assert len(few) < len(many)
    asked = examples.shelf.asked  # type: ignore[attr-defined]
    assert await names(examples, 0) == []
    assert examples.shelf.asked == asked  # type: ignore[attr-defined]
    assert await examples.for_target("a.py", (), "zebra migration patterns", 1000) == ()
    assert await replace(examples, shelf=Board()).for_target("a.py", CONTRACT, PURPOSE, 1000) == ()


@pytest.mark.parametrize("licence", ["GPL", "unknown", "MIT AND GPL"])
async def test_text_that_may_not_be_reused_is_described(examples: Examples, licence: str) -> None:
    found = await licensed(examples, licence).for_target("app/polygon.py", CONTRACT, PURPOSE, 1000)
    assert found and all("described only" in one.note for one in found)
    assert not any("struct.unpack" in one.text or "(" in one.text for one in found)
    allowed = licensed(examples, licence, "all")
    shown = await allowed.for_target("app/polygon.py", CONTRACT, PURPOSE, 1000)
    assert any("def parse_points" in one.text for one in shown)


async def test_what_a_contract_promises() -> None:
    target = target_of("a.go", ("type Reader struct", "func (r *Reader) Read(p []byte)"), "x")
    assert target.symbols == (("Reader", True), ("Read", False))


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path / "work", {"a.py": "x = 1\n"}, models)


async def test_a_model_orders_anew_and_is_asked_once(
    room: Room, endpoint: Endpoint, examples: Examples
) -> None:
    judge = Reranker(room.models, room.door, room.host.snapshot, examples.cache)
    asking = replace(examples, judge=judge)
    target = target_of("app/polygon.py", CONTRACT, PURPOSE)
    built = await examples.shelf.ready()
    static = await examples.related(target, built)
    assert len(static) > 1
    endpoint.say("2 | utility | 0.8 | reading | Take how it reads.\n9 | reference | 1 | x | y")
    judged = await asking.related(target, built)
    assert [one.path for one in judged] == [
        static[1].path,
        static[0].path,
        *(o.path for o in static[2:]),
    ]
    assert (judged[0].kind, judged[0].confidence) == ("utility", 0.8)
    assert judged[0].source != "static" and judged[1].source == "static"
    assert await asking.related(target, built) == judged
    assert len(endpoint.requests) == 1


async def test_a_judgement_that_says_nothing_changes_nothing_and_is_not_kept(
    room: Room, endpoint: Endpoint, examples: Examples
) -> None:
    judge = Reranker(room.models, room.door, room.host.snapshot, examples.cache)
    target = target_of("app/polygon.py", CONTRACT, PURPOSE)
    built = await examples.shelf.ready()
    static = await examples.related(target, built)
    endpoint.say("All of them look fine.")
    assert await replace(examples, judge=judge).related(target, built) == static
    endpoint.fail(400, "no")
    assert await replace(examples, judge=judge).related(target, built) == static
    assert len(endpoint.requests) == 2
