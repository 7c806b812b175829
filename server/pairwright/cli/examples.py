"""The references of a user for the steps of a task at a terminal: those that a server shows, indexed in this process.

Imported where a task is run alone: what it needs is heavy for the rest of the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from pairwright.cli.map import progress
from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.config.schema import Reference as Settings
from pairwright.engine.door import Door
from pairwright.engine.ports import Models
from pairwright.engine.references import Examples, OwnShelf
from pairwright.engine.rerank import Reranker
from pairwright.reference.library import Library
from pairwright.workspace.cache import Cache
from pairwright.workspace.types import Snapshot


def examples(
    settings: Settings, cache: Cache, models: Models, door: Door, snapshot: Callable[[], Snapshot]
) -> Examples:
    """Nothing is looked at before a step asks. `door`: by which code of references leaves for a model to judge it."""
    env = environment()
    library = Library(data_dir(env), cache_dir(env), env)
    shelf = OwnShelf(library.roots, cache, progress if sys.stderr.isatty() else None)
    judge = Reranker(models, door, snapshot, cache) if settings.judge == "model" else None
    return Examples(shelf, settings, cache, judge)
