"""Settings of the whole suite: hypothesis profiles and the order of slow tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.support.model import embedded_model_path
from tests.support.models import endpoint, models, models_everywhere

__all__ = ["embedded_model_path", "endpoint", "models", "models_everywhere"]

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """What shares the tests among processes, where there are several."""
    from tests.support.groups import Grouped

    return Grouped(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Unit tests first, a plain mistake shows in seconds; what uses the model last, one after another. Side by
    side the model comes first, the longest row, so that no process is left alone with it at the end."""
    is_parallel = hasattr(config, "workerinput")
    items.sort(
        key=lambda item: (
            (item.get_closest_marker("model") is not None) != is_parallel,
            "/e2e/" in str(item.path),
        )
    )
