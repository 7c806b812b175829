"""An index is the same bytes for the same texts: whatever the order they come in, the hash seed, the source of what
is known of them, and whoever derives them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.fixture import files

from pairwright.reference.build import build
from pairwright.reference.cluster import code, derived
from pairwright.reference.content import Unit, units_of
from pairwright.reference.contents import Text
from pairwright.reference.index import Index
from pairwright.reference.stored import key_of_texts, packed, unpacked
from pairwright.tags.files import tags_of
from pairwright.workspace.cache import Cache
from pairwright.workspace.derive import Derived, Look
from pairwright.workspace.discover import Cancelled

FOLDER = """\
-- a.py --
class Reader:
    def read_lines(self, path):
        return list(open_all(path))


def close_all(things):
    for thing in things:
        thing.close()
-- lib/b.py --
def open_all(path):
    def inner(each):
        return each
    return [inner(path)]
-- lib/c.go --
package lib

func ReadAll(path string) []string { return nil }
-- d.js --
export class Reader { readLines(path) { return openAll(path) } }
"""
TEXTS = files(FOLDER)
NAMES = {"a.py": "python", "lib/b.py": "python", "lib/c.go": "go", "d.js": "javascript"}
UNITS = {
    path: units_of(TEXTS[path].encode(), tags_of(path, TEXTS[path].encode(), language))
    for path, language in NAMES.items()
}
WORDS = st.lists(st.sampled_from([path for path in UNITS for _ in range(2)]), max_size=8)


def check(chosen: Sequence[tuple[str, str]], order: Callable[[list[str]], list[str]]) -> None:
    """The same files, in another order, are the same index."""
    one: dict[str, tuple[Unit, ...]] = {path: UNITS[source] for path, source in chosen}
    two = {path: one[path] for path in order(list(one))}
    texts = [Text(path, source, "x") for path, source in dict(chosen).items()]
    key = key_of_texts(texts)
    assert key_of_texts([*reversed(texts)]) == key
    made = packed(Index.of(one), key)
    assert packed(Index.of(two), key) == made
    again = unpacked(made, key)
    assert again is not None and packed(again, key) == made


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.text("abc/", min_size=1), st.sampled_from(sorted(UNITS)))), st.randoms()
)
def test_the_order_of_files_is_not_seen(
    chosen: list[tuple[str, str]],
    random: st.randoms,  # type: ignore[valid-type]
) -> None:
    def shuffled(paths: list[str]) -> list[str]:
        random.shuffle(paths)  # type: ignore[attr-defined]
        return paths

    check(chosen, shuffled)


def laid(root: Path) -> str:
    for name, text in TEXTS.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return str(root.resolve())


PROGRAM = """
import sys
from pathlib import Path
from pairwright.reference.build import build
from pairwright.workspace.cache import Cache
print(build(sys.argv[1], Cache(Path(sys.argv[2]))).key)
"""


def test_nor_is_the_hash_seed(tmp_path: Path) -> None:
    root = laid(tmp_path / "repository")
    found = []
    for seed in ("0", "7"):
        place = tmp_path / seed / "index"
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, root, str(place)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(p for p in sys.path if p)},
            capture_output=True,
            text=True,
            check=True,
        )
        (file,) = (place / "references").iterdir()
        assert file.name == f"{done.stdout.strip()}.index"
        found.append((file.name, file.read_bytes()))
    assert found[0] == found[1]


class Beside:
    """Derives as a worker of a cluster does: by what is sent, and no disk. `sent`: the paths."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def derive(
        self,
        paths: Sequence[str],
        look: Callable[[str], Look | None],
        take: Callable[[Sequence[Derived]], None],
    ) -> list[str]:
        for path in reversed(paths):
            seen = look(path)
            assert seen is not None
            self.sent.append(path)
            take([Derived(*item) for item in derived(code(), [tuple(seen)])])
        return []


def test_nor_who_derived_the_texts(tmp_path: Path) -> None:
    root = laid(tmp_path / "repository")
    other = Beside()
    here = build(root, Cache(tmp_path / "here" / "index"))
    there = build(root, Cache(tmp_path / "there" / "index"), elsewhere=other)
    assert sorted(other.sent) == sorted(NAMES) and there.made == here.made == len(NAMES)
    names = [next((tmp_path / place / "index/references").iterdir()) for place in ("here", "there")]
    assert names[0].name == names[1].name and names[0].read_bytes() == names[1].read_bytes()


def test_a_worker_of_another_version_is_refused() -> None:
    try:
        derived("another", [])
    except ValueError as error:
        assert "another version" in str(error)
    else:
        raise AssertionError("it was not")


def test_an_index_is_read_again_only_when_it_is_another(tmp_path: Path) -> None:
    root = laid(tmp_path / "repository")
    cache = Cache(tmp_path / "index")
    assert build(root, cache).made == len(NAMES)
    (file,) = (tmp_path / "index/references").iterdir()
    file.write_bytes(file.read_bytes()[:-2])
    again = build(root, cache)
    assert again.made == 0 and again.index.search("read all lines of a path")
    assert unpacked(file.read_bytes(), again.key) is not None


def test_a_build_that_is_cancelled_keeps_what_it_had(tmp_path: Path) -> None:
    root = laid(tmp_path / "repository")
    cache = Cache(tmp_path / "index")
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 6

    with pytest.raises(Cancelled):
        build(root, cache, cancelled=cancelled)
    assert not (tmp_path / "index/references").exists()
    assert 0 < build(root, cache).made < len(NAMES)
