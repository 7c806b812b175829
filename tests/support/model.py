"""The embedded model for tests: the fetched file, or a failure that says how to fetch it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pairwright.config.paths import models_dir
from pairwright.llm.artifact import QWEN


@pytest.fixture(scope="session")
def embedded_model_path() -> Path:
    """The model's file. Its hash was checked when it was fetched; here only its size is."""
    path = models_dir(os.environ) / QWEN.name
    if not path.is_file() or path.stat().st_size != QWEN.size:
        pytest.fail(f"{path} is missing or cut off: run `pairwright model fetch` (or `make model`)")
    return path
