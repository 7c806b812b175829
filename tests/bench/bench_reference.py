"""How often a docstring finds its function in a wheel whose docstrings were taken out, and what the index costs.

    python -m tests.bench.bench_reference [--seed N] [--only django,networkx,sympy]

400 functions a wheel with a docstring of eight terms or more; the request is the whole docstring; found means among
the first five of an answer that is not "no match". Then each request goes to the other two wheels, whose answer
should be that. The baseline is BM25 (k1 1.2, b 0.75) over the split identifiers of signature and body of every
function, in the same files. Wheels are fetched at first use.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import resource
import shutil
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
from tests.bench.corpora import folder, wheel

from pairwright.config.schema import Index as Settings
from pairwright.reference.build import Built, build
from pairwright.reference.index import EVIDENCE
from pairwright.tags.words import split
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

WHEELS = {"django": "django==5.1.*", "networkx": "networkx==3.4.2", "sympy": "sympy==1.13.3"}
QUERIES = 400
TERMS = 8
TOP = 5
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Target:
    """One function. `line`: of its `def`, from 1. `code`: its lines without its docstring. `doc`: that, or None."""

    path: str
    line: int
    code: str
    doc: str | None


@dataclass(frozen=True)
class Rates:
    """`baseline`, `ours`: shares of the requests that found. `scan`, `index`: processor seconds of the tags, and
    of tags and index together, of the files as they are, from nothing."""

    name: str
    functions: int
    baseline: float
    ours: float
    scan: float
    index: float
    kept: float
    """Of the requests whose function is among the first five, those that are not answered by no match."""


@dataclass(frozen=True)
class Asked:
    """A wheel with its requests."""

    name: str
    built: Built
    requests: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(WHEELS))
    args = parser.parse_args()
    print("| wheel | functions | baseline | ours | ratio | kept | tags, s | index, s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    all_: list[Asked] = []
    for name in args.only.split(","):
        one, asked = rates(name, args.seed)
        all_.append(asked)
        print(
            f"| {one.name} | {one.functions:,} | {one.baseline:.3f} | {one.ours:.3f} "
            f"| {one.ours / one.baseline:.2f} | {one.kept:.3f} | {one.scan:.1f} | {one.index:.1f} "
            f"| {one.index / one.scan:.2f} |",
            flush=True,
        )
    print("\n| requests of | to | no match |\n|---|---|---|")
    for asked in all_:
        for other in all_:
            if other is not asked:
                print(f"| {asked.name} | {other.name} | {_no_match(asked, other):.3f} |")


def _no_match(asked: Asked, other: Asked) -> float:
    """How often what one wheel does is not found in the other."""
    empty = sum(not other.built.index.search(request, TOP) for request in asked.requests)
    return empty / len(asked.requests)


def rates(name: str, seed: int) -> tuple[Rates, Asked]:
    """All figures of one wheel."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, name).resolve()
        original = Path(place, "original")
        original.mkdir()
        wheel(WHEELS[name], original, name)
        shutil.copytree(original, root)
        targets = list(_stripped(root))
        fit = [at for at, one in enumerate(targets) if one.doc and len(_terms(one.doc)) >= TERMS]
        chosen = sorted(random.Random(seed).sample(fit, QUERIES))
        baseline = _baseline(targets, chosen)
        built = build(str(root), Cache(None))
        found = [_is_found(built, targets[at], 0.0) for at in chosen]
        ours = [_is_found(built, targets[at], EVIDENCE) for at in chosen]
        scan, index = _costs(original.resolve())
    requests = tuple(targets[at].doc or "" for at in chosen)
    of_all, kept = sum(ours) / len(chosen), sum(ours) / sum(found)
    one = Rates(name, len(targets), baseline, of_all, scan, index, kept)
    return one, Asked(name, built, requests)


def _costs(root: Path) -> tuple[float, float]:
    """Processor seconds, children's included: of the scan, then of scan and index together."""
    with tempfile.TemporaryDirectory() as cold:
        began = _spent()
        host = Host(str(root), Settings(), Cache(Path(cold)))
        host.scan(None)
        host.stop()
        scan = _spent() - began
    with tempfile.TemporaryDirectory() as cold:
        began = _spent()
        build(str(root), Cache(Path(cold)))
        return scan, _spent() - began


def _spent() -> float:
    use = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in use)


def _is_found(built: Built, target: Target, evidence: float) -> bool:
    assert target.doc is not None
    for hit in built.index.search(target.doc, TOP, evidence=evidence):
        if hit.path != target.path:
            continue
        tagged = built.tagged(hit.path)
        assert tagged is not None
        document, tags = tagged
        if document.lines.line_at(tags.defs[hit.index].name_start) + 1 == target.line:
            return True
    return False


def _stripped(root: Path) -> Iterator[Target]:
    """Every function below `root`, after all docstrings were taken out of the files there."""
    for path in sorted(root.rglob("*.py")):
        try:
            source = path.read_text(encoding="utf-8")
            tree = ast.parse(source)
        except (ValueError, SyntaxError):
            path.unlink()
            continue
        bare = _without_docstrings(source, tree)
        path.write_text("\n".join(bare), encoding="utf-8")
        for node in ast.walk(tree):
            if isinstance(node, _Function):
                code = "\n".join(bare[node.lineno - 1 : node.end_lineno])
                doc = ast.get_docstring(node)
                yield Target(str(path.relative_to(root)), node.lineno, code, doc)


def _without_docstrings(source: str, tree: ast.Module) -> list[str]:
    """The lines of `source`, as many as before."""
    lines = source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, (_Function, ast.ClassDef, ast.Module)):
            continue
        first = node.body[0] if node.body else None
        if first is None or ast.get_docstring(node, clean=False) is None:
            continue
        if first.lineno == getattr(node, "lineno", 0):
            continue
        assert first.end_lineno is not None
        for at in range(first.lineno - 1, first.end_lineno):
            lines[at] = ""
        if len(node.body) == 1:
            lines[first.lineno - 1] = textwrap.indent("pass", " " * first.col_offset)
    return lines


def _baseline(targets: Sequence[Target], chosen: Sequence[int]) -> float:
    """The share of the chosen that BM25 over split identifiers finds."""
    texts = [Counter(_terms(" ".join(_IDENTIFIER.findall(one.code)))) for one in targets]
    sizes = np.array([sum(text.values()) for text in texts], float)
    postings: dict[str, list[tuple[int, int]]] = {}
    for at, text in enumerate(texts):
        for term, count in text.items():
            postings.setdefault(term, []).append((at, count))
    norm = 1.2 * (0.25 + 0.75 * sizes / sizes.mean())
    found = 0
    for at in chosen:
        total = np.zeros(len(targets))
        for term in dict.fromkeys(_terms(targets[at].doc or "")):
            held = np.array(postings.get(term, ()), int).reshape(-1, 2)
            owners, counts = held[:, 0], held[:, 1]
            idf = log(1 + (len(targets) - len(held) + 0.5) / (len(held) + 0.5))
            total[owners] += idf * counts * 2.2 / (counts + norm[owners])
        found += at in np.argsort(-total, kind="stable")[:TOP]
    return found / len(chosen)


def _terms(text: str) -> list[str]:
    return [term for word in re.findall(r"\w+", text) for term in split(word)]


if __name__ == "__main__":
    folder()
    main()
