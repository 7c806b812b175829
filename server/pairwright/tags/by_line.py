"""Definitions told by lines alone, where a text is not parsed. Knows no tree: what stands in a comment or a
string counts like code. Extents are those of the line, and there are no references.
"""

from __future__ import annotations

import re

from pairwright.tags.extract import bare
from pairwright.tags.line_rules import rule_of
from pairwright.tags.lost import lost
from pairwright.tags.masks import masked
from pairwright.tags.types import Definition, Tags

_MOST = 2000
_KEYWORD = re.compile(
    rb"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|async|pub|abstract|final"
    rb"|sealed|partial|declare)[ \t]+)*"
    rb"(class|interface|struct|enum|trait|module|namespace|type|function|func|def|fn)[ \t]+(\w+)",
    re.M,
)
_KINDS = {b"func": "function", b"def": "function", b"fn": "function"}


def by_keyword(data: bytes, language: str, problem: str) -> Tags:
    """The first 2,000 definitions by the key words that most languages share."""
    found: list[Definition] = []
    for match in _KEYWORD.finditer(data):
        if len(found) == _MOST:
            break
        word = match[1]
        kind = _KINDS.get(word) or word.decode()
        name = match[2].decode("utf-8", "replace")
        found.append(
            Definition(name, kind, match.start(2), match.start(1), match.end(2), match.end(2))
        )
    return Tags(tuple(found), (), (), language, "rule", problem)


def by_rule(data: bytes, language: str, problem: str) -> Tags:
    """The definitions by the rule of `language`, by key words where it has none."""
    rule = rule_of(language)
    if rule is None:
        return by_keyword(data, language, problem)
    source = masked(data, language)
    found: dict[int, Definition] = {}
    for item in lost(rule, None, source, (0, len(source))):
        start, end = bare(item.name_start, item.name_end, source)
        raw = data[start:end]
        if item.kind != "reference" and raw == source[start:end]:
            name = raw.decode("utf-8", "replace")
            found.setdefault(
                start, Definition(name, item.kind, start, item.start, item.end, item.end)
            )
    ordered = sorted(found.values(), key=lambda item: (item.start, -item.end, item.name_start))
    return Tags(tuple(ordered), (), (), language, "rule", problem)
