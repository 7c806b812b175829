"""Where everything of an overview stands on the page: cards in columns, curves between them, lists.

Geometry and words only, in pixels; `chart_svg` makes text of it. Widths of letters are estimated
high, so that nothing is wider than its place. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from unicodedata import east_asian_width

from pairwright.graph.overview import Cluster, Flow, Overview, Used

Style = Literal["title", "head", "name", "note", "count", "start"]

WIDTH = 1240
MARGIN = 32
CARD = 250
GAP_X = 58
GAP_Y = 30
PAD = 14
LINE = 18

_TOP = 104
_SIZES: dict[Style, float] = {
    "title": 13.0,
    "head": 9.2,
    "name": 7.4,
    "note": 6.9,
    "count": 6.9,
    "start": 7.4,
}
"""Pixels a letter takes at most, on average."""

# Three quarters of it is how far a curve within a column reaches out: less than the margin.
_ARC = 34
_CURVES = 26
_EACH = 3
_FAINT = 0.006
_STARTS = 3


class Text(NamedTuple):
    """A line of text. `x`, `y`: the left (or, `at_end`, right) end of its base line. `full`: the
    whole of what was cut."""

    x: float
    y: float
    words: str
    style: Style
    full: str = ""
    at_end: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom: what it covers at most."""
        wide = _cells(self.words) * _SIZES[self.style]
        left = self.x - wide if self.at_end else self.x
        tall = 22.0 if self.style == "title" else 14.0
        return left, self.y - tall * 0.8, left + wide, self.y + tall * 0.25


class Box(NamedTuple):
    """A card. `hue`: number of its colour."""

    x: float
    y: float
    width: float
    height: float
    hue: int
    note: str


class Curve(NamedTuple):
    """A reference between cards, from `x1, y1` to `x2, y2`. `bend`: how far the handles reach out,
    negative to the left. `back`: against the reading direction."""

    x1: float
    y1: float
    x2: float
    y2: float
    bend1: float
    bend2: float
    width: float
    hue: int
    back: bool
    note: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A page of `width` by `height`."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    texts: tuple[Text, ...]


def chart(found: Overview, title: str) -> Chart:
    """The page of `found` under the name `title`."""
    columns = _columns(found)
    boxes, texts = _cards(found, columns)
    bottom = max((box.y + box.height for box in boxes.values()), default=float(_TOP))
    lists, bottom = _lists(found, bottom + 40)
    place = {number: column for column, numbers in enumerate(columns) for number in numbers}
    curves = _curves(found, boxes, place)
    header = _header(found, title)
    ordered = tuple(boxes[number] for number in sorted(boxes))
    return Chart(WIDTH, bottom + MARGIN, ordered, curves, (*header, *texts, *lists))


def fit(words: str, style: Style, width: float, keep_end: bool = False) -> str:
    """`words`, cut to `width` pixels; paths keep their end."""
    most = max(1, int(width / _SIZES[style]))
    if _cells(words) <= most:
        return words
    kept = 0
    room = most - 1
    for char in reversed(words) if keep_end else words:
        room -= _cells(char)
        if room < 0:
            break
        kept += 1
    return f"…{words[len(words) - kept :]}" if keep_end else f"{words[:kept]}…"


def _cells(words: str) -> int:
    """Letters of `words`, wide ones counted twice."""
    if words.isascii():
        return len(words)
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in words)


def _header(found: Overview, title: str) -> list[Text]:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in found.kinds[:5])
    facts = f"{found.count:,} files with code ({kinds}), {found.defined:,} definitions"
    how = (
        "Left uses right, by static references; a wider line is more of them. "
        "Dashed: the other way round. ▸ starts here: nothing refers to it."
    )
    return [
        Text(MARGIN, 46, fit(title, "title", WIDTH - 2 * MARGIN), "title", title),
        Text(MARGIN, 68, fit(facts, "note", WIDTH - 2 * MARGIN), "note"),
        Text(MARGIN, 86, fit(how, "note", WIDTH - 2 * MARGIN), "note"),
    ]


def _columns(found: Overview) -> list[list[int]]:
    """Numbers of the clusters column by column: the order of the overview, filled downwards; within
    a column each beside those it is linked to."""
    count = len(found.clusters)
    most = _fitting()
    wide = min(most, max(1, -(-count // 2)))
    sizes = [count // wide + (column < count % wide) for column in range(wide)]
    columns: list[list[int]] = []
    start = 0
    for size in sizes:
        columns.append(list(range(start, start + size)))
        start += size
    for index in range(1, wide):
        columns[index] = _beside(columns[index], columns[index - 1], found.flows)
    return columns


def _fitting() -> int:
    return int((WIDTH - 2 * MARGIN + GAP_X) // (CARD + GAP_X))


def _beside(column: list[int], before: list[int], flows: Sequence[Flow]) -> list[int]:
    """`column` in the order of where its links to the column `before` pull it."""
    height = {number: float(row) for row, number in enumerate(before)}

    def pull(number: int) -> float:
        near = [
            (height[one], flow.share)
            for flow in flows
            for one, two in ((flow.source, flow.target), (flow.target, flow.source))
            if two == number and one in height
        ]
        total = sum(share for _, share in near)
        return round(sum(at * share for at, share in near) / total, 9) if total else len(before) / 2

    return sorted(column, key=lambda number: (pull(number), number))


def _cards(found: Overview, columns: Sequence[Sequence[int]]) -> tuple[dict[int, Box], list[Text]]:
    boxes: dict[int, Box] = {}
    texts: list[Text] = []
    for column, numbers in enumerate(columns):
        x, y = MARGIN + column * (CARD + GAP_X), float(_TOP)
        for number in numbers:
            lines = _card(found.clusters[number], x, y)
            height = lines[-1].y - y + PAD
            cluster = found.clusters[number]
            note = f"{cluster.title}: {len(cluster.files):,} files"
            boxes[number] = Box(x, y, CARD, height, number, note)
            texts += lines
            y += height + GAP_Y
    return boxes, texts


def _card(cluster: Cluster, x: float, y: float) -> list[Text]:
    left, right = x + PAD, x + CARD - PAD
    noun = "file" if len(cluster.files) == 1 else "files"
    size = f"{len(cluster.files):,} {noun}"
    room = CARD - 2 * PAD - len(size) * _SIZES["count"] - 8
    lines = [
        Text(left, y + 24, fit(cluster.title, "head", room), "head", cluster.title),
        Text(right, y + 24, size, "count", "", True),
    ]
    at = y + 24 + LINE + 3
    for item in cluster.top:
        lines += _pair(left, right, at, item.name, f"{item.files:,}", item)
        at += LINE
    for path in cluster.starts[:_STARTS]:
        tail = "/".join(path.split("/")[-2:])
        words = fit(tail, "start", CARD - 2 * PAD - 2 * _SIZES["start"], keep_end=True)
        lines.append(Text(left, at, f"▸ {words}", "start", path))
        at += LINE
    return lines


def _pair(left: float, right: float, y: float, words: str, count: str, item: Used) -> list[Text]:
    room = right - left - len(count) * _SIZES["count"] - 8
    full = f"{item.path}: {item.name}" if item.name else item.path
    shown = fit(words, "name", room, keep_end=not item.name)
    return [
        Text(left, y, shown, "name", f"{full}, {item.files:,} files refer to it"),
        Text(right, y, count, "count", "", True),
    ]


def _lists(found: Overview, top: float) -> tuple[list[Text], float]:
    """Three lists side by side: definitions, files, entry points; and where they end."""
    third = (WIDTH - 2 * MARGIN - 2 * GAP_X) / 3
    texts: list[Text] = []
    ends = [top]
    columns: tuple[tuple[str, list[tuple[str, Used | None]]], ...] = (
        ("Most used definitions", [(item.name, item) for item in found.definitions]),
        ("Most used files", [(item.path, item) for item in found.files]),
        ("Where it starts", [(path, None) for path in found.starts]),
    )
    for index, (head, rows) in enumerate(columns):
        left = MARGIN + index * (third + GAP_X)
        texts.append(Text(left, top, fit(head, "head", third), "head"))
        at = top + LINE + 6
        for words, item in rows:
            if item is not None:
                texts += _pair(left, left + third, at, words, f"{item.files:,}", item)
            else:
                texts.append(Text(left, at, fit(words, "name", third, True), "name", words))
            at += LINE
        ends.append(at)
    return texts, max(ends)


def _curves(found: Overview, boxes: dict[int, Box], place: dict[int, int]) -> tuple[Curve, ...]:
    """The strongest references, a few from each card, the weak ones first so that they lie below."""
    kept: list[Flow] = []
    each: dict[int, int] = {}
    for flow in found.flows:
        if flow.share < _FAINT or len(kept) >= _CURVES:
            break
        if each.get(flow.source, 0) < _EACH:
            each[flow.source] = each.get(flow.source, 0) + 1
            kept.append(flow)
    most = max((flow.share for flow in kept), default=1.0)
    ports = _Ports(boxes)
    curves = [_curve(found, boxes, place, flow, most, ports) for flow in kept]
    return tuple(reversed(curves))


class _Ports:
    """Spreads the ends of curves over the sides of the cards."""

    def __init__(self, boxes: dict[int, Box]) -> None:
        self._boxes = boxes
        self._taken: dict[tuple[int, bool], int] = {}

    def next(self, number: int, right: bool) -> tuple[float, float]:
        box = self._boxes[number]
        turn = self._taken.get((number, right), 0)
        self._taken[number, right] = turn + 1
        # From the middle outwards, above and below in turn.
        step = (turn + 1) // 2 * 11 * (1 if turn % 2 else -1)
        y = box.y + box.height / 2 + max(-box.height / 2 + 12, min(box.height / 2 - 12, step))
        return (box.x + box.width if right else box.x), y


def _curve(
    found: Overview,
    boxes: dict[int, Box],
    place: dict[int, int],
    flow: Flow,
    most: float,
    ports: _Ports,
) -> Curve:
    one, two = flow.source, flow.target
    from_column, to_column = place[one], place[two]
    right1, right2 = from_column <= to_column, from_column >= to_column
    x1, y1 = ports.next(one, right1)
    x2, y2 = ports.next(two, right2)
    reach = _ARC if from_column == to_column else abs(x2 - x1) / 2
    width = round(1.2 + 6.0 * (flow.share / most) ** 0.7, 2)
    titles = found.clusters[one].title, found.clusters[two].title
    note = f"{titles[0]} → {titles[1]}: {flow.share:.0%} of the references between clusters"
    bend1, bend2 = (reach if right1 else -reach), (reach if right2 else -reach)
    hue = boxes[one].hue
    return Curve(x1, y1, x2, y2, bend1, bend2, width, hue, from_column > to_column, note)
