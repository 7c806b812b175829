"""A chart as SVG, and an overview as a page of HTML with the chart and its lists.

One file each, with no script, font or picture from elsewhere; light and dark by what the reader's
system prefers. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from pairwright.graph.overview import Overview
from pairwright.render.chart import Box, Chart, Curve, Text, chart

_LIGHT = ("#3b6fd4", "#0f8b8d", "#c2571a", "#7a4fc9", "#2f8f4e", "#b8325f")
_DARK = ("#7aa5f5", "#4fc3c5", "#f09a5b", "#b394f0", "#6fca8b", "#f07f9f")
_HUES = len(_LIGHT)
_MOST_FILES = 200

_STYLE = """
.page{fill:#ffffff}.card{fill:#f7f8fa;stroke:#d5d9e0}
text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#1c2128}
.title{font-size:24px;font-weight:700}.head{font-size:15px;font-weight:600}
.name,.start{font-size:12px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.note,.count{font-size:12px;fill:#5b6472}.start{fill:#5b6472}.count{text-anchor:end}
.curve{fill:none;stroke-opacity:.42;stroke-linecap:round}.back{stroke-dasharray:5 6}
"""
_STYLE_DARK = """
.page{fill:#14171c}.card{fill:#1d2229;stroke:#343b46}text{fill:#e6e9ee}
.note,.count,.start{fill:#98a2b0}.curve{stroke-opacity:.5}
"""
_PAGE = """
body{margin:0;font:15px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;
background:#ffffff;color:#1c2128}main{max-width:1240px;margin:0 auto;padding:0 16px 48px}
svg{width:100%;height:auto}h2{font-size:19px;margin:28px 0 8px}h3{font-size:16px;margin:0}
code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
table{border-collapse:collapse;width:100%}td,th{padding:3px 12px 3px 0;text-align:left;
border-bottom:1px solid #e3e6ea}td:last-child,th:last-child{text-align:right}
details{margin:6px 0;padding:8px 12px;border:1px solid #d5d9e0;border-radius:8px}
summary{cursor:pointer}summary h3{display:inline}ul{columns:2;padding-left:18px}
p,footer{color:#5b6472}
@media (prefers-color-scheme:dark){body{background:#14171c;color:#e6e9ee}
td,th{border-color:#2a3038}details{border-color:#343b46}p,footer{color:#98a2b0}}
@media (max-width:700px){ul{columns:1}}
"""


def svg(found: Overview, title: str) -> str:
    """The chart of `found` as one SVG file."""
    return "\n".join(_svg(chart(found, title), title)) + "\n"


def html(found: Overview, title: str) -> str:
    """The chart of `found` and everything behind it as one page."""
    return "\n".join(_html(found, title)) + "\n"


def _svg(page: Chart, title: str) -> Iterator[str]:
    size = f'width="{page.width:g}" height="{page.height:g}"'
    box = f'viewBox="0 0 {page.width:g} {page.height:g}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">'
    yield f"<title>{_safe(title)}</title>"
    yield f"<style>{_colours()}</style>"
    yield f'<rect class="page" {size} rx="12"/>'
    yield from (_curve(item) for item in page.curves)
    yield from (_box(item) for item in page.boxes)
    yield from (_text(item) for item in page.texts)
    yield "</svg>"


def _colours() -> str:
    light = "".join(f".s{n}{{stroke:{c}}}.f{n}{{fill:{c}}}" for n, c in enumerate(_LIGHT))
    dark = "".join(f".s{n}{{stroke:{c}}}.f{n}{{fill:{c}}}" for n, c in enumerate(_DARK))
    return f"{_STYLE}{light}\n@media (prefers-color-scheme:dark){{{_STYLE_DARK}{dark}}}\n"


def _curve(item: Curve) -> str:
    path = (
        f"M{item.x1:.1f} {item.y1:.1f}C{item.x1 + item.bend1:.1f} {item.y1:.1f} "
        f"{item.x2 + item.bend2:.1f} {item.y2:.1f} {item.x2:.1f} {item.y2:.1f}"
    )
    kind = f"curve s{item.hue % _HUES}{' back' if item.back else ''}"
    note = f"<title>{_safe(item.note)}</title>"
    return f'<path class="{kind}" stroke-width="{item.width:g}" d="{path}">{note}</path>'


def _box(item: Box) -> str:
    place = f'x="{item.x:g}" y="{item.y:g}" height="{item.height:g}"'
    card = f'<rect class="card" {place} width="{item.width:g}" rx="8">'
    note = f"<title>{_safe(item.note)}</title>"
    bar = f'<rect class="f{item.hue % _HUES}" {place} width="5" rx="2.5"/>'
    return f"{card}{note}</rect>{bar}"


def _text(item: Text) -> str:
    note = f"<title>{_safe(item.full)}</title>" if item.full else ""
    kind = f"{item.style} end" if item.at_end else item.style
    place = f'x="{item.x:g}" y="{item.y:g}"'
    return f'<text class="{kind}" {place}>{_safe(item.words)}{note}</text>'


def _html(found: Overview, title: str) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f"<title>{_safe(title)}</title><style>{_PAGE}</style></head><body><main>"
    yield from _svg(chart(found, title), title)
    yield "<h2>Clusters</h2>"
    yield "<p>Folders whose files refer to each other more than to the rest.</p>"
    for cluster in found.clusters:
        yield f"<details><summary><h3>{_safe(cluster.title)}</h3> {len(cluster.files):,} files</summary>"
        yield _table(
            ("Definition", "File", "Used by files"),
            ((item.name, item.path, f"{item.files:,}") for item in cluster.top),
        )
        yield _listed("Starts here", cluster.starts)
        yield _listed("Files", cluster.files)
        yield "</details>"
    yield "<h2>Most used definitions</h2>"
    rows = ((item.name, item.path, f"{item.files:,}") for item in found.definitions)
    yield _table(("Definition", "File", "Used by files"), rows)
    yield "<h2>Most used files</h2>"
    used = ((item.path, f"{item.files:,}") for item in found.files)
    yield _table(("File", "Used by files"), used)
    yield "<h2>Where it starts</h2>"
    yield "<p>Files that refer to others and that nothing refers to; tests are left out.</p>"
    yield _table(("File",), ((path,) for path in found.starts))
    yield (
        "<footer>By static references: a name is a name, types are not resolved, and what is called "
        "by reflection or registration does not show.</footer></main></body></html>"
    )


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["".join(f"<td><code>{_safe(cell)}</code></td>" for cell in row) for row in rows]
    if not lines:
        return ""
    head = "".join(f"<th>{word}</th>" for word in heads)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><tr>{head}</tr>{body}</table>"


def _listed(head: str, paths: tuple[str, ...]) -> str:
    if not paths:
        return ""
    items = "".join(f"<li><code>{_safe(path)}</code></li>" for path in paths[:_MOST_FILES])
    left = len(paths) - _MOST_FILES
    more = f"<p>and {left:,} more</p>" if left > 0 else ""
    return f"<p>{head}</p><ul>{items}</ul>{more}"


def _safe(words: str) -> str:
    """`words` as XML text: markup escaped, what XML cannot hold replaced."""
    return escape("".join(char if _holds(char) else "\ufffd" for char in words))


def _holds(char: str) -> bool:
    return char >= " " and not "\ud800" <= char <= "\udfff" and char not in "\ufffe\uffff"
