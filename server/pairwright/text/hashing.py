"""The one digest of contents: identity everywhere is path plus this."""

from hashlib import sha256


def digest(data: bytes) -> str:
    """SHA-256 of `data` in lower-case hex (64 characters)."""
    return sha256(data).hexdigest()
