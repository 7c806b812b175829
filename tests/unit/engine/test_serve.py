"""How much of a file is shown, what a name means, and that nothing stale is ever shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.shop import hosted, long_module, write
from tests.support.world import PLACES, STEPS, VARIANTS, World, carried_out

from pairwright.engine.records import Notebook
from pairwright.engine.serve import ANYTHING, SMALL, Need, Sought, form_of, serve, sought
from pairwright.text.estimate import estimate
from pairwright.workspace.host import Host

FILES = """\
-- small.py --
def f(): ...
-- data.txt --
nothing but words
-- broken.py --
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    root = tmp_path_factory.mktemp("served")
    write(root, FILES)
    (root / "long.py").write_text(long_module(200))
    (root / "rows.py").write_text("ROWS = [\n" + "    (1, 2, 3),\n" * 400 + "]\n")
    (root / "broken.py").write_text(long_module(200) + "def (((:\n  class\n")
    with hosted(root) as made:
        yield made


def check(host: Host, path: str, need: Need, form: str | None, room: int | None = None) -> None:
    served = serve(Notebook().at(host.snapshot()), path, need, room)
    assert (served.form if served else None) == form
    if served is not None:
        document = host.snapshot().document(path)
        assert document is not None
        assert served.digest == document.digest
        assert served.tokens == estimate(served.text)
        assert room is None or served.tokens <= room
        assert (served.text == document.text) is (form == "full")


def test_the_ladder(host: Host) -> None:
    check(host, "long.py", ANYTHING, "record")
    check(host, "long.py", Need(is_target=True), "full")
    check(host, "long.py", Need(is_named=True), "full")
    check(host, "long.py", Need(again=True), "full")
    check(host, "small.py", ANYTHING, "full")
    check(host, "data.txt", ANYTHING, "full")
    check(host, "broken.py", ANYTHING, "full")
    check(host, "nothing.py", ANYTHING, None)


def test_a_record_stands_for_a_text_only_where_it_is_clearly_shorter(host: Host) -> None:
    record = Notebook().at(host.snapshot()).of("long.py")
    assert form_of(ANYTHING, 100_000, record) == "record"
    assert form_of(ANYTHING, SMALL - 1, record) == "full"
    assert form_of(ANYTHING, SMALL, record) == "full"
    assert form_of(Need(is_part=True), 100_000, record) == "bodies"


def test_less_where_it_does_not_fit(host: Host) -> None:
    record = serve(Notebook().at(host.snapshot()), "long.py")
    assert record is not None
    check(host, "long.py", ANYTHING, "record", record.tokens)
    check(host, "long.py", ANYTHING, "signatures", record.tokens - 1)
    check(host, "long.py", ANYTHING, "line", 40)
    check(host, "long.py", ANYTHING, None, 3)
    check(host, "long.py", Need(is_named=True), "signatures", record.tokens - 1)
    # Who edits it needs all of it.
    check(host, "long.py", Need(is_target=True), None, record.tokens)


def test_what_is_shown_says_what_it_is(host: Host) -> None:
    for room, said in ((None, "a record of it, not its text"), (570, "signatures only")):
        served = serve(Notebook().at(host.snapshot()), "long.py", ANYTHING, room)
        assert served is not None and said in served.text.splitlines()[0]


PATHS = (
    "a/__init__.py",
    "a/utils.py",
    "b/__init__.py",
    "b/metadata.py",
    "b/utils.py",
    "lib/net.py",
    "submodel.py",
    "x y/é.py",
)


@pytest.mark.parametrize(
    ("name", "path", "candidates"),
    [
        ("a/utils.py", "a/utils.py", ()),
        ("./a//utils.py", "a/utils.py", ()),
        ("a\\utils.py", "a/utils.py", ()),
        ("/work/a/utils.py", "a/utils.py", ()),
        ("file:///work/x%20y/%C3%A9.py", "x y/é.py", ()),
        ("metadata.py", "b/metadata.py", ()),
        ("utils.py", None, ("a/utils.py", "b/utils.py")),
        ("__init__.py", None, ("a/__init__.py", "b/__init__.py")),
        ("c/utils.py", None, ("a/utils.py", "b/utils.py")),
        ("core/net.py", None, ("lib/net.py",)),
        ("A/Utils.py", None, ("a/utils.py", "b/utils.py")),
        ("data.py", None, ()),
        ("model.py", None, ()),
        ("../a/utils.py", None, ()),
        ("/etc/a/utils.py", None, ()),
        ("", None, ()),
    ],
)
def test_what_a_name_means(name: str, path: str | None, candidates: tuple[str, ...]) -> None:
    assert sought(name, PATHS, "/work") == Sought(path, candidates)


# --- never stale


_PATH = st.sampled_from(PLACES)
_STEP = st.tuples(st.sampled_from(STEPS), _PATH, st.integers(0, VARIANTS - 1))
_NEEDS = (ANYTHING, Need(is_target=True), Need(is_named=True))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    root = tmp_path_factory.mktemp("world").resolve()
    with hosted(root) as host:
        made = World(root, host)
        made.begin()
        yield made


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(_STEP, min_size=8, max_size=24))
def test_nothing_stale_is_ever_served(world: World, steps: list[tuple[str, str, int]]) -> None:
    for number, step in enumerate(steps):
        carried_out(world, step)
        world.ask(step[1], ANYTHING)
        world.ask(PLACES[number % len(PLACES)], _NEEDS[number % len(_NEEDS)])
    for path in PLACES:
        world.ask(path, ANYTHING)
        world.close(path)


def test_records_after_all_of_it_are_those_of_a_fresh_index(world: World) -> None:
    """Who uses what follows every change too, not only the text of the file itself."""
    world.write("a/utils.py", 2, told=True)
    world.write("b/utils.py", 3, told=True)
    (world.root / "main.py").write_text("from a.utils import f2_1\n\nf2_1(2)\n")
    world.host.disk({"main.py"})
    world.host.settle().result(60)
    world.host.scan()
    snapshot = world.host.snapshot()
    live = [Notebook().at(snapshot).of(path) for path in snapshot.paths()]
    with hosted(world.root) as fresh:
        records = Notebook().at(fresh.snapshot())
        assert [records.of(path) for path in fresh.snapshot().paths()] == live
    assert any(record is not None and record.used_by for record in live)
