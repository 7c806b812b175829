"""What is said about a block that cannot be done: what happened, where, and what to do.

The first field is the path, then the line of the block's head in the reply.
"""

from __future__ import annotations

from pairwright.edits import nearest
from pairwright.edits.match import MOST_PLACES, Miss, Text

ABSENT = "{}: the SEARCH of the block on line {} of the reply is not in the file."
NO_DIVIDER_FITS = " {} lines in it could be the divider =======; none of the readings fits."
NAMELESS = (
    "The SEARCH/REPLACE block on line {} of the reply has no file name (path): write the path of the "
    "file alone on the line above the fence."
)
NOTHING = (
    "{}: the blocks change nothing: each REPLACE is what the file already says. "
    "Send only real changes."
)
FILLED = (
    "{}: the block on line {} of the reply has an empty SEARCH, but an earlier block of the reply "
    "already wrote this file."
)
OVERLAP = (
    "{}: the block on line {} of the reply overlaps an earlier block of the same reply: both change "
    "the same lines. Write it against the lines as the earlier block leaves them, or leave it out."
)
DIVIDERS = (
    "{}: the block on line {} of the reply is ambiguous: {} lines in it could be the divider ======= "
    "and more than one reading matches the file. Choose SEARCH lines without a line of = signs."
)
NOT_EMPTY = (
    "{}: the block on line {} of the reply has an empty SEARCH, but the file exists and is not "
    "empty. An empty SEARCH only creates a file: put the lines to replace into SEARCH."
)
EXISTS = (
    "{}: the block on line {} of the reply adds this file, but it exists already and is not empty. "
    "Update it, or choose another path."
)
SIMILAR = (
    "{}: there is no such file, but {} ends like it. Write the full path of the file you mean; to "
    "create a new one beside it, write ./{}."
)
GONE = "{}: the block on line {} of the reply edits a file that the same reply deletes or renames."
TOUCHED = (
    "{}: the block on line {} of the reply deletes or renames a file that an earlier block of the "
    "same reply edits or deletes. Send either the edits or the deletion."
)
OTHER_LINES = (
    "{}: the deletion on line {} of the reply shows other lines than the file has, so the file was not "
    "deleted. Show the lines as they stand, or none."
)
NO_TARGET = (
    "{}: the block on line {} of the reply deletes or renames it, but there is no such file."
)
NO_NAME = (
    "{}: the lines on line {} of the reply are not just one definition, and no name stands above them. Write "
    "<<<<<<< DEFINITION and the name above the lines of a definition, >>>>>>> REPLACE below."
)
NO_DEFINITION = "{}: the block on line {} of the reply names a definition, but {}"
TAKEN = (
    "{}: the block on line {} of the reply renames it to {}, but that file exists already. Choose "
    "another path, or delete that file first."
)
NO_ANCHOR = (
    "{}: the block on line {} of the reply has new lines only, and the line it names to put them "
    "behind is not in the file exactly once. Add lines of the file that stand around the new ones."
)
PLACEHOLDER = (
    'its REPLACE drops code and has the placeholder "{}" in its place. Write the complete lines, or '
    "a smaller SEARCH that leaves that code out."
)
ELSEWHERE = "These lines are in {}, line {}: name that file if you mean it."
FORBIDDEN = "{} may not be edited: {}."
BELOW_A_FILE = "{}: {} is a file, not a directory."


def ambiguous(path: str, line: int, miss: Miss, text: Text, size: int) -> str:
    """A SEARCH of `size` lines that fits all of `miss.places`, the first of them shown."""
    numbers = ", ".join(str(at + 1) for at in miss.places)
    more = " or more" if len(miss.places) == MOST_PLACES else ""
    shown = "\n--\n".join(
        nearest.rows(text, at - 1, at + min(size, 3) + 1) for at in miss.places[:3]
    )
    loosely = "" if miss.rung == "exact" else f" (but for {miss.rung})"
    return (
        f"{path}: the SEARCH of the block on line {line} of the reply is ambiguous: it matches"
        f"{loosely} more than one place ({len(miss.places)}{more} places, lines {numbers}).\n"
        f"{shown}\nAdd lines above or below that only the place you mean has."
    )
