"""Which code of references serves a file best: what the model is asked, and what its answer is worth. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairwright.prompts.build import Chunks, FileText

_LINE = re.compile(
    r"[\s*\-`|]*(\d{1,2})[\s.:)]*\|\s*([a-z_ ]+?)\s*\|\s*([0-9]*\.?[0-9]+)\s*\|([^|\n]*)\|?([^|\n]*)"
)
_LONGEST = 160
_MOST_ASPECTS = 6


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of one piece. `at`: its place among those shown, from 0. `sure`: 0 to 1."""

    at: int
    kind: str
    sure: float
    aspects: tuple[str, ...]
    how: str


def chunks(target: str, contract: Sequence[str], purpose: str, shown: Sequence[FileText]) -> Chunks:
    """The request for a judgement of `shown`, numbered from 1."""
    pieces = tuple(
        replace(one, label=f"{at}. {one.label or one.path}") for at, one in enumerate(shown, 1)
    )
    promised = "\n".join(("It has to define:", *(f"- {line}" for line in contract)))
    told = [f"The file to write is {target}. {purpose.strip()}"]
    if contract:
        told.append(promised)
    return Chunks("relate", "\n\n".join(told), references=pieces)


def read(answer: str, kinds: Sequence[str], count: int) -> tuple[Said, ...]:
    """What `answer` says of the `count` pieces shown, in its order, each once. A line with another kind or number
    says nothing, and how sure it is never passes 1."""
    found: dict[int, Said] = {}
    for match in map(_LINE.match, answer.splitlines()):
        if match is None:
            continue
        at, kind = int(match[1]) - 1, match[2].strip().replace(" ", "_")
        if kind in kinds and 0 <= at < count and at not in found:
            aspects = tuple(part.strip()[:_LONGEST] for part in match[4].split(";") if part.strip())
            sure = min(1.0, float(match[3]))
            found[at] = Said(at, kind, sure, aspects[:_MOST_ASPECTS], match[5].strip()[:_LONGEST])
    return tuple(found.values())
