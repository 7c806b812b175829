"""An index as bytes and back: columns, the same bytes for the same texts wherever and in whatever order it was built.

Read strictly: what another version wrote, or what is damaged, gives None and is built again.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import msgpack

from pairwright.reference.content import RECIPE as UNITS
from pairwright.reference.contents import Text
from pairwright.reference.index import Index, Place, factors
from pairwright.tags.files import recipe

FORMAT = f"index2-{UNITS}"
"""Changes whenever the same texts would give another index."""


def key_of_texts(texts: Sequence[Text]) -> str:
    """What names the index of `texts`: a digest of their paths, contents and languages, and of the code."""
    rows = [(text.path, text.digest, text.language) for text in sorted(texts, key=_path)]
    return sha256(_pack([FORMAT, recipe(), rows])).hexdigest()


def packed(index: Index, key: str) -> bytes:
    """`index`, named `key`, as bytes."""
    places = index.places
    paths = list(dict.fromkeys(place.path for place in places))
    kinds = sorted({place.kind for place in places})
    number = {path: at for at, path in enumerate(paths)}
    of_kind = {kind: at for at, kind in enumerate(kinds)}
    return _pack(
        [
            *(FORMAT, key, paths, kinds),
            [number[place.path] for place in places],
            [place.number for place in places],
            [of_kind[place.kind] for place in places],
            [place.name for place in places],
            [place.uses for place in places],
            *(index.keys.tobytes(), index.ends.tobytes()),
            *(index.owners.tobytes(), index.points.tobytes()),
        ]
    )


def unpacked(blob: bytes, key: str) -> Index | None:
    """The index named `key` that `packed` made; None for anything else."""
    import numpy as np

    try:
        form, named, paths, kinds, *columns, keys, ends, owners, points = msgpack.unpackb(
            blob, unicode_errors="surrogatepass"
        )
        if (form, named) != (FORMAT, key):
            return None
        places = tuple(
            Place(paths[path], index, kinds[kind], name, uses)
            for path, index, kind, name, uses in zip(*columns, strict=True)
        )
        found = Index(
            places,
            np.frombuffer(keys, "<u4"),
            np.frombuffer(ends, "<u4"),
            np.frombuffer(owners, "<u4"),
            np.frombuffer(points, "<f4"),
            factors(places),
        )
    except (ValueError, TypeError, IndexError, msgpack.UnpackException):
        return None
    return found if _is_whole(found) else None


def _is_whole(index: Index) -> bool:
    """Whether every number in `index` leads to something."""
    ends, owners = index.ends, index.owners
    sizes = (len(ends) == len(index.keys) + 1, len(owners) == len(index.points))
    if not all(sizes) or int(ends[-1]) != len(owners) or (ends[1:] < ends[:-1]).any():
        return False
    return not len(owners) or int(owners.max()) < len(index.places)


def _path(text: Text) -> str:
    return text.path


def _pack(value: object) -> bytes:
    blob: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    return blob
