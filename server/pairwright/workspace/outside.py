"""Files outside the workspace that a user named by their absolute path, for reference only.

Nothing of the index, no cache, no ignore rules: whoever wrote the whole path means this file.
"""

from __future__ import annotations

import os
import stat

from pairwright.text.encoding import Undecodable, decode
from pairwright.workspace.derive import opened
from pairwright.workspace.types import OnDisk

MOST = 5_000_000
"""Bytes of the largest file that is read."""


def outside(path: str) -> OnDisk | str:
    """The regular file at `path` (absolute), or why it is not read, as a phrase without its name."""
    if ".git" in path.split("/"):
        return "lies in a .git folder, so it is not sent"
    try:
        file = opened(path)
    except OSError as error:
        return f"cannot be read: {error.strerror or 'the system refused'}"
    if file is None:
        return "is no regular file"
    with file:
        found = os.fstat(file.fileno())
        if found.st_size > MOST:
            return f"is larger than {MOST:,} bytes, so it is not sent"
        try:
            raw = file.read(MOST)
        except OSError as error:
            return f"cannot be read: {error.strerror or 'the system refused'}"
    mode = stat.S_IMODE(found.st_mode)
    text = decode(raw)
    if isinstance(text, Undecodable):
        return OnDisk(raw, mode, None, b"", text.reason)
    return OnDisk(raw, mode, text.codec, text.bom)
