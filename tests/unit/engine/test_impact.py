"""What a proposal touches and what leads there, over a real host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.impact import Impact, impact, of_names, of_proposal, of_spans, told
from pairwright.engine.proposals import propose, rejected
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

SHOP = b"def pay(x):\n    return x\n\n\ndef lend(x):\n    return x\n"
FILES = {
    "shop.py": SHOP,
    "app.py": b"from shop import pay\n\n\ndef main():\n    return pay(1)\n",
    "cli.py": b"def start():\n    main()\n",
}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    host = Host(str(tmp_path), Index(workers=1), Cache(None))
    host.scan()
    yield host
    host.stop()


def check(host: Host, *changes: FileChange, reject: tuple[str, ...] = ()) -> Impact:
    snapshot = host.snapshot()
    proposal = propose(changes, "do it", snapshot.document, id="p", created=0.0)
    return impact(snapshot, of_proposal(snapshot, rejected(proposal, reject)))


def change(path: str, before: bytes, after: bytes | None) -> FileChange:
    return FileChange(path, before, after, diff(before, after) if after is not None else ())


def names(found: Impact) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(item.definition.name, item.hunks, item.gone) for item in found.changed]


def test_the_definitions_of_each_hunk_and_who_leads_there(host: Host) -> None:
    found = check(host, change("shop.py", SHOP, SHOP.replace(b"return x", b"return 2 * x")))
    assert names(found) == [("pay", ("0.0",), False), ("lend", ("0.1",), False)]
    assert told(host.snapshot(), found).splitlines() == [
        "Touches pay, lend.",
        "Static references lead to it from:",
        "  app.py:1 top level names pay",
        "  app.py:4 main names pay",
        "  cli.py:1 start names main, 2 steps away",
        "Calls by reflection, by registration or from outside the workspace do not show.",
    ]


def test_a_rejected_hunk_touches_nothing(host: Host) -> None:
    edit = change("shop.py", SHOP, SHOP.replace(b"return x", b"return 2 * x"))
    found = check(host, edit, reject=("0.0",))
    assert names(found) == [("lend", ("0.1",), False)]
    words = told(host.snapshot(), found)
    assert "No static references lead to it." in words
    assert "caller" not in words


def test_a_definition_that_goes_away(host: Host) -> None:
    found = check(host, change("shop.py", SHOP, SHOP.replace(b"def pay", b"def charge")))
    assert names(found) == [("pay", ("0.0",), True)]
    assert "pay (goes away)" in told(host.snapshot(), found)


def test_a_deleted_and_a_created_file(host: Host) -> None:
    made = FileChange("new.py", None, b"def fresh(): pass\n", ())
    found = check(host, change("shop.py", SHOP, None), made)
    assert names(found) == [("pay", ("0.0",), True), ("lend", ("0.0",), True)]


def test_a_text_that_moved_on_since(host: Host) -> None:
    edit = change("shop.py", SHOP, SHOP.replace(b"return x", b"return 2 * x", 1))
    snapshot = host.snapshot()
    proposal = propose([edit], "do it", snapshot.document, id="p", created=0.0)
    host.open("shop.py", "file:///shop.py", 1, "python", b"# typed\n\n" + SHOP)
    now = host.snapshot()
    (item,) = of_proposal(now, proposal)
    assert (item.definition.start, item.now.start) == (0, len(b"# typed\n\n"))


def test_by_name_and_by_range(host: Host) -> None:
    snapshot = host.snapshot()
    assert [item.path for item in of_names(snapshot, ["main", "nothing"])] == ["app.py"]
    at = SHOP.index(b"return")
    assert [item.now.name for item in of_spans(snapshot, "shop.py", [(at, at + 3)])] == ["pay"]
    assert of_spans(snapshot, "gone.py", [(0, 1)]) == ()
    assert told(snapshot, impact(snapshot, ())) == ""
