"""What must never be written, however well the SEARCH matches: markers and placeholders for dropped
code.

Also tells which of several readings of a block tears a merge conflict apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pairwright.edits.formats.markers import DIVIDER_BYTES, NEVER_WRITTEN
from pairwright.edits.lines import body, is_blank

# Kinds of file in which a line of seven = is content: headings, and texts that show conflicts.
_TEXTS = frozenset(
    ("", "md", "markdown", "mdx", "rst", "txt", "text", "adoc", "asciidoc", "diff", "patch")
)

_DOTS = rb"(?:\.{3,}|\xe2\x80\xa6)"
_COMMENT = rb"(?://+|#+|--+|;+|/\*+|<!--|\{/\*|\{-|\(\*|%+|\*|'{3}|'|\"{3}|\"(?=[ \t])|REM\b)"
_CLOSE = rb"(?:\*/\}?|-->|-\}|\*\)|\"{3}|'{3})"
_REST = (
    rb"\b(?:rest|remaining|remainder|existing|unchanged|previous|same|other|omitted|truncated"
    rb"|elided|as before|keep|snip(?:ped)?|and so on|etc)\b"
)
_CODE = (
    rb"(?:code|file|functions?|methods?|class(?:es)?|implementations?|contents?|logic|lines?"
    rb"|imports?|body|fields?|propert(?:y|ies)|attributes?|columns?|cases?|tests?|options?|routes?"
    rb"|handlers?|styles?|sections?|everything(?: else)?|rest)"
)
_SAME = rb"(?:unchanged|(?:the )?same|omitted|as before|as is|goes here|stays here|here)\b"
_WORDS = (
    # "rest of the file", "the rest of the code stays the same", "existing code", "methods unchanged".
    rb"(?:the |keep )*(?:rest|remainder) of (?:the |this |your )?"
    rb"(?:(?:[\w'-]+ ){0,4}" + _CODE + rb"|[\w'-]+(?: [\w'-]+)?)\b"
    rb"(?: (?:(?:stays?|remains?|is|are|goes|as)\b[^\n]{0,10} )?[^\n]{0,10}"
    + _SAME
    + rb"[^\n]{0,30})?",
    rb"(?:the |your |keep )*existing code"
    rb"(?: (?:here|above|below|as|is|goes|stays|remains|continues|unchanged|omitted)\b[^\n]{0,40})?",
    rb"[^\n]{0,30}\b" + _CODE + rb"\b[^\n]{0,20}\b" + _SAME + rb"[^\n]{0,30}",
)
# Said in a few words and nothing else.
_ALONE = (
    rb"(?:all )?(?:unchanged|same as (?:before|above)|snip(?:ped)?|etc|omitted|truncated)",
    rb"no (?:other |further )?changes?(?: (?:here|needed|below|above|after|beyond)\b[^\n]{0,20})?",
)
_IN_COMMENT = (
    # "..." alone or with words like "rest" behind or before.
    _DOTS + rb"(?:[^\n]*" + _REST + rb"[^\n]*)?[ \t]*" + _DOTS + rb"?",
    rb"[^\n]{0,40}" + _REST + rb"[^\n]{0,40}\b" + _CODE + rb"\b[^\n]{0,20}" + _DOTS,
    *_WORDS,
    *_ALONE,
)
_PLACEHOLDER = re.compile(
    rb"[ \t]*(?:"
    + _COMMENT
    + rb"[ \t]*[\[(]?[ \t]*(?:"
    + rb"|".join(_IN_COMMENT)
    + rb")[ \t]*(?:[.:]|"
    + _DOTS
    + rb")?[ \t]*[\])]?[ \t]*"
    + _CLOSE
    + rb"?|[\[(<][ \t]*"
    + _DOTS
    + rb"?[ \t]*(?:"
    + rb"|".join(_WORDS)
    + rb")[ \t]*"
    + _DOTS
    + rb"?[\])>]|"
    # No sign of a comment at all, only dots.
    + _DOTS
    + rb"[ \t]*(?:"
    + rb"|".join(_WORDS)
    + rb")[ \t]*"
    + _DOTS
    + rb"?)[ \t]*",
    re.IGNORECASE,
)
_CONFLICT = re.compile(rb"(<{7}|={7}|>{7})(?: [^\n]*)?[ \t]*")


def marker_written(
    path: str, before: Collection[bytes], replace: Sequence[bytes], new: Sequence[bytes]
) -> str | None:
    """Why the `new` lines of a REPLACE may not be written to `path`, or None. `before`: the file's
    lines as they are, without ends."""
    for line in new:
        if NEVER_WRITTEN.match(line):
            return (
                f"its REPLACE holds the marker line {_quoted(line)}; markers never go into a file"
            )
    dividers = [at for at, line in enumerate(replace) if DIVIDER_BYTES.fullmatch(line)]
    if not any(DIVIDER_BYTES.fullmatch(line) for line in new):
        return None
    is_text = (
        path.rpartition("/")[2].lower().rpartition(".")[2] in _TEXTS
        or "." not in path.rpartition("/")[2]
    )
    is_known = any(DIVIDER_BYTES.fullmatch(line) for line in before)
    under_text = all(at > 0 and not is_blank(replace[at - 1]) for at in dividers)
    if under_text and (is_text or is_known):
        return None
    return "its REPLACE holds a second divider line =======; write each block with exactly one"


def placeholder(search: Sequence[bytes], replace: Sequence[bytes]) -> str | None:
    """The placeholder comment in REPLACE that stands for code SEARCH has and REPLACE drops, or
    None."""
    kept = set(replace)
    if all(line in kept or is_blank(line) for line in search):
        return None
    known = {line.strip() for line in search}
    for line in replace:
        if len(line) >= 200 or line.strip() in known:
            continue
        # Runs of blanks as one, or looking at them costs their number to the fifth.
        if _PLACEHOLDER.fullmatch(b" ".join(line.split())):
            return _quoted(line.strip())
    return None


def tears_conflict(lines: Sequence[bytes]) -> bool:
    """Whether `lines` hold a part of a merge conflict without the rest of it."""
    state = 0
    for line in lines:
        mark = _CONFLICT.fullmatch(line)
        if mark is None:
            continue
        expected = (b"<", b"=", b">")[state]
        if mark[1][:1] != expected:
            return True
        state = (state + 1) % 3
    return state != 0


def _quoted(line: bytes) -> str:
    return body(line)[:120].decode("utf-8", "replace")
