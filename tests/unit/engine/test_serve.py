"""How much of a file is shown, what a name means, and that nothing stale is ever shown."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.shop import hosted, long_module, write

from pairwright.engine.exports import exports_of
from pairwright.engine.records import Notebook
from pairwright.engine.serve import ANYTHING, SMALL, Need, Sought, form_of, serve, sought
from pairwright.tags.files import tags_of
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.text.hashing import digest
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


@dataclass
class World:
    """A user, their editor and git; a model that says what files are for; and the truth about all of it."""

    root: Path
    host: Host
    notebook: Notebook = field(default_factory=Notebook)
    buffers: dict[str, Document] = field(default_factory=dict)
    said: dict[tuple[str, str], str] = field(default_factory=dict)
    count: int = 0

    def git(self, *words: str) -> None:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(self.root), *words]
        subprocess.run(command, check=True, capture_output=True)

    def truth(self, path: str) -> bytes | None:
        """The text that counts."""
        if path in self.buffers:
            return self.buffers[path].data
        place = self.root / path
        return place.read_bytes() if place.is_file() else None

    def write(self, path: str, variant: int, *, told: bool) -> None:
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text_of(variant))
        if told:
            self.host.disk({path})

    def remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self.host.disk({path})

    def type(self, path: str, variant: int) -> None:
        text = text_of(variant).encode()
        held = self.buffers.get(path)
        version = self.count = self.count + 1
        if held is None:
            self.buffers[path] = self.host.open(path, f"file://{path}", version, "python", text)
            return
        document, edit = held.splice(0, len(held.data), text, version)
        self.buffers[path] = document
        self.host.change(path, document, [edit])

    def close(self, path: str) -> None:
        if self.buffers.pop(path, None) is not None:
            self.host.close(path)

    def switch(self, branch: str) -> None:
        """What is on the disk is committed where it is, then another branch is checked out."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")
        before = set(PLACES)
        self.git("switch", "-q", branch)
        self.host.disk(before)

    def say(self, path: str) -> None:
        data = self.truth(path)
        if data is None:
            return
        self.count += 1
        purpose = f"Purpose {self.count}."
        self.notebook.learn(Document.of(path, data), purpose, ())
        self.said[path, digest(data)] = purpose

    def ask(self, path: str, need: Need) -> None:
        """What is served is of the text that counts, to the last name."""
        served = serve(self.notebook.at(self.host.snapshot()), path, need)
        data = self.truth(path)
        if data is None:
            assert served is None
            return
        assert served is not None
        assert served.digest == digest(data)
        if served.form == "full":
            assert served.text.encode() == data
            return
        record = self.notebook.at(self.host.snapshot()).of(path)
        assert record is not None and record.digest == digest(data)
        assert record.facts.exports == exports_of(Document.of(path, data), tags_of(path, data))
        held = self.said.get((path, digest(data)), "")
        # The words of a file that is gone go with its text to where it was moved.
        moved = [
            said
            for (old, key), said in self.said.items()
            if key == digest(data) and self.truth(old) is None
        ]
        assert record.purpose == held if held else record.purpose in ("", *moved)


PLACES = ("a/utils.py", "b/utils.py", "a/__init__.py", "b/__init__.py", "main.py", "Main.py")


def text_of(variant: int) -> str:
    """Texts of several lengths and meanings; 0 is empty, 1 is short, 5 has an error."""
    if variant < 2:
        return "x = 1\n" * variant
    broken = "def (((\n" if variant == 5 else ""
    return (
        long_module(70, f"f{variant}", f"from a.utils import f{variant}_1\nN = {variant}\n")
        + broken
    )


_PATH = st.sampled_from(PLACES)
_VARIANT = st.integers(0, 6)
_STEP = st.one_of(
    st.tuples(st.just("write"), _PATH, _VARIANT),
    st.tuples(st.just("write untold"), _PATH, _VARIANT),
    st.tuples(st.just("type"), _PATH, _VARIANT),
    st.tuples(st.just("say"), _PATH, _VARIANT),
    st.tuples(st.just("close"), _PATH, _VARIANT),
    st.tuples(st.just("remove"), _PATH, _VARIANT),
    st.tuples(st.just("switch"), _PATH, _VARIANT),
)
_NEEDS = (ANYTHING, Need(is_target=True), Need(is_named=True))


def carried_out(world: World, step: tuple[str, str, int]) -> None:
    what, path, variant = step
    match what:
        case "write" | "write untold":
            world.write(path, variant, told=what == "write")
        case "type":
            world.type(path, variant)
        case "say":
            world.say(path)
        case "close":
            world.close(path)
        case "remove":
            world.close(path)
            world.remove(path)
        case _:
            world.switch(("main", "topic")[variant % 2])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    root = tmp_path_factory.mktemp("world").resolve()
    (root / ".gitignore").write_text("")
    with hosted(root) as host:
        made = World(root, host)
        made.git("init", "-q", "-b", "main")
        made.git("add", "-A")
        made.git("commit", "-q", "-m", "begun")
        made.git("branch", "topic")
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
