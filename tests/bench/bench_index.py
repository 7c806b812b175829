"""What users ask of the index: a hover after a keystroke, a symbol by a few letters, a blast.

In one process and without the wire, whose share is the same for every request.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench.corpora import Corpus
from tests.bench.table import Figure, p95, under

from pairwright.config.schema import Index
from pairwright.engine.impact import impact, of_names
from pairwright.lsp.documents import Located, Root
from pairwright.lsp.handlers.hover import Name, card_of
from pairwright.lsp.handlers.workspace_symbols import search
from pairwright.lsp.names import KnownNames
from pairwright.lsp.views import Views
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

HOVERS = 60
BUDGET = 1024
QUERIES = (
    "s",
    "se",
    "set",
    "setu",
    "setup",
    "gcn",
    "entity",
    "flwmgr",
    "model.save",
    "query filter",
)
"""As typed, letter by letter, then initials, gaps, and what stands around."""


def index(corpus: Corpus) -> list[Figure]:
    """Hover, symbols and blast in `corpus`."""
    # As the server does.
    sys.setswitchinterval(0.0005)
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        host = Host(str(corpus.root), Index(), cache)
        host.scan()
        try:
            return [*hovers(host, corpus), *symbols(host, corpus), *blasts(host, corpus)]
        finally:
            host.stop()
            cache.close()


def hovers(host: Host, corpus: Corpus) -> Iterable[Figure]:
    """A hover right behind a keystroke, each over another name of the open file; the map is made in
    the background, as in the server."""
    uri = (corpus.root / corpus.typed).as_uri()
    data = (corpus.root / corpus.typed).read_bytes()
    document = host.open(corpus.typed, uri, 0, corpus.language, data)
    at = Located(Root(str(corpus.root), uri, host), corpus.typed, uri)
    tags = host.snapshot().tags(corpus.typed)
    step = max(1, len(tags.ref_names) // HOVERS)
    with ThreadPoolExecutor(1) as background:
        views = Views(lambda job: background.submit(job) and None)
        views.warm(host.snapshot(), BUDGET)
        time.sleep(2)
        times = []
        for version, number in enumerate(range(0, len(tags.ref_names), step), 1):
            document, edit = document.splice(0, 0, b"\n", version)
            host.change(corpus.typed, document, [edit])
            snapshot = host.snapshot()
            name = tags.ref_names[number]
            start = tags.ref_starts[number] + version
            used = Name(name, start, start + len(name.encode()))
            times.append(
                _timed(lambda s=snapshot, n=used: card_of(s, lambda: views.of(s, BUDGET), at, n))
            )
            time.sleep(0.02)
    yield under(f"hover after a keystroke, {corpus.name}, p95", 20, p95(times))


def symbols(host: Host, corpus: Corpus) -> Iterable[Figure]:
    snapshot, names = host.snapshot(), KnownNames()
    names.warm(snapshot)
    first = [_timed(lambda q=query: search(snapshot, names, q, lambda: None)) for query in QUERIES]
    yield under(f"workspace/symbol, {corpus.name}, slowest of {len(first)}", 50, max(first))


def blasts(host: Host, corpus: Corpus) -> Iterable[Figure]:
    """The definitions of the open file that most files refer to."""
    snapshot = host.snapshot()
    own = {item.name for item in snapshot.tags(corpus.typed).defs}
    common = sorted(own, key=lambda name: (-len(snapshot.referrers(name)), name))[:10]
    times = [_timed(lambda n=name: impact(snapshot, of_names(snapshot, [n]))) for name in common]
    yield under(f"blast to depth 2, {corpus.name}, slowest of {len(times)}", 500, max(times))


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
