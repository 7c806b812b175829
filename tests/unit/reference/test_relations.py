"""How files of a reference relate to a target: kind, stated parts, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.reference import relations as module
from pairwright.reference.build import Built, build
from pairwright.reference.library import Root
from pairwright.reference.relations import (
    IMPORTS,
    NAMES,
    PLACE,
    USES,
    WORDS,
    Relation,
    Target,
    relations,
)
from pairwright.workspace.cache import Cache

REPOSITORY = """\
-- lib/polygon.py --
import struct


class PolygonReader:
    def parse_points(self, line):
        return struct.unpack("d", line)

    def close(self):
        pass


def write_polygon(polygon, path):
    pass
-- lib/misc_helpers.py --
def read_points(path):
    return open(path).read()
-- lib/draw.py --
def fill_outline(canvas, points):
    for row in canvas.rows():
        row.paint(points)
"""
SHAPES = Target(
    "app/polygon.py",
    "Reads polygons: their points, unpacked by struct, and writes them.",
    ("class PolygonReader", "def parse_points(line)", "def write_polygon(polygon)"),
    (("PolygonReader", True), ("parse_points", False), ("write_polygon", False)),
)


@pytest.fixture
def shelf(tmp_path: Path) -> tuple[Cache, Sequence[tuple[Root, Built]]]:
    folder = (tmp_path / "shapes").resolve()
    for name, text in files(REPOSITORY).items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    cache = Cache(tmp_path / "store")
    root = Root("shapes", "folder", str(folder), str(folder), (), "working tree", "MIT")
    return cache, [(root, build(str(folder), cache))]


Shelved = tuple[Cache, Sequence[tuple[Root, Built]]]


def check(shelf: Shelved, target: Target, kinds: dict[str, str]) -> dict[str, Relation]:
    found = relations(target, shelf[1], shelf[0])
    assert {one.path: one.kind for one in found}.items() >= kinds.items()
    assert [one.confidence for one in found] == sorted((o.confidence for o in found), reverse=True)
    for one in found:
        assert one.confidence == pytest.approx(sum(value for _, value in one.parts), abs=1e-3)
        assert one.confidence <= WORDS + NAMES + PLACE + USES + IMPORTS
    return {one.path: one for one in found}


def test_what_defines_what_was_promised_comes_first(shelf: Shelved) -> None:
    found = check(shelf, SHAPES, {"lib/polygon.py": "direct_match"})
    assert next(iter(found)) == "lib/polygon.py"
    best = found["lib/polygon.py"]
    assert best.aspects[:3] == ("PolygonReader", "parse_points", "write_polygon")
    assert "uses struct" in best.aspects
    assert best.suggestion == "Take PolygonReader as an example for PolygonReader of polygon.py."
    assert dict(best.parts)["names"] == NAMES


def test_a_part_of_the_promise_and_a_helper(shelf: Shelved) -> None:
    wider = (*SHAPES.symbols, ("render_frame", False), ("Camera", True), ("load_scene", False))
    target = replace(SHAPES, path="app/scene.py", symbols=wider, contract=(*SHAPES.contract, "x"))
    check(shelf, target, {"lib/polygon.py": "partial_match", "lib/misc_helpers.py": "utility"})
    bare = Target("app/paint.py", "Fill the outline of a canvas, row by row.")
    check(shelf, bare, {"lib/draw.py": "reference"})


def test_nothing_like_it_is_an_answer(shelf: Shelved) -> None:
    assert relations(Target("a.py", "zebra migration patterns"), shelf[1], shelf[0]) == ()


def test_what_a_text_has_of_a_target_is_worked_out_once(
    shelf: Shelved, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = relations(SHAPES, shelf[1], shelf[0])
    worked: list[str] = []
    real = module.matched_in

    def counted(*given: object) -> object:
        worked.append("again")
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "matched_in", counted)
    assert relations(SHAPES, shelf[1], shelf[0]) == first and worked == []
    other = replace(SHAPES, purpose=f"{SHAPES.purpose} Quickly.")
    relations(other, shelf[1], shelf[0])
    assert worked, "another entry is judged anew"
    worked.clear()
    monkeypatch.setattr(module, "SCORER", "another")
    relations(SHAPES, shelf[1], shelf[0])
    assert worked, "so is everything by another scorer"


def test_a_changed_file_is_judged_anew(shelf: Shelved) -> None:
    cache, ((root, built),) = shelf
    check(shelf, SHAPES, {"lib/polygon.py": "direct_match"})
    Path(root.path, "lib/polygon.py").write_text("def write_polygon(polygon):\n    pass\n")
    again = [(root, build(root.path, cache))]
    assert again[0][1].key != built.key
    check((cache, again), SHAPES, {"lib/polygon.py": "partial_match"})
