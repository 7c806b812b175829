"""Documents: splices with their edits, digests, lone surrogates."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.document import Document, Edit, coalesced, point

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


@given(texts, *[st.floats(0, 1), st.integers(0, 4), texts] * 2)
def test_two_edits_that_touch_are_one(
    text: str, first: float, gone: int, new: str, second: float, lost: int, more: str
) -> None:
    before = Document.of("x", text.encode(), 1)
    middle, one = _replaced(before, first, gone, new)
    after, two = _replaced(middle, second, lost, more)
    found = coalesced([one, two])
    if one.new_end < two.start or two.old_end < one.start:
        assert found == (one, two)
        return
    (both,) = found
    assert before.data[: both.start] == after.data[: both.start]
    assert before.data[both.old_end :] == after.data[both.new_end :]
    assert both.start == min(one.start, two.start)
    assert both.old_end - both.start <= one.old_end - one.start + two.old_end - two.start
    assert both.start_point == point(before.data, both.start)
    assert both.old_end_point == point(before.data, both.old_end)
    assert both.new_end_point == point(after.data, both.new_end)


def test_what_is_typed_at_two_places_is_two_edits() -> None:
    document, edits = Document.of("x", b"one\ntwo\nthree\n"), []
    for at, char in ((3, b"a"), (4, b"b"), (5, b"\n"), (6, b"c"), (12, b"d"), (13, b"e")):
        document, edit = document.splice(at, at, char, None)
        edits.append(edit)
    document, edit = document.splice(13, 14, b"", None)
    assert document.data == b"oneab\nc\ntwo\ndthree\n"
    assert coalesced([*edits, edit]) == (
        Edit(3, 3, 7, (0, 3), (0, 3), (1, 1)),
        Edit(12, 12, 13, (3, 0), (3, 0), (3, 1)),
    )


def _replaced(document: Document, place: float, removed: int, new: str) -> tuple[Document, Edit]:
    start = int(place * len(document.data))
    return document.splice(start, min(start + removed, len(document.data)), new.encode(), None)


def test_a_lone_surrogate_is_kept() -> None:
    text = "a\ud800b\udc00"
    doc = Document.of("x", text.encode("utf-8", "surrogatepass"))
    assert doc.text == text
    after, _ = doc.splice(1, 4, "\udfff".encode("utf-8", "surrogatepass"), 2)
    assert after.text == "a\udfffb\udc00"
