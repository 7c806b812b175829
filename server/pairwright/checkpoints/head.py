"""Where the user's repository stands at this moment: commit and branch, only read."""

from __future__ import annotations

import re


def head_of(root: str) -> tuple[str, str]:
    """Commit id and branch of the user's repository around `root`, each empty where there is none:
    no repository, an unborn or detached HEAD, one that cannot be read. Reads HEAD and refs only,
    writes nothing, never raises."""
    from dulwich.errors import FileFormatException, NotGitRepository, RefFormatError
    from dulwich.refs import SymrefLoop, check_ref_format
    from dulwich.repo import (
        InvalidWorktreeConfiguration,
        Repo,
        UnsupportedExtension,
        UnsupportedVersion,
    )

    broken = (
        FileFormatException,
        IndexError,
        InvalidWorktreeConfiguration,
        KeyError,
        NotGitRepository,
        NotImplementedError,
        OSError,
        RefFormatError,
        SymrefLoop,
        UnsupportedExtension,
        UnsupportedVersion,
        ValueError,
    )
    try:
        with Repo.discover(root) as repo:
            names, id = repo.refs.follow(b"HEAD")  # type: ignore[arg-type]
    except broken:
        return "", ""
    branch = names[-1] if len(names) > 1 and check_ref_format(names[-1]) else b""
    head = id or b""
    if not re.fullmatch(rb"[0-9a-f]{40}|[0-9a-f]{64}", head):
        head = b""
    return head.decode("ascii"), branch.removeprefix(b"refs/heads/").decode("utf-8", "replace")
