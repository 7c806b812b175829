"""Settings of the whole suite: hypothesis profiles and the order of slow tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.support.author import place
from tests.support.model import embedded_model_path
from tests.support.models import endpoint, models, models_everywhere
from tests.support.warm import VARIABLES, warm_starts

__all__ = ["embedded_model_path", "endpoint", "models", "models_everywhere", "place"]

# A shell's background job has interrupts ignored, and so would every process that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=2000,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default")
)


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes checkpoints into the data folder of whoever runs it, or reads their keys."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIRWRIGHT_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("PAIRWRIGHT_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(autouse=True, scope="session")
def warm(_own_data: None) -> Iterator[None]:
    """Servers and model processes have their imports behind them when they start."""
    with warm_starts() as env, pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers and model processes of this test start as users' do."""
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What shares the tests among processes, where there are several."""
    from tests.support.groups import Grouped

    return Grouped(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Unit tests first, a plain mistake shows in seconds; what uses the model last, one after another. Side by
    side it is the other way round: what takes long comes first, so that no process is left alone with it."""
    is_parallel = hasattr(config, "workerinput")

    def is_slow(item: pytest.Item) -> tuple[bool, bool]:
        return item.get_closest_marker("model") is not None, "/e2e/" in str(item.path)

    items.sort(key=is_slow, reverse=is_parallel)
