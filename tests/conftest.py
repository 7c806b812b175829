"""Settings of the whole suite: hypothesis profiles and the order of slow tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings
from tests.support.model import embedded_model_path

__all__ = ["embedded_model_path"]

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Unit tests first, a plain mistake shows in seconds; what uses the model one after another."""
    for item in items:
        if item.get_closest_marker("model") is not None:
            item.add_marker(pytest.mark.xdist_group("model"))
    items.sort(
        key=lambda item: (
            item.get_closest_marker("model") is not None,
            "/e2e/" in str(item.path),
        )
    )
