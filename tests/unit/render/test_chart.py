"""The picture of an overview: nothing overlaps or leaves its place, and it is good XML."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.graph.overview import Cluster, Flow, Overview, Used
from pairwright.render.chart import PAD, WIDTH, Chart, Text, chart, fit
from pairwright.render.chart_svg import html, svg

_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1, max_size=70)
_PATHS = st.lists(_WORDS, min_size=1, max_size=4).map("/".join)
_USED = st.builds(Used, _PATHS, _WORDS, st.integers(1, 99_999))
_CLUSTERS = st.builds(
    Cluster,
    _WORDS,
    st.lists(_PATHS, max_size=5).map(tuple),
    st.lists(_USED, max_size=5).map(tuple),
    st.lists(_PATHS, max_size=5).map(tuple),
)


@st.composite
def overviews(draw: st.DrawFn) -> Overview:
    clusters = draw(st.lists(_CLUSTERS, min_size=1, max_size=12))
    pairs = itertools.permutations(range(len(clusters)), 2)
    flows = tuple(
        Flow(one, two, draw(st.floats(0.01, 1))) for one, two in itertools.islice(pairs, 40)
    )
    return Overview(
        tuple(clusters),
        tuple(sorted(flows, key=lambda flow: -flow.share)),
        tuple(draw(st.lists(_PATHS, max_size=12))),
        tuple(draw(st.lists(_USED, max_size=12))),
        tuple(draw(st.lists(_USED, max_size=12))),
        (("py", 3),),
        3,
        4,
    )


def overlap(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def inside(text: Text, page: Chart) -> bool:
    left, top, right, bottom = text.box
    return left >= 0 and top >= 0 and right <= page.width and bottom <= page.height


@settings(max_examples=60, deadline=None)
@given(overviews())
def test_no_words_overlap_and_none_leave_the_page_or_their_card(found: Overview) -> None:
    page = chart(found, "A title that goes on and on " * 9)
    for one, two in itertools.combinations(page.texts, 2):
        assert not overlap(one.box, two.box), (one, two)
    for text in page.texts:
        assert inside(text, page), text
        for box in page.boxes:
            place = (box.x, box.y, box.x + box.width, box.y + box.height)
            if overlap(text.box, place):
                assert box.x + PAD <= text.box[0] and text.box[2] <= box.x + box.width - PAD + 1
    for box, other in itertools.combinations(page.boxes, 2):
        assert not overlap(
            (box.x, box.y, box.x + box.width, box.y + box.height),
            (other.x, other.y, other.x + other.width, other.y + other.height),
        )
    for curve in page.curves:
        ends = (curve.x1, curve.x2, curve.x1 + curve.bend1 * 0.75, curve.x2 + curve.bend2 * 0.75)
        assert all(0 < x < WIDTH - curve.width / 2 for x in ends)
    assert all(box.x >= 0 and box.x + box.width <= WIDTH for box in page.boxes)


@settings(max_examples=60, deadline=None)
@given(overviews(), _WORDS)
def test_any_words_make_good_xml(found: Overview, title: str) -> None:
    root = ElementTree.fromstring(svg(found, title))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    shown = "".join(root.itertext())
    assert "Left uses right" in shown
    page = html(found, title)
    assert "<script" not in page.replace("&lt;script", "")
    assert page.count("<svg") == 1


@pytest.mark.parametrize("make", [svg, html])
def test_nothing_comes_from_elsewhere(make: object) -> None:
    found = Overview((), (), (), (), (), (), 0, 0)
    text = make(found, "t")  # type: ignore[operator]
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "prefers-color-scheme:dark" in text


@pytest.mark.parametrize(
    ("words", "width", "keep_end", "expected"),
    [
        ("short", 100, False, "short"),
        ("a_very_long_name", 74, False, "a_very_lo…"),
        ("some/long/path.py", 74, True, "…g/path.py"),
        ("漢字漢字漢字", 74, False, "漢字漢字…"),
        ("漢字漢字漢字", 74, True, "…漢字漢字"),
    ],
)
def test_words_are_cut_to_width(words: str, width: float, keep_end: bool, expected: str) -> None:
    assert fit(words, "name", width, keep_end) == expected
