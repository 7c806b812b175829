"""Maps of a snapshot: the focus of a request, two maps in one prompt, and manifests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fixture import files

from pairwright.config.schema import Index
from pairwright.graph.types import Focus
from pairwright.workspace import manifest
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.manifest import (
    ESTIMATE,
    MapManifest,
    NotAManifest,
    differences,
    from_json,
    record,
    same_text,
    to_json,
)
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def total(self):
        return round_up(self.value)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)


def percent(part, whole):
    return 100 * part / whole
-- notes.md --
Some notes.
"""
Take = Callable[[], Snapshot]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in files(REPO).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture
def take(root: Path) -> Iterator[Take]:
    """A snapshot of the folder as it is on disk now, as a new process would have it."""
    hosts: list[Host] = []

    def taken() -> Snapshot:
        hosts.append(Host(str(root), Index(), Cache(None)))
        return hosts[-1].scan()

    yield taken
    for host in hosts:
        host.stop()


def check(before: MapManifest, snapshot: Snapshot, *expected: str) -> None:
    """`snapshot` differs from what `before` tells of in just the `expected` ways."""
    made = repo_map(snapshot, before.focus, before.budget)
    assert list(differences(before, snapshot)) == list(expected)
    if not expected:
        assert same_text(before, made.text)


def test_the_focus_of_a_request(take: Take) -> None:
    snapshot = take()
    open_ = ("notes.md", "shop/cart.py", "elsewhere.py")
    focus = focus_of(snapshot, "Use `percent` of shop/money.py", ("shop/cart.py",), open_)
    assert focus.chat == ("shop/cart.py",)
    assert focus.open_ == ("notes.md",)
    assert "percent" in focus.names and focus.paths == ("shop/money.py",)


def test_the_words_of_the_first_line_of_a_request_lead(take: Take) -> None:
    snapshot = take()
    focus = focus_of(snapshot, "\n Round the total\n\nThe total of a cart is off by one.")
    assert focus.words[: focus.lead] == ("round", "the", "total")
    assert focus_of(snapshot, "???\nround").lead == focus_of(snapshot).lead == 0


def test_a_text_comes_with_its_own_tags(take: Take, root: Path) -> None:
    snapshot = take()
    for path in ("shop/cart.py", "notes.md"):
        assert snapshot.tagged(path) == (snapshot.document(path), snapshot.tags(path))
    assert snapshot.tagged("nowhere.py") is None
    (root / "shop" / "cart.py").write_text("def moved(): pass\n")
    found = snapshot.tagged("shop/cart.py")
    assert found is not None
    document, tags = found
    assert document.text == "def moved(): pass\n" and [d.name for d in tags.defs] == ["moved"]


def test_two_maps_of_one_prompt_share_nothing(take: Take) -> None:
    snapshot = take()
    focus = focus_of(snapshot)
    first = repo_map(snapshot, focus, 40, len)
    second = repo_map(snapshot, focus, 4000, beside=first)
    shown = [{item.place for item in made.shown} for made in (first, second)]
    assert shown[0] and shown[1] and not shown[0] & shown[1]
    assert "notes.md" not in second.text


def test_a_manifest_makes_the_same_map_in_another_process(take: Take) -> None:
    snapshot = take()
    focus = focus_of(snapshot, "round the total", ("shop/cart.py",))
    made = repo_map(snapshot, focus, 200)
    kept = from_json(to_json(record(snapshot, focus, made, ESTIMATE)))
    assert (kept.focus, kept.budget, kept.count) == (focus, 200, ESTIMATE)
    assert kept.files["notes.md"] == "" and len(kept.files["shop/cart.py"]) == 16
    check(kept, take())


def test_what_differs_is_named(take: Take, root: Path) -> None:
    snapshot = take()
    before = record(snapshot, Focus(), repo_map(snapshot, Focus(), 200), ESTIMATE)
    (root / "shop" / "money.py").write_text("def round_down(value): pass\n")
    (root / "new.py").write_text("x = 1\n")
    (root / "shop" / "cart.py").unlink()
    (root / "notes.md").write_text("Other notes, which no map shows.\n")
    told = ("file new: new.py", "file gone: shop/cart.py", "file changed: shop/money.py")
    check(before, take(), *told)


def test_another_way_to_count_weights_and_history_are_named(
    take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = take()
    made = repo_map(snapshot, Focus(), 200)
    before = record(snapshot, Focus(), made, "o200k")
    monkeypatch.setattr("pairwright.graph.weights.DAMPING", 0.5)
    manifest._weights.cache_clear()
    told = list(differences(before, snapshot))
    monkeypatch.undo()
    manifest._weights.cache_clear()
    assert told == [
        "its tokens were counted by o200k, which is not at hand here",
        "the weights of the ranking differ",
    ]


def test_the_files_shown_are_enough_for_a_request(take: Take) -> None:
    snapshot = take()
    made = repo_map(snapshot, Focus(), 30, len)
    kept = record(snapshot, Focus(), made, "characters", "shown")
    assert set(kept.files) == {item.path for item in made.shown}
    assert kept.revision == snapshot.revision


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no map manifest"),
        ("[1]", "no map manifest"),
        ('{"pairwright_map": 99}', "version 99"),
        ('{"pairwright_map": 1}', "missing"),
        ('{"pairwright_map": 1, "focus": {"moon": []}}', "unknown here: moon"),
        (
            '{"pairwright_map": 1, "focus": {}, "budget": "9", "count": "", "recipes": {},'
            ' "files": {}, "text": ""}',
            "wrong kind",
        ),
    ],
)
def test_what_is_no_manifest_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(NotAManifest, match=why):
        from_json(text)


PATHS = st.lists(st.text(st.characters(codec=None), min_size=1), max_size=3).map(tuple)


@given(PATHS, PATHS, st.integers(0, 10_000), st.dictionaries(st.text(), st.text(), max_size=3))
def test_json_keeps_everything(
    chat: tuple[str, ...], names: tuple[str, ...], budget: int, told: dict[str, str]
) -> None:
    kept = MapManifest(Focus(chat, (), names), budget, ESTIMATE, told, told, "0f")
    assert from_json(to_json(kept)) == kept
    assert to_json(kept).isascii() and json.loads(to_json(kept))["pairwright_map"] == 1
