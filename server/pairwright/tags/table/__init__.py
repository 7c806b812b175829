"""The table of languages. Adding one is a row here and a `.scm` in tags/queries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pairwright.tags.table import a_to_k, l_to_z
from pairwright.tags.table.row import Language

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {item.name: item for item in (*a_to_k.ROWS, *l_to_z.ROWS)}
)
"""Every language with a query of ours, by name."""

__all__ = ["LANGUAGES", "Language"]
