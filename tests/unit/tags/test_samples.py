"""A sample of every language, its tags as goldens, and rules that hold for each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.expect import golden

from pairwright.tags.files import tags_of
from pairwright.tags.languages import language_of
from pairwright.tags.names import signature
from pairwright.tags.table import LANGUAGES
from pairwright.text.lines import LineIndex

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())
samples = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)


def test_every_language_has_a_sample() -> None:
    assert {language_of(path.name, path.read_bytes()) for path in SAMPLES} == set(LANGUAGES)


@samples
def test_tags_of_samples(path: Path) -> None:
    data = path.read_bytes()
    tags = tags_of(path.name, data)
    lines = LineIndex.of(data)
    shown = [f"# {tags.language}, damaged: {tags.damaged}", ""]
    for item in tags.defs:
        first, last = lines.line_at(item.start) + 1, lines.line_at(item.end) + 1
        name = lines.line_at(item.name_start) + 1
        shown.append(f"{first}-{last} {item.kind} {item.name} @{name}: {signature(item, data)}")
    shown += ["", *sorted(set(tags.ref_names)), ""]
    golden(f"tags/{path.name}.txt", "\n".join(shown))


@samples
def test_spans_are_sane(path: Path) -> None:
    data = path.read_bytes()
    tags = tags_of(path.name, data)
    assert not tags.damaged
    assert list(tags.ref_starts) == sorted(set(tags.ref_starts))
    assert len({item.name_start for item in tags.defs}) == len(tags.defs), "one a node"
    assert not {item.name_start for item in tags.defs} & set(tags.ref_starts)
    order = [(item.start, -item.end, item.name_start) for item in tags.defs]
    assert order == sorted(order)
    for item in tags.defs:
        assert item.start <= item.name_start < item.body <= item.end <= len(data)
        assert data[item.name_start :].startswith(item.name.encode())
    for name, start in zip(tags.ref_names, tags.ref_starts, strict=True):
        assert data[start:].startswith(name.encode())


@samples
def test_crlf_moves_nothing(path: Path) -> None:
    data = path.read_bytes()
    crlf = data.replace(b"\n", b"\r\n")
    one, other = tags_of(path.name, data), tags_of(path.name, crlf)
    assert [item[:2] for item in one.defs] == [item[:2] for item in other.defs]
    assert one.ref_names == other.ref_names
    lines, crlf_lines = LineIndex.of(data), LineIndex.of(crlf)
    assert [lines.line_at(item.name_start) for item in one.defs] == [
        crlf_lines.line_at(item.name_start) for item in other.defs
    ]
