"""How much a name and a file count: the numbers of the ranking and nothing else.

The starting values are those measured to work in practice: names that a request mentions or that
are distinctive count more, private and ubiquitous ones less. Knows no matrices.
"""

from __future__ import annotations

DIGITS = 12
"""Scores are rounded to so many digits before they are compared."""

DAMPING = 0.85
"""Chance to follow a reference instead of restarting (Brin and Page 1998)."""

MENTIONED = 10.0
DISTINCTIVE = 10.0
PRIVATE = 0.1
COMMON = 0.1
COMMON_ABOVE = 5
"""Defined in more files than this, a name says little about which one is meant."""

DISTINCTIVE_LENGTH = 8
FROM_CHAT = 50.0
"""Weight of a chat file's references against its own unreferenced definitions. Between references
of one file it cancels, since a file's outgoing weights are normalised."""

UNREFERENCED = 0.1
"""Weight of the edge from a file to itself for each name it defines and nobody refers to."""

CHAT_SHARE = 1.0
PATH_SHARE = 1.0
NAME_SHARE = 1.0
OPEN_SHARE = 0.25
"""Relative shares of the restart vector. NAME_SHARE is that of a mentioned name which one file
defines; more definers get less, more than COMMON_ABOVE nothing."""

UNIFORM = 0.05
"""Part of the restart spread over all files: without it a focus on a file that refers to nothing
leaves every other file at zero."""

SATURATION = 1.2
LEVEL = 0.75
"""BM25 (Robertson and Zaragoza 2009): how soon more occurrences of a term stop counting, and how far
long texts are levelled."""

USUAL_SIZE = 100.0
"""Terms of a definition that is neither short nor long."""

IN_NAME = 4
IN_PATH = 2
"""How many occurrences in a body one in the definition's name, or in its path, is worth."""

SMALL_TEXT = 20.0
"""Different terms added to a text before shares of it are compared, so that a tiny one does not win
by one term."""

USUAL_WIDTH = 60
WIDEST = 100
CHEAPER = 0.15
"""Bytes of the line that shows a definition, usual and most, and how much shorter ones are preferred:
of two that are as likely to matter, more of the shorter fit in."""

CONSIDERED = 128
"""Files whose definitions are looked at one by one. More of them found no more of what commits go
on to touch, and each has to be read."""

LATER = 0.5
"""What a word behind the first line of a request is worth when definitions are compared. Which files
are meant all words tell alike."""

POSTINGS = 1 << 20
"""Postings that the terms of the chat's files may cost; the rarest terms come first."""

HALF_LIFE = 100
"""Commits after which having changed together counts half."""

CALLS_COUNTED = 2
"""A definition that refers to a name more often belongs to it no more."""

NAMED = 2.0
SAID = 1.0
FILE_SAID = 0.22
BEST_SAID = 0.12
AROUND_SAID = 0.16
NAME_SAID = 0.17
SHARED = 0.84
FILE_SHARED = 0.2
BESIDE_SHARED = 0.09
CALLS = 0.23
CALLED = 0.17
TOGETHER = 0.42
ALIKE = 0.1
OFTEN = 0.1
PAST_SAID = 0.15
TWIN = 0.09
ACROSS = 0.15
LAST = 0.16
LAST_INSIDE = 0.08
OUTERMOST = 0.05
VALUE = -0.22
REACHED = 0.05
"""What each source may add to a definition's score. The request: its own name stands there (an
identifier that few files define); words of it are in the definition, in its file, in the best
definition of its file, in the one around it, in its name. The chat's words: in the definition, in its
file, in the definitions beside it. The chat's names: the definition refers to what the chat defines,
or the chat to it. History: its file changed together with the chat's, or in commits whose messages are
like the request, or changes often; where nothing is asked for, words of the newest commit of the chat's
file are in it. Names: its file is paired with one of the chat's (a test and what it tests), or it is a
test and the chat is not, or the other way round. Place: the last of its file or of the definition
around it (new code is most often put behind it), in no other. Kind: a constant, a variable or a field.
And the flow of the graph. Fitted as docs/benchmarks.md says."""


def shape(name: str) -> float:
    """The multiplier that follows from the spelling of `name` alone."""
    weight = 1.0
    if len(name) >= DISTINCTIVE_LENGTH and _distinctive(name):
        weight *= DISTINCTIVE
    if name.startswith("_"):
        weight *= PRIVATE
    return weight


def is_identifier(name: str) -> bool:
    """Whether `name` can hardly be a word of a sentence: `_`, a digit or a capital inside."""
    inside = name[1:].lower() != name[1:] and name.upper() != name
    return inside or "_" in name.strip("_") or any(map(str.isdigit, name))


def _distinctive(name: str) -> bool:
    mixed = name.lower() != name and name.upper() != name
    return mixed or (("_" in name or "-" in name) and any(map(str.isalpha, name)))
