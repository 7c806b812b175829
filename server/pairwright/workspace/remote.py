"""Derived values that another machine has worked out, read from any address fsspec knows.

Read only. Values lie in packs; a pack is named by the SHA-256 of its bytes, so what was damaged on the way counts for
nothing. Whatever goes wrong is logged once, and from then on everything is worked out here. Any thread may call;
calls wait for the network.
"""

from __future__ import annotations

import json
import logging
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgpack

from pairwright.config.paths import cache_dir
from pairwright.workspace.cache import Cache, Values

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

VARIABLE = "PAIRWRIGHT_STORE"
"""Names the address. Of the environment and no setting, so that no file of a repository can name one."""

LISTING = "store.json"
_FORMAT = 1
_PACK_BYTES = 4_000_000
_MOST_BITS = 8
_MOST_PACK = 256_000_000
_SECONDS = 30.0


def store(env: Mapping[str, str]) -> Cache:
    """The store of derived values of a user, with the remote one behind it that `env` names."""
    url = env.get(VARIABLE, "")
    return Cache(cache_dir(env) / "index", Remote(url) if url else None)


class Remote:
    """What lies at `url`, pack by pack at first need. `seconds`: the longest that one file may take."""

    def __init__(self, url: str, seconds: float = _SECONDS) -> None:
        self._url = url.rstrip("/")
        self._seconds = seconds
        self._lock = threading.Lock()
        self._listing: tuple[int, Mapping[str, str]] | None = None
        self._is_off = False
        self._asked: set[str] = set()

    def fetch(self, keys: Sequence[bytes], is_here: Callable[[bytes], bool]) -> Values:
        """The values of all packs that may hold one of `keys`, each pack once; those whose mark `is_here` are not
        read again. The mark is among the values."""
        with self._lock:
            if self._is_off:
                return {}
            try:
                return self._fetched(keys, is_here)
            except (OSError, ValueError, TypeError, KeyError) as error:
                self._give_up(str(error) or type(error).__name__)
        return {}

    def _fetched(self, keys: Sequence[bytes], is_here: Callable[[bytes], bool]) -> Values:
        if self._listing is None:
            self._listing = _listed(self._read(LISTING))
        bits, packs = self._listing
        found: dict[bytes, bytes] = {}
        for part in sorted({_part(key, bits) for key in keys}):
            name = packs.get(part, "")
            if not name or name in self._asked:
                continue
            self._asked.add(name)
            mark = sha256(f"pack {name}".encode()).digest()[:20]
            if is_here(mark):
                continue
            blob = self._read(f"{name}.pack")
            if sha256(blob).hexdigest() != name:
                raise ValueError(f"{name}.pack is damaged")
            found.update(unpacked(blob))
            found[mark] = b""
        return found

    def _read(self, name: str) -> bytes:
        """The file `name`. An address that hangs is left alone after a while."""

        def read() -> bytes:
            import fsspec

            with fsspec.open(f"{self._url}/{name}", "rb") as file:
                data: bytes = file.read(_MOST_PACK)
            return data

        return _within(self._seconds, read)

    def _give_up(self, reason: str) -> None:
        self._is_off = True
        line = "the store at %s cannot be read (%s): going on without it"
        _log.warning(line, self._url, reason)


def publish(
    values: Iterable[tuple[bytes, bytes]],
    size: int,
    url: str,
    report: Callable[[int, int], None] | None = None,
) -> int:
    """Write `values` (key and value, sorted by key; about `size` bytes together) below `url`, for `Remote` to read;
    how many packs. What lay there before stays, but for the listing, which comes last. `report` is told behind each
    pack how many of how many parts lie before it, and at the end. Raises what fsspec does."""
    import fsspec

    bits = min(_MOST_BITS, max(0, (size // _PACK_BYTES).bit_length()))
    packs: dict[str, str] = {}
    part: dict[bytes, bytes] = {}
    base = url.rstrip("/")
    place = fsspec.core.url_to_fs(base)
    place[0].makedirs(place[1], exist_ok=True)

    def close(name: str) -> None:
        blob = packed(part)
        packs[name] = sha256(blob).hexdigest()
        with fsspec.open(f"{base}/{packs[name]}.pack", "wb") as file:
            file.write(blob)
        part.clear()
        if report is not None:
            report(int(name, 16), 1 << bits)

    at = ""
    for key, value in values:
        if part and _part(key, bits) != at:
            close(at)
        at = _part(key, bits)
        part[key] = value
    if part:
        close(at)
    listing = {"format": _FORMAT, "bits": bits, "packs": packs}
    with fsspec.open(f"{base}/{LISTING}", "wb") as file:
        file.write(json.dumps(listing, sort_keys=True).encode())
    if report is not None:
        report(1 << bits, 1 << bits)
    return len(packs)


def packed(values: Mapping[bytes, bytes]) -> bytes:
    """`values` as the bytes of a pack, the same whatever their order."""
    blob: bytes = msgpack.packb([[key, values[key]] for key in sorted(values)])
    return zlib.compress(blob, 6)


def unpacked(blob: bytes) -> dict[bytes, bytes]:
    """The values of a pack. Raises ValueError."""
    opened = zlib.decompressobj()
    try:
        data = opened.decompress(blob, _MOST_PACK)
        if opened.unconsumed_tail:
            raise ValueError("a pack is too large")
        return {bytes(key): bytes(value) for key, value in msgpack.unpackb(data)}
    except (zlib.error, msgpack.UnpackException, TypeError) as error:
        raise ValueError(f"a pack is damaged: {error}") from error


def _listed(blob: bytes) -> tuple[int, Mapping[str, str]]:
    listing: Any = json.loads(blob)
    if listing["format"] != _FORMAT:
        raise ValueError(f"its format is {listing['format']}")
    return int(listing["bits"]), dict(listing["packs"])


def _part(key: bytes, bits: int) -> str:
    """Which pack has `key`: its first bits, as a number."""
    return f"{key[0] >> (8 - bits):02x}" if bits else "00"


def _within(seconds: float, job: Callable[[], _T]) -> _T:
    """`job` in a thread that is left behind when it takes too long. Raises OSError, whatever `job` does."""
    done: list[_T] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            done.append(job())
        except Exception as error:  # noqa: BLE001  each kind of address has errors of its own
            failed.append(error)

    thread = threading.Thread(target=run, name="remote", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise OSError(str(failed[0]) or type(failed[0]).__name__) from failed[0]
    if not done:
        raise TimeoutError(f"no answer within {seconds:g} s")
    return done[0]
