"""Syntax checks of a snapshot: here, and in a child for what may hang or is long."""

from __future__ import annotations

from pathlib import Path

from pairwright.config.schema import Index
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

LONG = b"x = 1\n" * 20_000


def test_every_kind_of_text_is_checked(tmp_path: Path) -> None:
    host = Host(str(tmp_path), Index(workers=1), Cache(None))
    snapshot = host.snapshot()
    try:
        assert snapshot.flaws("a.py", b"def f():\n    return 1\n") == ()
        assert [flaw.missing for flaw in snapshot.flaws("a.py", b"def f(:\n    x\n")] == [")"]
        assert snapshot.flaws("a.yaml", b"a: 1\n") == ()
        assert snapshot.flaws("a.yaml", b"a: [1\n")
        assert snapshot.flaws("a.cmake", b"if(A)\n  set(B 1)\nendif()\n") == ()
        assert snapshot.flaws("long.py", LONG) == ()
        (flaw,) = snapshot.flaws("long.py", LONG + b"def f(:\n    x\n")
        assert flaw.start == len(LONG) + len(b"def f(")
        assert snapshot.flaws("a.unknown", b"(((") == ()
    finally:
        host.stop()
