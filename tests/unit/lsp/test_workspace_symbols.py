"""Symbols of a folder by a few letters, with what stands around them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.lsp.handlers.workspace_symbols import _FILES, search
from pairwright.lsp.names import KnownNames
from pairwright.lsp.schedule import Cancelled, CancelToken
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

FILES = {
    "shop/basket.py": "class Basket:\n    def add(self): pass\n\n\nclass Till:\n    def add(self): pass\n",
    "shop/cart.js": "function addToCart() { return 1 }\n",
    "naïve.py": "def größe(): pass\n",
}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    host = Host(str(tmp_path), Index(workers=1), Cache(None))
    host.scan()
    yield host
    host.stop()


def check(host: Host, query: str, names: KnownNames | None = None) -> list[tuple[str, str, str]]:
    found = search(host.snapshot(), names or KnownNames(), query, lambda: None)
    return [(item.definition.name, item.container, item.path) for item in found]


def test_best_first_with_what_is_around(host: Host) -> None:
    assert check(host, "add") == [
        ("add", "Basket", "shop/basket.py"),
        ("add", "Till", "shop/basket.py"),
        ("addToCart", "", "shop/cart.js"),
    ]


@pytest.mark.parametrize("query", ["Till.add", "till::add", "basket Till add", "Till#add"])
def test_what_stands_before_the_name_must_be_around_it(host: Host, query: str) -> None:
    assert check(host, query) == [("add", "Till", "shop/basket.py")]


def test_a_path_narrows_too(host: Host) -> None:
    assert check(host, "cart add") == [("addToCart", "", "shop/cart.js")]
    assert check(host, "nowhere add") == []


def test_nothing_for_nothing(host: Host) -> None:
    assert check(host, "") == check(host, "..") == check(host, "qqq") == []


def test_typing_is_seen_and_what_went_is_gone(host: Host) -> None:
    names = KnownNames()
    assert check(host, "grö", names) == [("größe", "", "naïve.py")]
    host.open("naïve.py", "file:///x", 1, "python", b"def fresh(): pass\n")
    assert check(host, "grö", names) == []
    assert check(host, "frsh", names) == [("fresh", "", "naïve.py")]


def test_a_name_defined_everywhere_leaves_room(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"m{number:03}.py").write_text("def setup(): pass\n")
    (tmp_path / "z.py").write_text("def setup_all(): pass\n")
    host = Host(str(tmp_path), Index(workers=1), Cache(None))
    host.scan()
    found = check(host, "setup")
    host.stop()
    assert len(found) == _FILES
    assert found[0][2] == "m000.py"
    assert ("setup_all", "", "z.py") in found


def test_a_cancelled_search_stops(host: Host) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        search(host.snapshot(), KnownNames(), "add", token.check)
