"""The proposals of one workspace: the one writer of their states, journaled before anyone sees
them.

A state changes here first in the journal and then in memory. What the journal cannot keep stays
usable until the server ends, and `problem` says so. Belongs to the event loop's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast, get_args

import msgpack

from pairwright.edits.types import FileChange, Hunk
from pairwright.engine.ports import Journal
from pairwright.engine.proposals import (
    HunkState,
    Kind,
    Proposal,
    ProposedFile,
    ProposedHunk,
    propose,
)
from pairwright.engine.refine import View, refined
from pairwright.workspace.types import Snapshot

_FORMAT = 1
_KEEP_CLOSED = 100


class Proposals:
    """Every proposal by id, in the order of creation."""

    def __init__(
        self,
        journal: Journal,
        suffix: Callable[[], str],
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Comes up with what `journal` holds. `suffix`: a few random characters, so that two
        servers of one workspace never use the same id. `changed`: told of every new state."""
        self._journal = journal
        self._changed = changed
        self._suffix = suffix
        self.problem = ""
        loaded: list[Proposal] = []
        for key, value in sorted(journal.items().items()):
            try:
                loaded.append(decode(value))
            except ValueError as error:
                self.problem = f"The stored proposal {key} cannot be read and is left out: {error}"
        loaded.sort(key=lambda proposal: (proposal.order, proposal.id))
        self._all = {proposal.id: proposal for proposal in loaded}

    def propose(
        self,
        changes: Sequence[FileChange],
        request: str,
        snapshot: Snapshot,
        created: float,
        missing: Sequence[str] = (),
    ) -> Proposal:
        """A new proposal of `changes`, which were planned on `snapshot`; stored when this
        returns."""
        order = 1 + max((proposal.order for proposal in self._all.values()), default=0)
        proposal = propose(
            changes,
            request,
            snapshot.document,
            id=f"p{order}-{self._suffix()}",
            created=created,
            order=order,
            missing=missing,
        )
        self.put(proposal)
        self._forget_closed()
        return proposal

    def refine(
        self, view: View, changes: Sequence[FileChange], missing: Sequence[str] = ()
    ) -> Proposal:
        """A new state of the proposal that `view` shows: what waited in it is replaced by `changes`, planned on
        `view`."""
        proposal = self._all.get(view.proposal.id, view.proposal)
        self.put(refined(proposal, changes, view, missing))
        return self._all[proposal.id]

    def found(self, id: str, findings: Sequence[str]) -> None:
        """What checks have against a proposal, to be shown with it after a restart as well."""
        proposal = self._all.get(id)
        if proposal is not None and proposal.findings != tuple(findings):
            self.put(replace(proposal, findings=tuple(findings)))

    def put(self, proposal: Proposal) -> None:
        """Keep a new state of a proposal."""
        try:
            self._journal.put(proposal.id, encode(proposal))
        except OSError as error:
            self.problem = (
                f"Proposal {proposal.id} could not be stored ({error.strerror or error}): "
                "it will be gone after a restart. Free some space in the data folder."
            )
        self._all[proposal.id] = proposal
        self._changed()

    def get(self, id: str) -> Proposal | None:
        return self._all.get(id)

    def all(self) -> tuple[Proposal, ...]:
        """In the order of creation."""
        return tuple(self._all.values())

    def pending(self) -> tuple[Proposal, ...]:
        """Those with something left to choose, in the order of creation."""
        return tuple(proposal for proposal in self._all.values() if proposal.open)

    def last(self) -> Proposal | None:
        """The newest with something left to choose."""
        return next(reversed(self.pending()), None)

    def holding(self, path: str) -> tuple[Proposal, ...]:
        """Those with pending hunks in `path`, in the order of creation."""
        return tuple(
            proposal
            for proposal in self.pending()
            if any(file.at == path and file.pending for file in proposal.files)
        )

    def _forget_closed(self) -> None:
        closed = [proposal.id for proposal in self._all.values() if not proposal.open]
        for id in closed[:-_KEEP_CLOSED]:
            del self._all[id]
            try:
                self._journal.delete(id)
            except OSError as error:
                self.problem = f"The old proposal {id} could not be removed: {error}"


def encode(proposal: Proposal) -> bytes:
    """A proposal as bytes for the journal."""
    return cast(
        bytes,
        msgpack.packb(
            {
                "format": _FORMAT,
                "id": proposal.id,
                "request": _wire(proposal.request),
                "created": proposal.created,
                "order": proposal.order,
                "missing": [_wire(line) for line in proposal.missing],
                "findings": [_wire(line) for line in proposal.findings],
                "files": [_file(file) for file in proposal.files],
            }
        ),
    )


def decode(value: bytes) -> Proposal:
    """The inverse of `encode`. Raises ValueError on anything else."""
    try:
        tree = msgpack.unpackb(value)
        if tree["format"] != _FORMAT:
            raise ValueError(f"format {tree['format']} is not {_FORMAT}")
        return Proposal(
            id=tree["id"],
            request=_text(tree["request"]),
            created=float(tree["created"]),
            files=tuple(_read_file(file) for file in tree["files"]),
            missing=tuple(_text(line) for line in tree["missing"]),
            order=int(tree["order"]),
            findings=tuple(_text(line) for line in tree.get("findings", ())),
        )
    except (KeyError, IndexError, TypeError, AttributeError, msgpack.UnpackException) as error:
        raise ValueError(f"it is damaged ({type(error).__name__})") from error


def _wire(text: str) -> bytes:
    # Paths and requests may hold what is no valid UTF-8.
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _file(file: ProposedFile) -> list[Any]:
    hunks = [
        [h.id, h.hunk.start, h.hunk.end, h.hunk.new, h.hunk.approximate, h.state, h.old, h.accept]
        for h in file.hunks
    ]
    return [
        _wire(file.path),
        file.kind,
        file.base_version,
        file.base_digest,
        file.before,
        hunks,
        None if file.moved_from is None else _wire(file.moved_from),
    ]


def _read_file(value: Iterable[Any]) -> ProposedFile:
    path, kind, version, base_digest, before, hunks, *rest = value
    if kind not in get_args(Kind):
        raise ValueError(f"unknown kind {kind}")
    return ProposedFile(
        _text(path),
        kind,
        version,
        base_digest,
        before,
        tuple(_read_hunk(hunk) for hunk in hunks),
        _text(rest[0]) if rest and rest[0] is not None else None,
    )


def _read_hunk(value: Iterable[Any]) -> ProposedHunk:
    id, start, end, new, approximate, state, old, accept = value
    if state not in get_args(HunkState):
        raise ValueError(f"unknown state {state}")
    return ProposedHunk(id, Hunk(start, end, new, approximate), state, old, accept)
