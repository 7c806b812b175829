"""Commands of these tests keep what they keep in a folder of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIRWRIGHT_DATA", str(tmp_path_factory.mktemp("data")))
