"""The map as hovers see it: made at once where that is quick, else in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.lsp import views as module
from pairwright.lsp.views import Views
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    (tmp_path / "a.py").write_text("def one(): pass\n")
    (tmp_path / "b.py").write_text("one()\n")
    host = Host(str(tmp_path), Index(workers=1), Cache(None))
    host.scan()
    yield host
    host.stop()


class Later(list[Callable[[], None]]):
    """Jobs that wait until the test runs them."""

    def run(self) -> None:
        while self:
            self.pop(0)()


def test_a_small_folder_is_looked_at_at_once(host: Host) -> None:
    later = Later()
    view = Views(later.append).of(host.snapshot(), 100)
    assert view is not None and view.places == {("a.py", "one"): 1}
    assert later == []


def test_in_a_large_folder_nothing_is_waited_for(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LARGE", 1)
    monkeypatch.setattr(module, "_QUICK", 0.0)
    monkeypatch.setattr(module, "_REST", 0.0)
    monkeypatch.setattr(module, "_SHARE", 0.0)
    later = Later()
    views = Views(later.append)
    assert views.of(host.snapshot(), 100) is None
    assert views.of(host.snapshot(), 100) is None
    assert len(later) == 1, "one at a time"
    later.run()
    first = views.of(host.snapshot(), 100)
    assert first is not None
    host.open("a.py", "file:///a.py", 1, "python", b"def two(): pass\n")
    assert views.of(host.snapshot(), 100) is first
    later.run()
    second = views.of(host.snapshot(), 100)
    assert second is not None and second.places == {("a.py", "two"): 1}


def test_another_budget_is_another_view(host: Host) -> None:
    views = Views(Later().append)
    wide, narrow = views.of(host.snapshot(), 100), views.of(host.snapshot(), 0)
    assert wide is not None and narrow is not None
    assert (len(wide.shown), len(narrow.shown)) == (1, 0)


def test_views_of_a_large_folder_are_made_now_and_then(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LARGE", 1)
    monkeypatch.setattr(module, "_QUICK", 0.0)
    monkeypatch.setattr(module, "_REST", 1000.0)
    later = Later()
    views = Views(later.append)
    views.warm(host.snapshot(), 100)
    later.run()
    first = views.of(host.snapshot(), 100)
    host.open("a.py", "file:///a.py", 1, "python", b"def two(): pass\n")
    assert first is not None and views.of(host.snapshot(), 100) is first
    assert later == []
