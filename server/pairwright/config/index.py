"""Settings of the index. Apart from the tree, since a map on the command line needs nothing else of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pairwright.config.words import doc


@dataclass(frozen=True, slots=True)
class Index:
    """What is indexed."""

    exclude: tuple[str, ...] = field(
        default=(), metadata=doc("Further gitignore-style patterns to leave out.")
    )
    subtree: tuple[str, ...] = field(
        default=(),
        metadata=doc(
            "Folders, relative to the workspace folder, to which the index is limited; empty: all. "
            "A workspace folder that holds none of them is indexed whole."
        ),
    )
    max_file_size: int = field(
        default=2_000_000,
        metadata=doc("Files above this many bytes are listed without tags.", minimum=1000),
    )
    workers: int = field(
        default=0, metadata=doc("Worker processes of the first scan; 0: one a core.", minimum=0)
    )
