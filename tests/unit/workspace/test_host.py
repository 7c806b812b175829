"""The host: buffers over disk, revisions, what is indexed when, and a storm of edits against a plain client."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.config.schema import Index
from pairwright.graph.engine import Graph
from pairwright.graph.types import Focus
from pairwright.tags import queries
from pairwright.tags.files import tags_of
from pairwright.text.document import Document
from pairwright.workspace import disk
from pairwright.workspace.cache import Cache
from pairwright.workspace.derive import words_of
from pairwright.workspace.disk import row_of
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

MAKE_INPUTS = Path(__file__).parents[2] / "cases" / "make_inputs.py"
REPO = """\
-- lib/core.py --
def core_fn():
    return helper()

def helper():
    return 1
-- app.py --
from lib.core import core_fn
core_fn()
core_fn()
-- notes.txt --
words
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    for name, text in files(REPO).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


@pytest.fixture
def host(root: Path, tmp_path: Path) -> Iterator[Host]:
    cache = Cache(tmp_path / "cache")
    made = Host(str(root), Index(), cache)
    yield made
    made.stop()
    cache.close()


def check(host: Host, path: str, expected: list[str]) -> None:
    """The definitions of `path`, its text as a whole, and its row in the graph agree."""
    snapshot = host.snapshot()
    tags = snapshot.tags(path)
    assert [item.name for item in tags.defs] == expected
    document = snapshot.document(path)
    assert document is not None
    assert tags == tags_of(path, document.data, tags.language)
    if path in snapshot.paths():
        words = words_of(document.data, tags.language)
        assert snapshot.graph().row(path) == row_of(path, tags, words)


def type_(host: Host, path: str, start: int, end: int, new: bytes) -> Document:
    held = host.snapshot().buffers[path].document
    document, edit = held.splice(start, end, new, (held.version or 0) + 1)
    host.change(path, document, [edit])
    return document


def test_a_scan_indexes_the_folder(host: Host) -> None:
    assert not host.snapshot().ready()
    snapshot = host.scan()
    assert snapshot.ready() and host.snapshot() is snapshot
    assert snapshot.paths() == ("app.py", "lib/core.py", "notes.txt")
    assert snapshot.referrers("core_fn") == (("app.py", 3),)
    assert snapshot.definers("core_fn") == ("lib/core.py",)
    assert {item.name for item in snapshot.rank(Focus()).definitions} == {"core_fn", "helper"}
    check(host, "lib/core.py", ["core_fn", "helper"])


def test_a_change_is_seen_at_once_and_leaves_older_snapshots_alone(host: Host) -> None:
    host.scan()
    text = host.snapshot().document("app.py")
    assert text is not None
    host.open("app.py", "file:///app.py", 1, "python", text.data)
    before = host.snapshot()
    type_(host, "app.py", 0, 0, b"def added(): pass\n")
    assert host.snapshot().revision == before.revision + 1
    check(host, "app.py", ["added"])
    assert before.tags("app.py").defs == ()
    assert before.document("app.py") == text or before.buffers["app.py"].document.data == text.data
    assert host.snapshot().definers("added") == ("app.py",)
    assert before.definers("added") == ()
    assert host.snapshot().definers("added") == ("app.py",)


def test_closing_brings_back_the_disk(host: Host, root: Path) -> None:
    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", b"def unsaved(): pass\n")
    check(host, "app.py", ["unsaved"])
    host.close("app.py")
    check(host, "app.py", [])
    assert host.snapshot().definers("unsaved") == ()
    assert host.snapshot().referrers("core_fn") == (("app.py", 3),)


def test_a_second_opening_replaces_and_a_stray_change_is_ignored(host: Host) -> None:
    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", b"def one(): pass\n")
    host.open("app.py", "file:///app.py", 1, "python", b"def two(): pass\n")
    check(host, "app.py", ["two"])
    before = host.snapshot()
    assert host.change("lib/core.py", Document.of("lib/core.py", b"x", 2), []) is before
    assert host.close("lib/core.py") is before


def test_files_that_come_change_and_go_on_disk(host: Host, root: Path) -> None:
    host.scan()
    (root / "new.py").write_text("def newcomer(): pass\n")
    (root / "lib/core.py").write_text("def other(): pass\n")
    (root / "notes.txt").unlink()
    snapshot = host.disk(["new.py", "lib/core.py", "notes.txt"])
    for seen in (snapshot, None):
        if seen is None:
            host.settle().result()
            seen = host.snapshot()
        assert seen.paths() == ("app.py", "lib/core.py", "new.py")
        assert seen.definers("newcomer") == ("new.py",)
        assert seen.definers("core_fn") == ()
        check(host, "lib/core.py", ["other"])
    assert host.snapshot().rank(Focus()) == fresh(root).rank(Focus())


def fresh(root: Path) -> Graph:
    """The graph of what is on disk, built by other hands."""
    rows = []
    for path in sorted(root.rglob("*")):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            tags = tags_of(name, path.read_bytes())
            rows.append(row_of(name, tags, words_of(path.read_bytes(), tags.language)))
    return Graph.build(rows)


def test_a_deleted_file_leaves_the_map_and_an_open_one_stays(host: Host, root: Path) -> None:
    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", b"def kept(): pass\n")
    (root / "app.py").unlink()
    host.disk(["app.py"])
    host.settle().result()
    check(host, "app.py", ["kept"])
    assert "app.py" in host.snapshot().paths()
    host.close("app.py")
    assert "app.py" not in host.snapshot().paths()
    assert host.snapshot().document("app.py") is None
    assert "app.py" not in host.snapshot().graph().paths


def test_ignore_files_take_effect_without_a_restart(host: Host, root: Path) -> None:
    host.scan()
    (root / ".gitignore").write_text("lib/\n")
    host.disk([".gitignore"])
    host.settle().result()
    assert host.snapshot().paths() == (".gitignore", "app.py", "notes.txt")
    assert host.snapshot().ignored("lib/core.py")
    assert host.snapshot().definers("core_fn") == ()
    host.open("lib/core.py", "file:///core.py", 1, "python", b"def hidden(): pass\n")
    check(host, "lib/core.py", ["hidden"])
    assert "lib/core.py" not in host.snapshot().paths()
    assert host.snapshot().definers("hidden") == ()


def test_a_subtree_limits_the_index_and_not_what_may_be_opened(host: Host, root: Path) -> None:
    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", b"def outside(): pass\n")
    host.configure(Index(subtree=("lib",)))
    snapshot = host.scan()
    assert snapshot.paths() == ("lib/core.py",)
    assert host.folders == ("", "lib")
    check(host, "app.py", ["outside"])
    assert snapshot.definers("outside") == () and not snapshot.ignored("app.py")
    (root / "other.py").write_text("def elsewhere(): pass\n")
    (root / "lib/more.py").write_text("def more(): pass\n")
    host.disk(["other.py", "lib/more.py"])
    host.settle().result()
    assert host.snapshot().paths() == ("lib/core.py", "lib/more.py")
    host.configure(Index())
    assert host.scan().definers("outside") == ("app.py",)


def test_a_quiet_second_repairs_what_drifted_in_damaged_text(host: Host) -> None:
    """Here the tree after the edit is another than that of the text: only the parse from scratch
    gives the tags of a fresh opening."""
    head = b"static inline struct item *ring_open(ring_t *r, callback_t cb)\n{\n\tit->next = r->"
    host.scan()
    host.open("ring.c", "file:///ring.c", 1, "c", head + b"ops->find(r);")
    host.settle_fresh().result()
    at = head.index(b"tem *ring_open")
    type_(host, "ring.c", at, at, b"(")
    host.settle().result()
    snapshot = host.snapshot()
    document = snapshot.buffers["ring.c"].document
    drifted, expected = snapshot.tags("ring.c"), tags_of("ring.c", document.data, "c")
    assert drifted.damaged and drifted != expected
    host.settle_fresh().result()
    assert host.snapshot().tags("ring.c") == expected
    made = host.snapshot().graph().row("ring.c")
    assert made is not None and set(made.defs) == {item.name for item in expected.defs}


def test_buffers_that_are_no_files_have_tags_and_no_place(host: Host) -> None:
    host.scan()
    for uri in ("untitled:Untitled-1", "file://"):
        host.open(uri, uri, 1, "python", b"def scratch(): pass\n")
        check(host, uri, ["scratch"])
        assert uri not in host.snapshot().paths()
        assert uri in host.snapshot().buffers
    assert host.snapshot().definers("scratch") == ()


def test_a_host_without_a_folder_holds_buffers_only(tmp_path: Path) -> None:
    host = Host(None, Index(), Cache(None))
    host.open("untitled:a", "untitled:a", 1, "python", b"def a(): pass\n")
    snapshot = host.scan()
    assert snapshot.ready() and snapshot.paths() == ()
    assert [item.name for item in snapshot.tags("untitled:a").defs] == ["a"]
    assert snapshot.document("setup.py") is None
    assert snapshot.allowed("a.py") is not None and snapshot.ignored("a.py")
    host.stop()


def test_nothing_outside_the_folder_is_read(host: Host, root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def outside(): pass\n")
    os.symlink(tmp_path / "secret.py", root / "link.py")
    os.symlink(tmp_path, root / "out")
    os.symlink("lib", root / "alias")
    snapshot = host.scan()
    for path in ("link.py", "out/secret.py", "../secret.py", str(tmp_path / "secret.py"), "a/../x"):
        assert snapshot.document(path) is None, path
        assert snapshot.on_disk(path) is None
        assert snapshot.ignored(path)
        assert snapshot.allowed(path) is not None
    assert snapshot.definers("core_fn") == ("lib/core.py",)
    assert snapshot.allowed("alias/core.py") is None
    assert snapshot.document("alias/core.py") is not None
    assert not snapshot.ignored("alias/core.py")


def test_links_are_followed_where_the_system_does_not_tell_what_is_open(
    host: Host, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_place_of", lambda handle: "")
    (tmp_path / "secret.py").write_text("def outside(): pass\n")
    os.symlink(tmp_path, root / "out")
    os.symlink("lib", root / "alias")
    snapshot = host.scan()
    assert snapshot.document("out/secret.py") is None
    assert snapshot.document("alias/core.py") is not None


def test_what_may_be_written(host: Host, root: Path) -> None:
    (root / "locked.py").write_text("x = 1\n")
    (root / "locked.py").chmod(0o444)
    snapshot = host.scan()
    for path in ("app.py", "brand/new.py"):
        assert snapshot.allowed(path) is None
    for path in (".git/config", "lib/.GIT/x", "lib", "", "/etc/passwd", "locked.py", "app.py/x"):
        assert snapshot.allowed(path), path


def test_text_and_bytes_of_closed_files(host: Host, root: Path) -> None:
    (root / "bom.py").write_bytes(b"\xef\xbb\xbfdef b(): pass\r\n")
    (root / "utf16.py").write_bytes("def u(): pass\n".encode("utf-16"))
    (root / "latin.py").write_bytes(b"# caf\xe9\ndef l(): pass\n")
    (root / "noise.py").write_bytes(b"\x01\xfe\x80\x00\n")
    snapshot = host.scan()
    check(host, "bom.py", ["b"])
    check(host, "latin.py", ["l"])
    check(host, "utf16.py", ["u"])
    latin = snapshot.on_disk("latin.py")
    assert latin is not None and latin.codec == "cp1252"
    assert snapshot.document("noise.py") is None
    disk = snapshot.on_disk("noise.py")
    assert disk is not None and disk.codec is None and disk.reason
    assert snapshot.tags("noise.py").problem
    assert "noise.py" in snapshot.paths()
    (root / "bom.py").write_bytes(b"new")
    disk = snapshot.on_disk("bom.py")
    assert disk is not None and disk.raw == b"new"


@pytest.mark.parametrize("case", ["M14", "M16", "M18", "M32", "M34", "M90"])
def test_made_inputs_end_in_a_map_equal_to_a_fresh_one(tmp_path: Path, case: str) -> None:
    subprocess.run([sys.executable, str(MAKE_INPUTS), str(tmp_path), case], check=True)
    root = (tmp_path / case).resolve()
    host = Host(str(root), Index(), Cache(None))
    snapshot = host.scan()
    ranking = snapshot.rank(Focus())
    assert [path for path, _ in ranking.files] and len(ranking.files) == len(snapshot.paths())
    names = {item.name for item in ranking.definitions}
    expected = {
        "M14": {"alpha", "beta"},
        "M16": {"ok"},
        "M18": {"core_fn"},
        "M90": {"ok"},
    }
    if case in expected:
        assert names == expected[case]
    if case == "M16":
        assert len(snapshot.paths()) == 8
        assert all(snapshot.tags(p).problem for p in snapshot.paths() if p != "ok.py")
        assert "7 " in host.summary
    host.stop()


def test_one_bad_entry_never_stops_the_scan(tmp_path: Path) -> None:
    for case in ("M16", "M18", "M32"):
        subprocess.run([sys.executable, str(MAKE_INPUTS), str(tmp_path), case], check=True)
    for i in range(300):
        (tmp_path / "good").mkdir(exist_ok=True)
        (tmp_path / "good" / f"g{i}.py").write_text(f"def good_{i}(): pass\n")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "closed.py").write_text("x")
    (tmp_path / "closed.py").chmod(0)
    host = Host(str(tmp_path.resolve()), Index(), Cache(None))
    snapshot = host.scan()
    names = {item.name for item in snapshot.rank(Focus()).definitions}
    assert {f"good_{i}" for i in range(300)} <= names
    assert "\n" not in host.summary and "files indexed" in host.summary
    host.stop()


def test_settling_is_queued_and_rescans_join_the_index(host: Host, root: Path) -> None:
    async def story() -> None:
        lines: list[tuple[str, int | None]] = []
        view = await host.start_scan(lambda text, percent: lines.append((text, percent)))
        await asyncio.sleep(0)
        assert view.ready() and lines[-1] == ("3 of 3 files", 100)
        (root / "more.py").write_text("def more(): pass\n")
        view = await host.rescan()
        assert view.definers("more") == ("more.py",)
        host.configure(Index(exclude=("lib/",)))
        assert not host.snapshot().ready()
        view = await host.start_scan()
        assert view.ready() and view.definers("core_fn") == ()

    asyncio.run(story())


def test_the_pause_behind_an_opening_compiles_what_the_first_edit_needs(host: Host) -> None:
    host.scan()
    queries.rules.cache_clear()
    host.open("app.py", "file:///app.py", 1, "python", b"import os\n")
    host.open("notes.txt", "file:///notes.txt", 1, "", b"no language\n")
    host.settle().result()
    compiled = queries.rules.cache_info().misses
    type_(host, "app.py", 0, 0, b"def typed(): pass\n")
    check(host, "app.py", ["typed"])
    assert queries.rules.cache_info().misses == compiled > 0


def test_a_big_buffer_gets_its_tags_elsewhere_and_its_tree_when_idle(host: Host) -> None:
    host.scan()
    data = b"".join(b"def f%d(a):\n    return g(a, %d)\n\n" % (i, i) for i in range(9000))
    assert len(data) > 256 * 1024
    host.open("big.py", "file:///big.py", 1, "python", data)
    assert len(host.snapshot().tags("big.py").defs) == 9000
    type_(host, "big.py", 0, 0, b"def first(): pass\n")
    host.settle().result()
    assert host.snapshot().tags("big.py").defs[0].name == "first"
    host.settle_fresh().result()
    type_(host, "big.py", 0, 0, b"def zeroth(): pass\n")
    snapshot = host.snapshot()
    assert snapshot.tags("big.py") == tags_of("big.py", snapshot.buffers["big.py"].document.data)


PIECES = [
    "x",
    "\n",
    "\r\n",
    "\r",
    "\f",
    "\u2028",
    "\u0085",
    "🧪",
    "𝒳",
    "é",
    "def f():\n    pass\n",
    "(",
    '"',
]
PIECES += [
    "class C:\n    def m(self): return g()\n",
    "    ",
    "#",
    "'''",
    ")",
    "import os\n",
    "\ud83e",
]


def test_a_storm_of_edits_keeps_text_tags_and_graph(host: Host) -> None:
    """10,000 edits in a 5,000-line file: the text equals a plain client's after each, and after the idle
    re-parse tags and graph equal those made from scratch."""
    rng = random.Random(7)
    odd = ("🧪", "é", "\f", "\u2028")
    text = "".join(f"def f{i}(a):  # {odd[i % 4]}\n    return f{i + 1}(a)\r\n" for i in range(2500))
    data = encode(text)
    host.scan()
    host.open("storm.py", "file:///storm.py", 0, "python", data)
    for step in range(10_000):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 0, 0, 1, 2, 9, 40)))
        new = rng.choice(PIECES) * rng.choice((0, 1, 1, 2))
        low = len(encode(text[:start]))
        high = low + len(encode(text[start:end]))
        text = text[:start] + new + text[end:]
        # The client's text in bytes as well: to encode all of it each time would be most of the work.
        data = data[:low] + encode(new) + data[high:]
        document = type_(host, "storm.py", low, high, encode(new))
        assert document.data == data
        if step % 400 == 0:
            assert data == encode(text)
            assert host.snapshot().document("storm.py") == document
            host.settle().result()
        if step % 2500 == 2499:
            host.settle().result()
            host.settle_fresh().result()
            snapshot = host.snapshot()
            expected = tags_of("storm.py", encode(text))
            assert snapshot.tags("storm.py") == expected
            words = words_of(encode(text), "python")
            assert snapshot.graph().row("storm.py") == row_of("storm.py", expected, words)
            assert document.lines == Document.of("storm.py", encode(text)).lines


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def test_a_view_is_a_snapshot(host: Host) -> None:
    """Every member of the protocol is there with its parameters; mypy holds the types."""
    snapshot: Snapshot = host.snapshot()
    for name in sorted(name for name in vars(Snapshot) if not name.startswith("_")):
        assert hasattr(snapshot, name), name


def test_an_editor_may_name_a_folder_for_all_that_is_in_it(host: Host, root: Path) -> None:
    host.scan()
    (root / "lib").rename(root / "lib.d")
    host.disk(["lib", "lib.d"])
    host.settle().result()
    assert host.snapshot().paths() == ("app.py", "lib.d/core.py", "notes.txt")
    assert host.snapshot().definers("core_fn") == ("lib.d/core.py",)


def test_a_changed_file_under_the_name_of_a_link_is_not_taken_twice(host: Host, root: Path) -> None:
    os.symlink("lib", root / "alias")
    host.scan()
    snapshot = host.disk(["alias/core.py", "alias"])
    assert snapshot.paths() == ("app.py", "lib/core.py", "notes.txt")
    assert snapshot.definers("core_fn") == ("lib/core.py",)
    host.settle().result()
    assert host.snapshot().definers("core_fn") == ("lib/core.py",)


def test_many_changed_files_wait_for_the_scan(host: Host, root: Path) -> None:
    host.scan()
    for i in range(200):
        (root / f"n{i}.py").write_text(f"def new_{i}(): pass\n")
    host.disk([f"n{i}.py" for i in range(200)])
    host.settle().result()
    assert len(host.snapshot().paths()) == 203
    assert host.snapshot().definers("new_199") == ("n199.py",)
