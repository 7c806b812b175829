"""The product's own pages, cut into sections and searched by words. Pure: pages in, sections out.

A section is what stands below one heading; a long one is cut at blank lines and between the rows of a table, and each
piece keeps its headings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pairwright.tags.words import terms

_HEADING = re.compile(r"(#{1,4})[ \t]+(\S.*)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_LONGEST = 1_400
"""Characters of a piece; a paragraph that is longer stays whole."""
_SATURATION, _LEVEL = 1.2, 0.75
_IN_TITLE = 3
"""A word of a heading counts as so many in the text."""
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can do does for from how i in is it me my not of on or so that the this to use "
        "what when where which who why will with you your pairwright",
    )
)


@dataclass(frozen=True, slots=True)
class Section:
    """`page`: its file name. `title`: the headings above it, outermost first. `text`: Markdown without them."""

    page: str
    title: str
    text: str

    @property
    def shown(self) -> str:
        """As a prompt has it."""
        return f"## {self.page}: {self.title}\n\n{self.text}"


def sections(pages: Mapping[str, str]) -> tuple[Section, ...]:
    """All sections of `pages`, page by page in the order of their names."""
    return tuple(
        Section(page, title, piece)
        for page in sorted(pages)
        for title, body in _below_headings(pages[page])
        for piece in _pieces(body)
    )


def found(all_: Sequence[Section], question: str) -> tuple[Section, ...]:
    """Those that share words with `question`, the best first: BM25, ties by place."""
    bags = [_bag(section) for section in all_]
    average = sum(sum(bag.values()) for bag in bags) / max(1, len(bags))
    wanted = sorted({_stem(term) for term in terms(question)} - _COMMON)
    worth = {
        term: math.log1p((len(bags) - many + 0.5) / (many + 0.5))
        for term in wanted
        if (many := sum(term in bag for bag in bags))
    }
    scored: list[tuple[float, int]] = []
    for at, bag in enumerate(bags):
        level = _SATURATION * (1 - _LEVEL + _LEVEL * sum(bag.values()) / max(1.0, average))
        score = sum(
            value * bag[term] * (_SATURATION + 1) / (bag[term] + level)
            for term, value in worth.items()
            if term in bag
        )
        if score:
            scored.append((-round(score, 9), at))
    return tuple(all_[at] for _, at in sorted(scored))


@lru_cache(maxsize=2048)
def _bag(section: Section) -> Mapping[str, int]:
    bag: dict[str, int] = {}
    title = terms(f"{section.page.removesuffix('.md')} {section.title}")
    for counted, weight in ((terms(section.text), 1), (title, _IN_TITLE)):
        for term, count in counted.items():
            stem = _stem(term)
            bag[stem] = bag.get(stem, 0) + weight * count
    return bag


def _stem(term: str) -> str:
    """`settings` is `setting`; nothing else is changed."""
    return term[:-1] if len(term) > 3 and term.endswith("s") and not term.endswith("ss") else term


def _below_headings(text: str) -> Iterator[tuple[str, str]]:
    above: list[str] = []
    body: list[str] = []
    fenced = False
    for line in (*text.split("\n"), "# "):
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.fullmatch(line.rstrip())
        if heading is None and line != "# ":
            body.append(line)
            continue
        if any(map(str.strip, body)):
            yield " > ".join(above) or "-", "\n".join(body).strip("\n")
        body = []
        if heading is not None:
            above = [*above[: len(heading[1]) - 1], heading[2]]


def _pieces(body: str) -> Iterator[str]:
    if len(body) <= _LONGEST:
        yield body
        return
    held: list[str] = []
    size = 0
    for block in _blocks(body):
        if held and size + len(block) > _LONGEST:
            yield "".join(held).strip("\n")
            held, size = [], 0
        held.append(block)
        size += len(block)
    yield "".join(held).strip("\n")


def _blocks(body: str) -> Iterator[str]:
    """Paragraphs, fences whole, and the rows of tables one by one."""
    held: list[str] = []
    fenced = False
    for line in body.splitlines(keepends=True):
        fenced ^= bool(_FENCE.match(line))
        held.append(line)
        if not fenced and (not line.strip() or line.startswith("|")):
            yield "".join(held)
            held = []
    if held:
        yield "".join(held)
