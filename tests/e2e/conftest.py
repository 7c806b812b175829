"""What all end-to-end tests share: model processes whose imports are made once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import pytest
from tests.support.warm import VARIABLE, warm_models


@pytest.fixture(scope="session")
def _warm() -> Iterator[Mapping[str, str]]:
    if not hasattr(os, "pidfd_open"):
        yield {}
        return
    with warm_models() as env:
        yield env


@pytest.fixture(autouse=True, scope="module")
def _warm_here(_own_data: None, _warm: Mapping[str, str]) -> Iterator[None]:
    """For these modules alone: the others have model processes that start from nothing."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _warm.items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model process of this test starts as users' do."""
    monkeypatch.delenv(VARIABLE, raising=False)
