"""The table of languages. Adding one is a row here and a `.scm` in tags/queries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pairwright.tags.table import a_to_k, by_rule, l_to_z
from pairwright.tags.table.row import Language

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {item.name: item for item in (*a_to_k.ROWS, *l_to_z.ROWS)}
)
"""Every language with a query of ours, by name."""

BY_RULE: Mapping[str, Language] = MappingProxyType(
    {item.name: item for item in by_rule.ROWS if item.name not in LANGUAGES}
)
"""Every language without one whose grammar the generic rule reads."""

ALL: Mapping[str, Language] = MappingProxyType({**BY_RULE, **LANGUAGES})
"""Both. Where two claim one extension or name, the one with a query has it."""

__all__ = ["ALL", "BY_RULE", "LANGUAGES", "Language"]
