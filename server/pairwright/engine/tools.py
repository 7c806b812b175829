"""What a turn works with: settings, models, the door, the chats, and the ways to the user. Values and ports only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pairwright.config.schema import Settings
from pairwright.edits.types import FileChange
from pairwright.engine.checks import Checks
from pairwright.engine.door import Ask, Door
from pairwright.engine.events import Emit
from pairwright.engine.keepalive import KeepAlive
from pairwright.engine.ports import Fetcher, Models
from pairwright.engine.records import Notebook
from pairwright.engine.session import Sessions
from pairwright.engine.web import WebFetcher
from pairwright.workspace.types import Snapshot

Propose = Callable[[Sequence[FileChange], Snapshot, Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Tools:
    """`propose` stores a proposal of changes planned on a snapshot, with what is missing from it; its id.
    `keep`: keeps what the provider remembers of a chat. `notebook`: what is known of files."""

    settings: Settings
    models: Models
    door: Door
    sessions: Sessions
    emit: Emit
    ask: Ask
    propose: Propose
    checks: Checks = field(default_factory=Checks)
    keep: KeepAlive | None = None
    fetcher: Fetcher = field(default_factory=WebFetcher)
    notebook: Notebook = field(default_factory=Notebook)
