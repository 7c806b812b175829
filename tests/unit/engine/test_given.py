"""What goes with a request beside its files: conventions, pictures, diagnostics, open files, web pages."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.expect import golden
from tests.support.fixture import files

from pairwright.config.schema import Index, Settings
from pairwright.engine import conventions
from pairwright.engine.context import Context, Given, Turn, gather
from pairwright.engine.diagnostics import Diagnostic, worded
from pairwright.engine.given import cap, given
from pairwright.engine.images import UNKNOWN_TOKENS, mime_of, size_of, tokens_of, with_images
from pairwright.engine.ports import Page, Unfetched
from pairwright.llm.types import Image, Message, ModelInfo
from pairwright.memory.history import Recalled
from pairwright.prompts.build import FileText, build, parts
from pairwright.text.document import Document
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

REPO = """\
-- shop/cart.py --
def total(rows):
    return sum(rows)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)
-- shop/AGENTS.md --
Prices are in cents.
-- AGENTS.md --
Write tests first.
-- CONVENTIONS.md --
Four spaces.
-- docs/guide.md --
# Guide
-- secret/AGENTS.md --
hidden
-- .gitignore --
secret/
"""
SEES = ModelInfo("seer", window=32_768, images=True)
NAMES = ("CONVENTIONS.md", "AGENTS.md")
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + b"\x08\x06\0\0\0"
Make = Callable[..., Host]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(**more: bytes) -> Host:
        all_ = {path: text.encode() for path, text in files(REPO).items()}
        for path, data in {**all_, "docs/shot.png": PNG, **more}.items():
            place = tmp_path / "work" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        host = Host(str((tmp_path / "work").resolve()), Index(workers=1), Cache(None))
        host.scan()
        return host

    return made


def gathered(host: Host, turn: Turn, info: ModelInfo = SEES, **more: object) -> Context:
    beside = more.pop("given", Given(NAMES))
    return gather(turn, host.snapshot(), info, given=beside, **more)  # type: ignore[arg-type]


def check_conventions(context: Context, *paths: str) -> None:
    shown = [file.path for file in context.chunks.read_only if conventions.NOTE in file.note]
    assert shown == list(paths)
    assert all(context.why[path] == "conventions" for path in paths)
    assert not set(paths) & set(context.editable)


def test_conventions_come_first_among_what_is_read_only(make: Make) -> None:
    host = make()
    context = gathered(host, Turn("edit", "x", path="shop/cart.py", read_only=("docs/guide.md",)))
    check_conventions(context, "CONVENTIONS.md", "AGENTS.md", "shop/AGENTS.md")
    assert [f.path for f in context.chunks.read_only][-1] == "docs/guide.md"
    check_conventions(gathered(host, Turn("ask", "x")), "CONVENTIONS.md", "AGENTS.md")


def test_conventions_are_a_setting(make: Make) -> None:
    host, turn = make(), Turn("edit", "x", path="shop/cart.py")
    check_conventions(gathered(host, turn, given=Given(())))
    check_conventions(gathered(host, turn, given=Given(("docs/guide.md",))), "docs/guide.md")
    check_conventions(
        gathered(host, turn, given=Given(("../x", "/etc/passwd", "secret/AGENTS.md")))
    )
    check_conventions(gathered(host, turn, replace(SEES, small=True)))


def test_a_file_of_conventions_is_edited_like_any_other(make: Make) -> None:
    context = gathered(make(), Turn("edit", "x", path="AGENTS.md"))
    assert context.editable == ("AGENTS.md",)
    check_conventions(context, "CONVENTIONS.md")


def test_conventions_of_any_length_keep_to_their_room() -> None:
    long_ = Document.of("AGENTS.md", b"A rule of many words to be followed.\r\n" * 900)
    more = Document.of("b.md", b"Never shown.\n")
    (shown,) = conventions.shown((long_, more), 500)
    assert estimate(shown.text) <= 500 and shown.partial
    assert shown.note.startswith("lines 1-") and shown.note.endswith(conventions.NOTE)
    ((start, end),) = shown.spans
    assert long_.data[start:end].decode().replace("\r\n", "\n") == shown.text
    whole = conventions.shown((Document.of("c.md", b"One.\n\x0cTwo."), more), 500)
    assert [file.text for file in whole] == ["One.\n\x0cTwo.\n", "Never shown.\n"]


def test_the_map_stays_when_only_conventions_change(make: Make) -> None:
    host = make()
    turn = Turn("edit", "x", path="shop/cart.py")
    first = gathered(host, turn)
    assert gathered(host, turn, given=Given(()), frozen=first.frozen).frozen is first.frozen


def test_a_picture_goes_to_a_model_that_sees(make: Make) -> None:
    host = make()
    turn = Turn("ask", "What is it?", chat=("docs/shot.png", "docs/guide.md"))
    context = gathered(host, turn)
    assert [(i.name, i.mime, i.data) for i in context.chunks.images] == [
        ("docs/shot.png", "image/png", PNG)
    ]
    assert context.sources["images"] == ("docs/shot.png",) and context.refused == ()
    (blind,) = gathered(host, turn, replace(SEES, images=False)).refused
    assert (
        blind
        == "docs/shot.png is a picture, and seer does not see pictures: choose a model that does"
    )


def test_a_file_outside_is_shown_and_not_changed(make: Make, tmp_path: Path) -> None:
    host, notes = make(), tmp_path / "notes.md"
    notes.write_text("Outside.\n")
    context = gathered(host, Turn("edit", "x", path="shop/cart.py", read_only=(str(notes),)))
    assert context.foreign == {str(notes)} and context.editable == ("shop/cart.py",)
    assert [f.text for f in context.chunks.read_only][-1] == "Outside.\n"
    assert str(notes) not in context.frozen.files or context.frozen.map.text


HEADERS = {
    "image/png": PNG,
    "image/gif": b"GIF89a" + struct.pack("<HH", 640, 480),
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08"
    + struct.pack(">HH", 480, 640)
    + b"\x03",
    "image/webp": b"RIFF....WEBPVP8X\x0a\0\0\0\0\0\0\0"
    + (639).to_bytes(3, "little")
    + (479).to_bytes(3, "little"),
}
LOSSLESS = b"RIFF....WEBPVP8L\0\0\0\0\x2f" + (639 | 479 << 14).to_bytes(4, "little")
LOSSY = b"RIFF....WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640, 480)


@pytest.mark.parametrize("mime", sorted(HEADERS))
def test_pictures_are_known_by_their_first_bytes(mime: str) -> None:
    assert (mime_of(HEADERS[mime]), size_of(HEADERS[mime])) == (mime, (640, 480))
    for length in range(len(HEADERS[mime])):
        assert size_of(HEADERS[mime][:length]) in (None, (640, 480))


def test_other_files_are_no_pictures() -> None:
    assert size_of(LOSSLESS) == size_of(LOSSY) == (640, 480)
    assert mime_of(b"RIFF....WAVE") is None and mime_of(b"") is None and size_of(b"plain") is None


@pytest.mark.parametrize(
    ("size", "tokens"),
    [((64, 64), 255), ((640, 480), 425), ((1_000, 1_000), 1_334), ((9_000, 9_000), 1_640)],
)
def test_a_picture_costs_what_its_size_says(size: tuple[int, int], tokens: int) -> None:
    data = PNG[:16] + struct.pack(">II", *size)
    assert tokens_of(Image("a.png", "image/png", data)) == tokens
    assert with_images({"images": 5, "map": 1}, (Image("a.png", "image/png", data),)) == {
        "images": 5 + tokens,
        "map": 1,
    }


def test_a_picture_of_unknown_size_costs_the_most() -> None:
    assert tokens_of(Image("a.png", "image/png", b"\x89PNG\r\n\x1a\n")) == UNKNOWN_TOKENS


def test_diagnostics_are_told_in_order_once_and_not_without_end() -> None:
    one = Diagnostic(4, "`x` is\n  unused", "warning", "ruff", "F841")
    assert worded((one, Diagnostic(0, "broken"), one)) == (
        "line 1: error: broken",
        "line 5: warning: `x` is unused (ruff F841)",
    )
    many = worded([Diagnostic(n, "m" * 900) for n in range(30)])
    assert len(many) == 21 and many[-1] == "and 10 more" and len(many[0]) < 450


def test_open_files_are_named_and_ignored_ones_are_not(make: Make) -> None:
    host = make()
    for path in ("shop/money.py", "shop/cart.py", "secret/AGENTS.md"):
        host.open(path, f"file:///{path}", 1, "", b"x = 1\n")
    turn = Turn("edit", "x", path="shop/cart.py")
    context = gathered(host, turn)
    assert context.chunks.open_files == ("shop/money.py",)
    assert context.sources["request"] == ("shop/cart.py", "shop/money.py")
    assert gathered(host, turn, replace(SEES, small=True)).chunks.open_files == ()


EVERYTHING = Turn(
    "edit",
    "Round up. See https://example.org/vat",
    path="shop/cart.py",
    selection=(0, 16),
    read_only=("docs/guide.md", "docs/shot.png"),
    diagnostics=(Diagnostic(1, "rows may be None", "error", "pyright"),),
)
VAT = Given(NAMES, (FileText("https://example.org/vat", "# Rates\n", "md"),))
SAID = Recalled(
    (Message("user", "Request: hi"), Message("assistant", "Hello.")), ("cart.py: accepted",)
)


@pytest.mark.parametrize("mode", ["ask", "edit"])
@pytest.mark.parametrize("reminder", ["system", "user", "none", "small"])
def test_golden_of_everything_at_once(make: Make, mode: str, reminder: str) -> None:
    host = make()
    host.open("shop/money.py", "file:///m", 1, "python", files(REPO)["shop/money.py"].encode())
    info = replace(SEES, reminder=reminder, images=True)
    if reminder == "small":
        info = replace(SEES, small=True, images=False)
    turn = replace(EVERYTHING, mode=mode)
    context = gathered(host, turn, info, given=VAT, recalled=SAID, map_tokens=60)
    messages = build(context.chunks)
    shown = "\n".join(
        f"=== {m.role}\n{m.content}" + "".join(f"\n[{one.name}]" for one in m.images)
        for m in messages
    )
    golden(f"engine/everything-{mode}-{reminder}.txt", f"{shown}\n")
    assert parts(context.chunks)["web pages"] in messages[-1].content
    roles = [message.role for message in messages]
    assert roles == (["system", "user", "assistant", "user"])


# --- web pages


class Shelf:
    """Pages that are there, in the place of the web."""

    def __init__(self, **pages: str) -> None:
        self.asked: list[str] = []
        self.pages = pages

    async def fetch(self, url: str) -> Page | Unfetched:
        self.asked.append(url)
        text = self.pages.get(url.rpartition("/")[2])
        return Page(url, text) if text else Unfetched(f"{url} answered with status 404")


async def fetched(
    turn: Turn, shelf: Shelf, answer: str | None = None, web: str = "ask", info: ModelInfo = SEES
) -> tuple[Given, list[str]]:
    questions: list[str] = []

    async def ask(question: str, options: Sequence[str]) -> str | None:
        questions.append(question)
        return answer

    class Tools:
        settings = replace(Settings(), context=replace(Settings().context, web=web))
        fetcher = shelf

        @staticmethod
        def emit(event: object) -> None:
            """Progress is shown elsewhere."""

    Tools.ask = staticmethod(ask)  # type: ignore[attr-defined]
    return await given(turn, turn.instruction, Tools, info), questions  # type: ignore[arg-type]


NAMED = Turn("ask", "Compare https://a.example/one with this")
GIVEN = replace(NAMED, urls=("https://a.example/one", "https://a.example/two"))


async def test_a_page_in_the_words_is_fetched_after_a_yes_only() -> None:
    for answer in (None, "Leave out"):
        shelf = Shelf(one="1\n")
        found, questions = await fetched(NAMED, shelf, answer)
        assert (found.pages, shelf.asked, len(questions)) == ((), [], 1)
    found, (question,) = await fetched(NAMED, Shelf(one="1\n"), "Fetch")
    assert [page.path for page in found.pages] == ["https://a.example/one"]
    assert question == "Fetch https://a.example/one and send the text to the model?"


async def test_a_page_that_was_given_is_fetched_without_a_question() -> None:
    found, questions = await fetched(GIVEN, Shelf(one="1\n"))
    assert questions == [] and [page.text for page in found.pages] == ["1\n"]
    assert found.refused == ("https://a.example/two answered with status 404",)


async def test_never_means_never() -> None:
    shelf = Shelf(one="1\n")
    found, questions = await fetched(GIVEN, shelf, "Fetch", web="never")
    assert shelf.asked == questions == [] and len(found.refused) == 2
    assert "pairwright.context.web" in found.refused[0]


async def test_pages_share_a_room_and_are_cut_at_a_line() -> None:
    turn = replace(NAMED, urls=("https://a.example/one", "https://a.example/two"), instruction="x")
    found, _ = await fetched(turn, Shelf(one="words of a page\n" * 9_000, two="short\n"))
    one, two = found.pages
    assert one.partial and one.note.startswith("the first ") and one.text.endswith("page\n")
    assert estimate(one.text) + estimate(two.text) <= cap(SEES) + 20


async def test_five_pages_go_with_a_request() -> None:
    urls = tuple(f"https://a.example/p{n}" for n in range(7))
    shelf = Shelf(**{f"p{n}": "x\n" for n in range(7)})
    found, _ = await fetched(replace(NAMED, instruction="x", urls=urls), shelf)
    assert len(found.pages) == 5 and len(found.refused) == 2
