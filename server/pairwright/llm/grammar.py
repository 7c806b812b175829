"""GBNF grammars (llama.cpp's form) for answers whose frame the host writes and whose lines the
model writes.

Only whole marker lines are forbidden among the model's lines. First characters are free, so HTML,
XML, Markdown quotes and headings can be written; a line that equals a marker (with or without
blanks behind it) cannot, since the reader of the answer would take it for the marker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SEARCH = "<<<<<<< SEARCH"
DIVIDER = "======="
REPLACE = ">>>>>>> REPLACE"
MARKERS = (SEARCH, DIVIDER, REPLACE)

_BLANK = " \t\r"


def replace_lines(head: str, tail: str = REPLACE, forbidden: Sequence[str] = MARKERS) -> str:
    """A grammar for `head`, then any number of free lines, then `tail`. `head`: everything the host
    fixes, up to and with the divider and its line end (path, fence, SEARCH marker, SEARCH lines).
    `tail`: the closing marker, with the closing fence behind it where one is wanted. `forbidden`:
    lines the model must not write; add the closing fence to MARKERS when the answer is fenced."""
    rules = [
        f"root ::= {literal(head) + ' ' if head else ''}line* {literal(tail)}",
        r'rest ::= [^\n]* "\n"',
        r"late ::= [ \t\r]* [^ \t\r\n] rest",
    ]
    rules.extend(_line_rules("line", forbidden))
    return "\n".join(rules) + "\n"


def _line_rules(name: str, forbidden: Iterable[str]) -> list[str]:
    """Rules for one line with its line feed that is none of `forbidden`: one rule a node of their
    prefix tree. At a node where a forbidden word is whole, only blanks and then more text may
    follow."""
    words = sorted({word.rstrip(_BLANK) for word in forbidden if word.strip()})
    prefixes = sorted({word[:end] for word in words for end in range(len(word) + 1)})
    names = {prefix: f"{name}-{i}" if prefix else name for i, prefix in enumerate(prefixes)}
    rules = []
    for prefix in prefixes:
        nexts = sorted(p[-1] for p in prefixes if p[:-1] == prefix and p)
        whole = prefix.rstrip(_BLANK) in words
        blanks = "".join(_in_class(c) for c in _BLANK if c not in nexts)
        free = "".join(map(_in_class, nexts)) + (blanks if whole else "")
        ways = [rf"[^{free}\n] rest", f"[{blanks}] late" if whole else r'"\n"']
        ways.extend(f"{literal(char)} {names[prefix + char]}" for char in nexts)
        rules.append(f"{names[prefix]} ::= {' | '.join(ways)}")
    return rules


def literal(text: str) -> str:
    """`text` as a grammar names it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for char, code in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        escaped = escaped.replace(char, code)
    return f'"{escaped}"'


def _in_class(char: str) -> str:
    return {"\t": "\\t", "\r": "\\r", "\n": "\\n"}.get(
        char, "\\" + char if char in "\\]^-[" else char
    )
