"""URIs of the client to places and back. Nothing else parses or builds a URI.

`file:` names a file, `untitled:` and a `file://` without a path (an unnamed buffer) name a buffer;
every other scheme (`git:`, `output:`, `oil:`, notebook cells) is none of our business.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote_from_bytes, unquote_to_bytes

_WINDOWS = os.name == "nt"
# What RFC 3986 allows in a path segment, except the characters clients escape anyway.
_SAFE = b"/-._~!$&'()*+,;="


@dataclass(frozen=True, slots=True)
class Place:
    """`path`: for a file its absolute path as spelled; for a buffer its URI, which is its only
    name."""

    kind: Literal["file", "buffer"]
    path: str


def place(uri: str, windows: bool = _WINDOWS) -> Place | None:
    """What `uri` names; None for documents to be ignored."""
    scheme, colon, rest = uri.partition(":")
    scheme = scheme.lower()
    if not colon:
        return None
    if scheme == "untitled":
        return Place("buffer", uri)
    if scheme != "file":
        return None
    path = _file_path(rest, windows)
    return Place("file", path) if path else Place("buffer", uri)


def from_path(path: str, windows: bool = _WINDOWS) -> str:
    """The `file:` URI of an absolute path."""
    if windows:
        path = path.replace("\\", "/")
        if path[1:2] == ":":
            drive = path[0].lower()
            return "file:///" + drive + "%3A" + quote_from_bytes(os.fsencode(path[2:]), _SAFE)
    if path.startswith("//"):
        return "file:" + quote_from_bytes(os.fsencode(path), _SAFE)
    return "file://" + quote_from_bytes(os.fsencode(path), _SAFE)


def child(folder: str, path: str) -> str:
    """The URI of workspace-relative `path` below a folder URI, keeping the client's own spelling of
    the folder."""
    return folder.rstrip("/") + "/" + quote_from_bytes(os.fsencode(path), _SAFE)


def real(path: str) -> str:
    """`path` with links resolved, in the spelling the disk has: a name may arrive composed (NFC)
    and lie there decomposed (NFD), or the other way round."""
    if not os.path.lexists(path):
        for form in ("NFC", "NFD"):
            other = unicodedata.normalize(form, path)
            if other != path and os.path.lexists(other):
                path = other
                break
        else:
            path = unicodedata.normalize("NFC", path)
    return os.path.realpath(path)


def relative(path: str, root: str) -> str | None:
    """`path` below `root` with `/`, both real; None if it lies elsewhere or is the root itself."""
    base = root.rstrip(os.sep) + os.sep
    if not path.startswith(base) or path == base:
        return None
    return path[len(base) :].replace(os.sep, "/")


def _file_path(rest: str, windows: bool) -> str:
    """The path behind `file:`. `#` and `?` that a sloppy client left bare are part of the name:
    file documents have neither fragment nor query."""
    host = ""
    if rest.startswith("//"):
        host, slash, tail = rest[2:].partition("/")
        rest = slash + tail
    text = os.fsdecode(unquote_to_bytes(rest.encode("utf-8", "surrogatepass")))
    if windows and len(text) > 2 and text[0] == "/" and text[2] == ":" and text[1].isalpha():
        text = text[1].upper() + text[2:]
    if host and host.lower() != "localhost":
        text = f"//{os.fsdecode(unquote_to_bytes(host))}{text}"
    if windows:
        text = text.replace("/", "\\")
    return text
