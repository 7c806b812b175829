"""Under which licence a repository is, as far as its files and metadata say, and whether its text may be shown.

What is not recognised is unknown: no guess is made in the user's favour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

UNKNOWN = "unknown"
PERMISSIVE = frozenset(
    ("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT")
).union(("PSF-2.0", "Unlicense", "Zlib"))
"""SPDX names of licences whose text may be shown without a further setting."""

_MOST = 100_000
_FILE = re.compile(r"(licen[cs]e|copying|unlicense)([.-].*)?\Z", re.I)
# In order: a text that has the first phrase is told apart from those below it.
_PHRASES = (
    ("AGPL", r"gnu affero general public license"),
    ("LGPL", r"gnu lesser general public license|gnu library general public license"),
    ("GPL", r"gnu general public license"),
    ("MPL-2.0", r"mozilla public license"),
    ("EPL", r"eclipse public license"),
    ("EUPL", r"european union public licen[cs]e"),
    ("Apache-2.0", r"apache license,? version 2\.0"),
    ("PSF-2.0", r"python software foundation license version 2"),
    ("BSL-1.0", r"boost software license"),
    ("CC0-1.0", r"cc0 1\.0 universal"),
    ("Unlicense", r"this is free and unencumbered software released into the public domain"),
    (
        "BSD-3-Clause",
        r"redistribution and use in source and binary forms.*(neither the name|names? of)",
    ),
    ("BSD-2-Clause", r"redistribution and use in source and binary forms"),
    ("MIT", r"permission is hereby granted, free of charge, to any person obtaining a copy"),
    ("ISC", r"permission to use, copy, modify, and(/or)? distribute this software for any purpose"),
    ("Zlib", r"this software is provided 'as-is', without any express or implied warranty"),
)
_NAMES = (
    ("AGPL", r"\bagpl|affero"),
    ("LGPL", r"\blgpl|lesser general"),
    ("GPL", r"\bgpl|general public"),
    ("MPL-2.0", r"\bmpl|mozilla"),
    ("Apache-2.0", r"apache"),
    ("PSF-2.0", r"\bpsf|python software foundation"),
    ("BSD-2-Clause", r"bsd[- ]2|simplified bsd"),
    ("BSD-3-Clause", r"\bbsd\b"),
    ("ISC", r"\bisc\b"),
    ("MIT", r"\bmit\b"),
    ("Unlicense", r"unlicense"),
)


def of_text(text: str) -> str:
    """The licence that `text` is, by the phrases that no other has; UNKNOWN else."""
    plain = re.sub(r"\s+", " ", text.lower())
    return next((name for name, phrase in _PHRASES if re.search(phrase, plain)), UNKNOWN)


def of_name(name: str) -> str:
    """The licence that a line of metadata names. Several names give the first of the list that is found, so a
    copyleft one is never hidden by another."""
    if name in PERMISSIVE:
        return name
    plain = name.lower()
    return next((spdx for spdx, phrase in _NAMES if re.search(phrase, plain)), UNKNOWN)


def of_metadata(fields: Mapping[str, list[str]]) -> str:
    """The licence of a distribution by its `License-Expression`, `Classifier` and `License` fields."""
    classifiers = [c for c in fields.get("Classifier", []) if c.startswith("License ::")]
    for values in (fields.get("License-Expression", []), classifiers, fields.get("License", [])):
        # A whole licence text may stand in the field.
        found = of_name(" ".join(values)) if sum(map(len, values)) < 300 else of_text(values[0])
        if found != UNKNOWN:
            return found
    return UNKNOWN


def of_folder(root: Path) -> str:
    """The licence of the files at the top of `root`; several that differ are named together, joined by AND."""
    try:
        files = sorted(p for p in root.iterdir() if _FILE.match(p.name) and p.is_file())
        texts = [p.read_bytes()[:_MOST].decode("utf-8", "replace") for p in files]
    except OSError:
        return UNKNOWN
    found = sorted({of_text(text) for text in texts})
    return " AND ".join(found) if found else UNKNOWN


def is_permissive(licence: str) -> bool:
    """Whether text under `licence` may be shown and sent without a further setting."""
    return all(name in PERMISSIVE for name in licence.split(" AND "))
