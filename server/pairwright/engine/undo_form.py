"""Later edits that are part of an accepted hunk, because a formatter made them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pairwright.edits.diff import apply, diff
from pairwright.edits.types import Hunk

_SPACE = re.compile(r"\s+")
_LAST_COMMA = re.compile(r",(?=[\])}])|,$")
_QUOTES = str.maketrans({"'": '"', "`": '"', ";": None})


def with_form(before: bytes, after: bytes, now: bytes, saved: bytes | None = None) -> bytes:
    """The text `after` of an accept, with those later edits inside its hunks that belong to them.

    `before`: the text in front of the accept; `now`: the text of the moment. An edit belongs to a
    hunk if it lies inside and either changes only how the lines are set, or stands in `saved`, the
    text as the save right behind the accept left it."""
    places = diff(after, before)
    if saved is not None:
        after = apply(after, [e for e in diff(after, saved) if _is_inside(e, places)])
        places = diff(after, before)
    form = [
        edit
        for edit in diff(after, now)
        if _meets(edit, places) and is_form(after[edit.start : edit.end], edit.new)
    ]
    return apply(after, form)


def is_form(old: bytes, new: bytes) -> bool:
    """Whether `old` and `new` say the same, set otherwise: blanks and line ends, kinds of quotes,
    last commas, semicolons."""
    return _bare(old) == _bare(new) != ""


def _bare(text: bytes) -> str:
    words = _SPACE.sub("", text.decode("utf-8", "surrogateescape")).translate(_QUOTES)
    return _LAST_COMMA.sub("", words)


def _is_inside(edit: Hunk, places: Sequence[Hunk]) -> bool:
    """Whether `edit` is of a hunk's own lines. New lines in front of it or behind it are the user's."""
    if edit.start == edit.end:
        return any(place.start < edit.start < place.end for place in places)
    return any(place.start <= edit.start and edit.end <= place.end for place in places)


def _meets(edit: Hunk, places: Sequence[Hunk]) -> bool:
    """Whether `edit` has lines of a hunk; a formatter's may reach beyond it."""
    return any(edit.start < place.end and place.start < edit.end for place in places)
