"""Documents: splices with their edits, digests, lone surrogates."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.document import Document, point

texts = st.text(st.sampled_from("ab\n\r\f\u2028é💩"), max_size=30)


@given(texts, st.floats(0, 1), st.integers(0, 12), texts)
def test_a_splice_is_the_text_its_lines_and_its_edit(
    text: str, place: float, removed: int, inserted: str
) -> None:
    before = Document.of("x", text.encode(), 1)
    start = int(place * len(before.data))
    old_end = min(start + removed, len(before.data))
    new = inserted.encode()
    after, edit = before.splice(start, old_end, new, 2)
    fresh = Document.of("x", before.data[:start] + new + before.data[old_end:], 2)
    assert after == fresh
    assert after.digest == fresh.digest == sha256(fresh.data).hexdigest()
    assert (edit.start, edit.old_end, edit.new_end) == (start, old_end, start + len(new))
    assert edit.start_point == point(before.data, start) == point(fresh.data, start)
    assert edit.old_end_point == point(before.data, old_end)
    assert edit.new_end_point == point(fresh.data, start + len(new))
    assert before.data == text.encode(), "the old document stays as it was"


@given(st.binary(max_size=40).map(lambda raw: raw.replace(b"\xff", b"\n")), st.integers(0, 40))
def test_points_count_lf_only(data: bytes, offset: int) -> None:
    offset = min(offset, len(data))
    rows = data[:offset].split(b"\n")
    assert point(data, offset) == (len(rows) - 1, len(rows[-1]))


def test_a_lone_surrogate_is_kept() -> None:
    text = "a\ud800b\udc00"
    doc = Document.of("x", text.encode("utf-8", "surrogatepass"))
    assert doc.text == text
    after, _ = doc.splice(1, 4, "\udfff".encode("utf-8", "surrogatepass"), 2)
    assert after.text == "a\udfffb\udc00"
