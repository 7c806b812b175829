"""Commit mode behind real accepts and undos, in real repositories: each change is a commit of just its
files, each undo takes it back, and the user's work is never lost. The git command is the judge."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.support.desks import Office
from tests.support.repos import UserRepo

from pairwright.config.schema import Git, Settings
from pairwright.engine.accept import Selection, accept
from pairwright.engine.commit import Clerk, Desk, Told
from pairwright.engine.door import Door
from pairwright.engine.undo import How, redo, restore, undo
from pairwright.llm.types import Delta, Finish, Model, ModelError, ModelInfo, Request, Text

BASE = b"x = 1\ny = 1\n"


@dataclass
class Scripted:
    """A model with its answers written down; it fails when they are used up."""

    answers: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    meanwhile: Callable[[], None] | None = None
    """What happens while the first answer is written."""
    info: ModelInfo = field(default_factory=lambda: ModelInfo("scripted", window=50_000))

    async def get(self, role: Literal["main", "weak", "editor"] = "main") -> Model:
        return self

    async def stream(self, request: Request) -> AsyncIterator[Delta]:
        self.asked.append(request.messages[-1].content)
        if self.meanwhile is not None:
            work, self.meanwhile = self.meanwhile, None
            await asyncio.to_thread(work)
        if not self.answers:
            raise ModelError("transport", "The line is dead.", retryable=False)
        yield Text(self.answers.pop(0))
        yield Finish("stop")

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 for text in texts]


@dataclass
class Room:
    """An office over a repository, with a clerk that follows every change."""

    office: Office
    repo: UserRepo
    model: Scripted
    settings: Settings
    told: list[Told] = field(default_factory=list)

    @classmethod
    def of(
        cls, base: Path, style: Literal["saving", "unsaved"] = "saving", below: str = ""
    ) -> Room:
        repo = UserRepo.of(base / "work")
        git = Git(mode="commit", co_author=False)
        office = Office.at(base / "work" / below, base / "data", style)
        return cls(office, repo, Scripted(), replace(Settings(), git=git))

    def set(self, **values: Any) -> None:
        self.settings = replace(self.settings, git=replace(self.settings.git, **values))

    def clerk(self) -> Clerk:
        snapshot = self.office.desk.snapshot
        ask = self.office.editor.ask
        env, emit = self.repo.env, lambda event: None
        desk = Desk(lambda: self.settings, env, self.model, Door(), snapshot, ask, emit)
        return Clerk(desk, self.office.desk.store)

    async def accept(self, wanted: Mapping[str, bytes | None], note: str = "Do it") -> list[Told]:
        proposal = self.office.propose(wanted, note)
        result = await accept(self.office.desk, proposal.id, Selection())
        assert result.state == "applied", result
        return await self._follow(result.after)

    async def undo(self) -> list[Told]:
        result = await undo(self.office.desk)
        assert result.state == "done", result
        return await self._follow(result.after)

    async def _follow(self, after: str) -> list[Told]:
        told = list(await self.clerk().follow(after))
        self.told += told
        return told


def check(told: Sequence[Told], state: str, *words: str) -> None:
    assert [one.state for one in told] == [state], told
    for word in words:
        assert word in told[0].message, told


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room.of(tmp_path)


async def test_nothing_is_written_unless_the_mode_is_on(room: Room) -> None:
    room.set(mode="checkpoints")
    before = room.repo.look()
    assert await room.accept({"app.py": b"x = 2\ny = 1\n"}) == []
    assert await room.undo() == []
    assert room.repo.look() == before


async def test_an_accept_is_a_commit_and_its_undo_takes_it_off(room: Room) -> None:
    head = room.repo.git("rev-parse", "HEAD")
    room.model.answers = ["feat: count from two"]
    told = await room.accept({"app.py": b"x = 2\ny = 1\n", "deep/new.py": b"n\n"}, "from 2")
    check(told, "committed", "on main", "feat: count from two")
    assert room.repo.log() == ["feat: count from two", "base"]
    assert room.repo.git("status", "--porcelain") == ""
    assert "+x = 2" in room.model.asked[0] and 'asked for as "from 2"' in room.model.asked[0]
    check(await room.undo(), "taken back")
    assert room.repo.git("rev-parse", "HEAD") == head
    assert room.repo.git("status", "--porcelain") == ""
    result = await redo(room.office.desk)
    check(await room._follow(result.after), "committed")
    assert room.repo.git("status", "--porcelain") == ""
    check(await room.undo(), "taken back")
    assert room.repo.git("rev-parse", "HEAD") == head
    room.repo.is_sound()


async def test_the_users_work_in_the_file_is_committed_first_and_comes_back(room: Room) -> None:
    room.office.write({"app.py": b"x = 1\ny = 1\nz = 'mine'\n"})
    room.model.answers = ["feat: add z", "feat: two"]
    told = await room.accept({"app.py": b"x = 2\ny = 1\nz = 'mine'\n"})
    check(told, "committed", "Your own work was committed first")
    assert room.repo.log() == ["feat: two", "feat: add z", "base"]
    assert "+z = 'mine'" in room.model.asked[0] and "x = 2" not in room.model.asked[0]
    check(await room.undo(), "taken back")
    assert room.repo.log() == ["base"]
    assert room.repo.git("diff", "--name-only") == "app.py"
    assert (room.repo.top / "app.py").read_bytes() == b"x = 1\ny = 1\nz = 'mine'\n"


async def test_dirty_files_may_be_left_alone(room: Room) -> None:
    room.set(commit_dirty=False)
    room.office.write({"app.py": BASE + b"mine\n"})
    told = await room.accept({"app.py": b"x = 2\ny = 1\nmine\n"})
    check(told, "kept", "commit_dirty", "app.py")
    assert room.repo.log() == ["base"]


async def test_unsaved_buffers_are_committed_from_their_text(tmp_path: Path) -> None:
    room = Room.of(tmp_path, "unsaved")
    room.office.editor.open("app.py")
    told = await room.accept({"app.py": b"x = 2\ny = 1\n"})
    check(told, "committed", "app.py went in with text not saved yet")
    assert room.repo.show("app.py") == "x = 2\ny = 1\n"
    room.office.editor.save_all()
    assert room.repo.git("status", "--porcelain") == ""


async def test_without_a_model_there_is_a_message_all_the_same(room: Room) -> None:
    room.office.write({"app.py": BASE + b"mine\n"})
    await room.accept({"app.py": b"x = 2\ny = 1\nmine\n"}, "Count from two.\nPlease.")
    assert room.repo.log() == ["chore: count from two", "chore: keep work on app.py", "base"]
    room.set(message="request")
    asked = len(room.model.asked)
    await room.accept({"app.py": b"x = 3\ny = 1\nmine\n"}, "fix: three")
    assert room.repo.log()[0] == "fix: three"
    assert len(room.model.asked) == asked


async def test_names_and_the_trailer_are_as_set(room: Room) -> None:
    room.set(author="tagged", co_author=True)
    await room.accept({"app.py": b"x = 2\ny = 1\n"})
    assert room.repo.git("log", "-1", "--format=%an|%cn") == "Ada (Pairwright)|Ada"
    body = room.repo.git("log", "-1", "--format=%(trailers:key=Co-authored-by,valueonly)")
    assert body.strip() == "Pairwright (scripted) <pairwright@localhost>"


async def test_text_under_ignore_rules_is_not_sent(room: Room) -> None:
    room.office.write({".pairwrightignore": b"*.env\n", "key.env": b"KEY=old\n"})
    room.repo.git("add", "-A")
    room.repo.git("commit", "-qm", "key")
    room.office.editor.host.scan()
    room.model.answers = ["feat: both"]
    await room.accept({"app.py": b"x = 2\ny = 1\n", "key.env": b"KEY=secret\n"})
    assert room.repo.git("show", "--name-only", "--format=") == "app.py\nkey.env"
    assert len(room.model.asked) == 1 and "x = 2" in room.model.asked[0]
    assert "secret" not in room.model.asked[0] and "key.env" not in room.model.asked[0]


async def test_refusals_of_git_leave_the_edit_and_say_why(room: Room) -> None:
    room.repo.hook("pre-commit", "echo tests failed >&2; exit 1")
    told = await room.accept({"app.py": b"x = 2\ny = 1\n"})
    check(told, "kept", "The change stands", "tests failed")
    assert (room.repo.top / "app.py").read_bytes() == b"x = 2\ny = 1\n"
    assert room.repo.log() == ["base"] and room.repo.staged() == []
    assert await room.undo() == []


async def test_no_repository_is_told(tmp_path: Path) -> None:
    room = Room.of(tmp_path)
    office = Office.of(tmp_path / "plain")
    room.office = office
    office.write({"a.txt": b"1\n"})
    check(await room.accept({"a.txt": b"2\n"}), "kept", "a.txt", "no git repository")


async def test_repositories_inside_one_another_each_get_their_own(room: Room) -> None:
    inner = UserRepo.of(room.repo.top / "vendor/lib")
    told = await room.accept({"app.py": b"x = 2\ny = 1\n", "vendor/lib/app.py": b"z\n"})
    assert [one.state for one in told] == ["committed", "committed"]
    assert len(room.repo.log()) == len(inner.log()) == 2
    result = await undo(room.office.desk)
    assert [one.state for one in await room._follow(result.after)] == ["taken back"] * 2
    assert room.repo.log() == inner.log() == ["base"]


async def test_a_folder_below_the_top_and_a_linked_file(tmp_path: Path) -> None:
    room = Room.of(tmp_path, below="src")
    room.office.write({"real.conf": b"a = 1\n"})
    (room.office.root / "current.conf").symlink_to("real.conf")
    room.repo.git("add", "-A")
    room.repo.git("commit", "-qm", "links")
    check(await room.accept({"current.conf": b"a = 2\n"}), "committed")
    assert room.repo.git("show", "--name-only", "--format=") == "src/real.conf"
    assert room.repo.git("status", "--porcelain") == ""


async def test_an_undo_behind_the_users_commit_is_a_revert(room: Room) -> None:
    await room.accept({"app.py": b"x = 2\ny = 1\n"}, "feat: two")
    room.office.write({"other.txt": b"mine\n"})
    room.repo.git("commit", "-qam", "mine")
    check(await room.undo(), "taken back", "reverted")
    assert room.repo.log()[:2] == ["revert: feat: two", "mine"]
    assert room.repo.git("log", "-1", "--format=%b").startswith("This reverts commit ")
    assert room.repo.git("status", "--porcelain") == ""


async def test_a_restore_is_the_users_own(room: Room) -> None:
    await room.accept({"app.py": b"x = 2\ny = 1\n"})
    first = room.office.desk.store.list()[-1]
    result = await restore(room.office.desk, first.id)
    assert result.state == "done"
    assert await room._follow(result.after) == []
    assert room.repo.git("diff", "--name-only") == "app.py"


async def test_a_whole_turn_is_taken_back_commit_by_commit(room: Room) -> None:
    proposal = room.office.propose({"app.py": b"x = 2\ny = 1\n", "other.txt": b"o2\n"})
    for file in proposal.files:
        chosen = Selection(files=(file.path,))
        result = await accept(room.office.desk, proposal.id, chosen)
        await room._follow(result.after)
    assert len(room.repo.log()) == 3
    known = {one.id for one in room.office.desk.store.list()}
    done = await undo(room.office.desk, None, How(turn=True))
    assert done.state == "done", done
    fresh = [one for one in room.office.desk.store.list() if one.id not in known and one.base]
    for one in reversed(fresh):
        check(await room._follow(one.id), "taken back")
    assert room.repo.log() == ["base"]
    assert room.repo.git("status", "--porcelain") == ""


# --- what the user does before the commit is made


async def late(room: Room, meanwhile: Callable[[], None], text: bytes = b"x = 2\ny = 1\n") -> Told:
    """An accept whose message takes so long that the user does something before the commit."""
    proposal = room.office.propose({"app.py": text}, "feat: two")
    result = await accept(room.office.desk, proposal.id, Selection())
    room.model.meanwhile = meanwhile
    room.model.answers = ["feat: two"] * 3
    room.set(message="model")
    (told,) = await room.clerk().follow(result.after)
    room.repo.is_sound()
    return told


async def test_a_commit_of_other_files_meanwhile_is_built_upon(room: Room) -> None:
    room.office.write({"other.txt": b"mine\n"})
    told = await late(room, lambda: room.repo.git("commit", "-qm", "mine", "other.txt") and None)
    check([told], "committed")
    assert room.repo.log() == ["feat: two", "mine", "base"]
    assert len(room.model.asked) == 1


async def test_the_edit_committed_by_the_user_meanwhile_is_not_committed_again(room: Room) -> None:
    told = await late(room, lambda: room.repo.git("commit", "-qam", "all") and None)
    check([told], "kept", "app.py was committed by another command")
    assert room.repo.log() == ["all", "base"]
    assert room.repo.git("status", "--porcelain") == ""


async def test_later_work_committed_by_the_user_is_never_reverted(room: Room) -> None:
    def work() -> None:
        room.office.write({"app.py": b"x = 2\ny = 2\nmine\n"})
        room.repo.git("commit", "-qam", "more")

    check([await late(room, work)], "kept")
    assert room.repo.show("app.py") == "x = 2\ny = 2\nmine\n"


async def test_what_is_staged_meanwhile_stays_staged(room: Room) -> None:
    def work() -> None:
        room.office.write({"app.py": b"x = 2\ny = 1\nmine\n"})
        room.repo.git("add", "app.py")

    check([await late(room, work)], "committed")
    assert room.repo.show("app.py") == "x = 2\ny = 1\n"
    assert room.repo.git("show", ":app.py") == "x = 2\ny = 1\nmine"
    assert room.repo.git("status", "--porcelain") == "M  app.py"


async def test_another_branch_checked_out_meanwhile_keeps_it(room: Room) -> None:
    room.repo.git("branch", "side")
    room.office.write({"app.py": b"x = 1\nside = 1\n"})
    room.repo.git("commit", "-qam", "main")

    def work() -> None:
        room.repo.git("checkout", "-q", "-f", "side")

    check([await late(room, work, b"x = 2\nside = 1\n")], "kept")
    assert room.repo.log() == ["base"]


async def test_accepts_that_follow_at_once_are_committed_in_order(room: Room) -> None:
    clerk = room.clerk()
    after = []
    for text in (b"x = 2\ny = 1\n", b"x = 2\ny = 2\n", b"x = 3\ny = 2\n"):
        proposal = room.office.propose({"app.py": text}, f"feat: {len(after)}")
        result = await accept(room.office.desk, proposal.id, Selection())
        after.append(clerk.follow(result.after))
    room.model.answers = ["feat: 0", "feat: 1", "feat: 2"]
    for told in await asyncio.gather(*after):
        check(told, "committed")
    assert room.repo.log() == ["feat: 2", "feat: 1", "feat: 0", "base"]
    assert room.repo.git("status", "--porcelain") == ""


# --- what is staged


async def test_what_is_staged_gets_a_message_and_is_committed(room: Room) -> None:
    clerk = room.clerk()
    check([await clerk.staged(room.repo.top, dry=False, sure=True)], "kept", "nothing is staged")
    room.office.write({"app.py": b"x = 2\ny = 1\n", "other.txt": b"not staged\n"})
    room.repo.git("add", "app.py")
    room.model.answers = ["fix: x is two", "fix: again", "fix: x is two"]
    told = await clerk.staged(room.repo.top, dry=True, sure=False)
    assert (told.state, told.text) == ("planned", "fix: x is two\n")
    assert "+x = 2" in room.model.asked[0] and "not staged" not in room.model.asked[0]
    room.office.editor.answers = ["Cancel"]
    check([await clerk.staged(room.repo.top, dry=False, sure=False)], "cancelled")
    room.office.editor.answers = ["Commit"]
    check([await clerk.staged(room.repo.top, dry=False, sure=False)], "committed", "fix: x is two")
    assert "fix: x is two" in room.office.editor.questions[-1]
    assert room.repo.log() == ["fix: x is two", "base"]
    assert room.repo.git("status", "--porcelain") == " M other.txt"


async def test_what_is_staged_meanwhile_is_not_committed_unseen(room: Room) -> None:
    room.office.write({"app.py": b"x = 2\ny = 1\n", "other.txt": b"later\n"})
    room.repo.git("add", "app.py")
    clerk = room.clerk()
    ask = room.office.editor.ask

    async def slow(question: str, options: Sequence[str]) -> str | None:
        room.repo.git("add", "other.txt")
        return "Commit"

    room.office.editor.ask = slow  # type: ignore[method-assign]
    told = await room.clerk().staged(room.repo.top, dry=False, sure=False)
    room.office.editor.ask = ask  # type: ignore[method-assign]
    check([told], "kept", "changed meanwhile")
    told = await clerk.staged(room.repo.top, "feat: mine\n", dry=False, sure=True)
    check([told], "committed", "feat: mine")


# --- the user at work


@pytest.mark.parametrize("seed", range(3))
async def test_a_user_at_a_terminal_loses_nothing(tmp_path: Path, seed: int) -> None:
    """Accepts and undos among edits, stages, commits, branches and stashes: every text the user made is
    on disk or in a commit or stash, and nothing unasked is."""
    rng = random.Random(seed)
    room = Room.of(tmp_path)
    room.set(message="request")
    repo = room.repo
    for at in range(14):
        step = rng.choice(
            ["accept", "accept", "undo", "edit", "stage", "commit", "branch", "stash"]
        )
        await _user_or_tool(room, rng, step, at)
        staged_other = "other.txt" in repo.staged()
        if step == "accept":
            shown = repo.git("show", "--name-only", "--format=")
            assert not staged_other or "other.txt" not in shown.splitlines()
        repo.is_sound()
    texts = repo.git("log", "--all", "-p", "-m", "--format=") + "".join(
        path.read_text() for path in (repo.top / "app.py", repo.top / "other.txt")
    )
    texts += repo.git("diff", "--cached")
    for line in room.office.data.joinpath("typed").read_text().splitlines():
        assert line in texts, f"{line} is lost"


async def _user_or_tool(room: Room, rng: random.Random, step: str, at: int) -> None:
    repo, top = room.repo, room.repo.top
    typed = room.office.data / "typed"
    typed.parent.mkdir(exist_ok=True)
    typed.touch()
    if step == "accept":
        now = (top / "app.py").read_bytes()
        await room.accept({"app.py": b"# tool %d\n" % at + now}, f"feat: tool {at}")
    elif step == "undo":
        result = await undo(room.office.desk)
        if result.state == "done":
            await room._follow(result.after)
    elif step == "edit":
        path = top / rng.choice(["app.py", "other.txt"])
        path.write_text(path.read_text() + f"mine {at}\n")
        with typed.open("a") as file:
            file.write(f"mine {at}\n")
    elif step == "stage":
        repo.git("add", rng.choice(["app.py", "other.txt"]))
    elif step == "commit" and repo.staged():
        repo.git("commit", "-qm", f"user {at}")
    elif step == "branch" and not repo.git("status", "--porcelain"):
        repo.git("checkout", "-q", "-b", f"b{at}")
    elif step == "stash" and repo.git("status", "--porcelain"):
        repo.git("stash", "-q")
        repo.git("stash", "apply", "-q", "--index")
    await asyncio.sleep(0)
