"""The environment of this process: read here and in `load`, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping


def environment() -> Mapping[str, str]:
    """The environment as it is now, for those who are given one: folders, the model processes."""
    return dict(os.environ)
