"""What a process has from whoever started it beside environment, folder and pipes: a fork of another one could not
have it otherwise."""

import os
import resource
from pathlib import Path


def place() -> list[object]:
    """Comparable in JSON."""
    mask = os.umask(0)
    os.umask(mask)
    spaces = [str(Path(f"/proc/self/ns/{name}").readlink()) for name in ("user", "mnt", "net")]
    names = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    limits = [list(resource.getrlimit(getattr(resource, name))) for name in names]
    rank = os.getpriority(os.PRIO_PROCESS, 0)
    return [*spaces, *limits, mask, rank, os.getuid(), sorted(os.sched_getaffinity(0))]
