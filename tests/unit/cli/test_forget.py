"""`pairwright forget` and `pairwright sessions`: what is kept of a folder is shown, and every trace of it goes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pairwright.checkpoints.place import create, folder_of
from pairwright.cli.main import main
from pairwright.config.schema import Budget
from pairwright.engine.journal import FolderJournal
from pairwright.engine.records import Notebook, place_of
from pairwright.engine.session import Sessions
from pairwright.engine.spend import FILE, kept, scope
from pairwright.lsp.instructions import About, compose
from pairwright.memory.chat import Exchange
from pairwright.memory.ledger import Amount, Entry
from pairwright.memory.shelf import Shelf
from pairwright.memory.store import Store
from pairwright.text.document import Document
from pairwright.workspace.cache import Cache, Seen

WORD = "marzipan"
"""Stands in everything that is kept of the one folder."""


class Home:
    """The data and cache folders of a user with two workspaces, `one` and `two`."""

    def __init__(self, base: Path) -> None:
        self.data, self.cache = base / "data", base / "cache"
        self.one, self.two = base / f"one-{WORD}", base / "two"
        for root in (self.one, self.two):
            root.mkdir()
            (root / "app.py").write_text("x = 1\n")

    def use(self, root: Path) -> None:
        """Leave a trace of each kind."""
        real, word = str(root.resolve()), root.name
        folder = folder_of(self.data, real)
        asyncio.run(_said(Store(self.data / "sessions" / folder.name), word))
        FolderJournal(self.data / "proposals" / folder.name).put("p1-aa", word.encode())
        create(folder, real)
        (folder / "unfinished").write_text(word)
        folder.with_name(f"{folder.name}.damaged").mkdir()
        for name in ("requests", "documents", "sent", "proposals"):
            (self.cache / name).mkdir(parents=True, exist_ok=True)
            text = compose(About("ask", real, path=word), "", word)
            (self.cache / name / f"{word}.md").write_text(text)
        index = Cache(self.cache / "index")
        index.record(real, "r", {word: Seen(1, 1, 1, "d", None)})
        index.close()
        journal = self.data / "tasks" / folder.name
        journal.mkdir(parents=True)
        (journal / "t1.jsonl").write_text(f'{{"request":"{word}"}}\n')
        (self.cache / "tasks").mkdir(exist_ok=True)
        plan = f'<!-- pairwright-task {{"root": "{real}"}} -->\n# {word}\n'
        (self.cache / "tasks" / f"t1-{folder.name}.md").write_text(plan)
        notebook = Notebook(Shelf(place_of(self.data, real)))
        notebook.learn(Document.of(f"{word}.py", word.encode()), word, (), word)
        notebook.close()
        ledger = kept(self.data, real, Budget).ledger
        entry = Entry("2024-01-01", f"{scope(real)}/{word}", "m", "priced")
        ledger.reserve(entry, lambda spent: Amount(5, 0.5))
        ledger.close()

    def holding(self, word: str) -> list[str]:
        """The files below data and cache whose names or bytes hold `word`."""
        places = [*self.data.rglob("*"), *self.cache.rglob("*")]
        return [
            str(p)
            for p in sorted(places)
            if word in p.name or (p.is_file() and word.encode() in p.read_bytes())
        ]


async def _said(store: Store, word: str) -> None:
    sessions = Sessions(store)
    sessions.add("talk", Exchange(f"Tell me of {word}.", "No."))
    await sessions.listed()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path)
    monkeypatch.setenv("PAIRWRIGHT_DATA", str(made.data))
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(made.cache))
    return made


def test_every_trace_of_a_folder_goes_and_of_no_other(home: Home) -> None:
    home.use(home.one)
    home.use(home.two)
    assert len(home.holding(WORD)) >= 7
    assert main(["forget", "--root", str(home.one), "--yes"]) == 0
    assert home.holding(WORD) == []
    assert home.one.joinpath("app.py").exists()
    real = folder_of(home.data, str(home.two.resolve()))
    assert (real / "HEAD").exists() and (home.data / "sessions" / real.name / "talk.jsonl").exists()
    assert [p.name for p in (home.cache / "requests").iterdir()] == ["two.md"]
    assert (home.data / FILE).exists(), "what was spent still counts"


def test_a_folder_that_is_gone_can_be_forgotten(home: Home) -> None:
    home.use(home.one)
    home.one.joinpath("app.py").unlink()
    home.one.rmdir()
    assert main(["forget", "--root", str(home.one), "--yes"]) == 0
    assert home.holding(WORD) == []


def test_it_asks_and_says_what_goes(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.use(home.one)
    before = home.holding(WORD)
    assert main(["forget", "--root", str(home.one)]) == 1
    said = capsys.readouterr()
    assert "1 conversations" in said.out and "checkpoints" in said.out
    assert "say --yes" in said.err and home.holding(WORD) == before
    assert main(["forget", "--root", str(home.one), "--dry-run"]) == 0
    assert home.holding(WORD) == before


def test_checkpoints_can_stay(home: Home) -> None:
    home.use(home.one)
    assert main(["forget", "--root", str(home.one), "--keep-checkpoints", "--yes"]) == 0
    kept_ = folder_of(home.data, str(home.one.resolve()))
    assert all(str(kept_) in place for place in home.holding(WORD))
    assert (kept_ / "HEAD").exists()


def test_all_goes(home: Home) -> None:
    home.use(home.one)
    home.use(home.two)
    (home.cache / "models").mkdir()
    assert main(["forget", "--all", "--yes"]) == 0
    assert [p for p in home.data.rglob("*") if p.is_file()] == []
    assert [p.name for p in home.cache.iterdir()] == ["models"]
    assert main(["forget", "--all", "--keep-checkpoints"]) == 2


def test_of_an_unknown_folder_nothing_goes(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.use(home.two)
    before = home.holding("two")
    assert main(["forget", "--root", str(home.one), "--yes"]) == 0
    assert "Nothing is kept of" in capsys.readouterr().out
    assert home.holding("two") == before


def test_conversations_are_listed_printed_and_deleted(
    home: Home, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    home.use(home.one)
    root = ["--root", str(home.one)]

    def said(*args: str, code: int = 0) -> str:
        assert main(["sessions", *root, *args]) == code
        return capsysbinary.readouterr().out.decode()

    assert f"Tell me of {home.one.name}." in said()
    (one,) = json.loads(said("--json"))
    assert (one["session"], one["turns"]) == ("talk", 1)
    assert said("talk").startswith(f"# Tell me of {home.one.name}.\n")
    said("nothing", code=1)
    said("--delete", code=2)
    assert said("--delete", "talk").startswith("Deleted")
    assert said() == "None yet.\n"
