"""Taking commits of ours back: exactly, or by a revert, or not at all with the reason; files on disk
are never touched. The git command is the judge."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repos import UserRepo

from pairwright.checkpoints.commit import Options, Step, commit
from pairwright.checkpoints.commit_log import Record, append, records, tidy
from pairwright.checkpoints.commit_undo import Taken, take_back
from pairwright.checkpoints.types import FileState

LONG = "".join(f"line {n}\n" for n in range(30))


def made(repo: UserRepo, own: str = "", text: str = "x = 2\ny = 1\n") -> Record:
    """What an accept left: app.py with `own` committed as the user's and then the edit."""
    steps = [Step({"app.py": FileState(own.encode())}, "chore: mine", own=True)] if own else []
    repo.write("app.py", text)
    steps.append(Step({"app.py": repo.state("app.py")}, "feat: edit"))
    result = commit(repo.command, steps, Options())
    assert not result.refused
    return Record("c1", str(repo.top), result.branch, result.staged, result.made)


def check(repo: UserRepo, record: Record, how: str, reason: str = "") -> Taken:
    """Take `record` back; only its own paths' index entries and HEAD may move."""
    before = repo.look("app.py", "new.py")
    whole = repo.look()
    taken = take_back(repo.command, record, "revert: edit", Options())
    assert (taken.how, reason in taken.reason) == (how, True), taken
    after = repo.look("app.py", "new.py")
    assert (before.index, before.disk) == (after.index, after.disk)
    if how == "kept":
        assert taken.reason
        assert repo.look() == whole
    repo.is_sound()
    return taken


@pytest.fixture
def repo(tmp_path: Path) -> UserRepo:
    return UserRepo.of(tmp_path / "work")


def test_the_last_commit_is_as_if_it_had_never_been(repo: UserRepo) -> None:
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    head = repo.git("rev-parse", "HEAD")
    record = made(repo)
    check(repo, record, "reset")
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.staged() == ["other.txt"]
    repo.write("app.py", "x = 1\ny = 1\n")
    assert repo.git("status", "--porcelain") == "M  other.txt"


def test_the_users_work_is_as_uncommitted_and_as_staged_as_before(repo: UserRepo) -> None:
    repo.write("app.py", "x = 1\ny = 1\nstaged\n")
    repo.git("add", "app.py")
    own = "x = 1\ny = 1\nstaged\nnot staged\n"
    repo.write("app.py", own)
    status = repo.git("status", "--porcelain=v2")
    record = made(repo, own, own.replace("x = 1", "x = 2"))
    assert repo.log() == ["feat: edit", "chore: mine", "base"]
    taken = check(repo, record, "reset")
    assert len(taken.commits) == 2
    repo.write("app.py", own)
    assert repo.git("status", "--porcelain=v2") == status


def test_what_was_staged_since_stays_staged(repo: UserRepo) -> None:
    record = made(repo)
    repo.write("app.py", "x = 2\ny = 1\nmine\n")
    repo.git("add", "app.py")
    check(repo, record, "reset")
    assert repo.git("show", ":app.py") == "x = 2\ny = 1\nmine"


def test_the_first_commit_of_a_branch(tmp_path: Path) -> None:
    repo = UserRepo.of(tmp_path / "work", commit=False)
    record = made(repo)
    assert take_back(repo.command, record, "", Options()).how == "reset"
    repo.git("rev-parse", "-q", "--verify", "HEAD", code=1)
    assert repo.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert repo.git("ls-files") == ""


def test_a_detached_head(repo: UserRepo) -> None:
    repo.git("checkout", "-q", "--detach")
    head = repo.git("rev-parse", "HEAD")
    check(repo, made(repo), "reset")
    assert repo.git("rev-parse", "HEAD") == head
    repo.git("symbolic-ref", "-q", "HEAD", code=1)


def test_behind_commits_of_the_user_it_is_reverted(repo: UserRepo) -> None:
    repo.write("app.py", LONG)
    repo.git("commit", "-qam", "long")
    record = made(repo, text=LONG.replace("line 3\n", "edit\n"))
    repo.write("app.py", LONG.replace("line 3\n", "edit\n").replace("line 25\n", "mine\n"))
    repo.git("commit", "-qam", "mine")
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    taken = check(repo, record, "revert")
    assert repo.log() == ["revert: edit", "mine", "feat: edit", "long", "base"]
    assert repo.git("rev-parse", "HEAD") == taken.id
    assert repo.show("app.py") == LONG.replace("line 25\n", "mine\n")
    assert repo.staged() == ["other.txt"]
    check(repo, record, "kept", "undone already")


def test_a_created_file_is_removed_by_the_revert(repo: UserRepo) -> None:
    repo.write("new.py", "n\n")
    result = commit(repo.command, [Step({"new.py": repo.state("new.py")}, "feat: n")], Options())
    record = Record("c1", str(repo.top), result.branch, result.staged, result.made)
    repo.write("other.txt", "mine\n")
    repo.git("commit", "-qam", "mine")
    check(repo, record, "revert")
    assert repo.git("ls-tree", "HEAD", "new.py") == ""
    assert repo.git("status", "--porcelain") == "?? new.py"


def test_later_commits_of_the_same_lines_keep_it(repo: UserRepo) -> None:
    record = made(repo)
    repo.write("app.py", "x = 3\ny = 1\n")
    repo.git("commit", "-qam", "mine")
    check(repo, record, "kept", "same lines of app.py")


def test_staged_changes_of_its_files_keep_it(repo: UserRepo) -> None:
    record = made(repo)
    repo.write("other.txt", "mine\n")
    repo.git("commit", "-qam", "mine")
    repo.write("app.py", "x = 2\ny = 9\n")
    repo.git("add", "app.py")
    check(repo, record, "kept", "staged")


def test_what_others_have_is_kept(repo: UserRepo) -> None:
    repo.git("clone", "-q", "--bare", str(repo.top), "../remote")
    repo.git("remote", "add", "origin", "../remote")
    record = made(repo)
    repo.git("push", "-q", "-u", "origin", "main")
    check(repo, record, "kept", "pushed (origin/main")


@pytest.mark.parametrize("words", [("branch", "side"), ("tag", "v1"), ("tag", "-a", "v1", "-mx")])
def test_what_other_refs_have_is_kept(repo: UserRepo, words: tuple[str, ...]) -> None:
    record = made(repo)
    repo.git(*words)
    check(repo, record, "kept", f"also in {'side' if words[0] == 'branch' else 'tags/v1'}")


def test_a_stash_on_top_does_no_harm(repo: UserRepo) -> None:
    record = made(repo)
    repo.write("other.txt", "stashed\n")
    repo.git("stash", "-q")
    check(repo, record, "reset")
    repo.git("stash", "pop", "-q")
    assert (repo.top / "other.txt").read_text() == "stashed\n"


def test_own_work_that_another_branch_has_stays_committed(repo: UserRepo) -> None:
    record = made(repo, "x = 1\ny = 1\nmine\n", "x = 2\ny = 1\nmine\n")
    repo.git("branch", "keep", "HEAD~")
    taken = check(repo, record, "reset")
    assert taken.commits == (record.made[-1].id,)
    assert repo.log() == ["chore: mine", "base"]


def test_on_another_branch_nothing_is_done(repo: UserRepo) -> None:
    repo.git("branch", "side")
    record = made(repo)
    repo.git("checkout", "-q", "side")
    check(repo, record, "kept", "not in the history")


def test_amended_or_rebased_away_nothing_is_done(repo: UserRepo) -> None:
    record = made(repo)
    repo.git("commit", "-q", "--amend", "-m", "better words")
    check(repo, record, "kept", "not in the history")


def test_a_merge_in_progress_keeps_it(repo: UserRepo) -> None:
    record = made(repo)
    head = repo.git("rev-parse", "HEAD")
    (repo.top / ".git/MERGE_HEAD").write_text(f"{head}\n")
    check(repo, record, "kept", "a merge is in progress")


def test_a_hook_may_refuse_the_revert(repo: UserRepo) -> None:
    record = made(repo)
    repo.write("other.txt", "mine\n")
    repo.git("commit", "-qam", "mine")
    repo.hook("commit-msg", "echo no revert >&2; exit 1")
    check(repo, record, "kept", "no revert")


def test_a_collected_blob_is_replaced_by_that_of_the_commit_before(repo: UserRepo) -> None:
    repo.write("app.py", "only staged\n")
    repo.git("add", "app.py")
    repo.write("app.py", "x = 1\ny = 1\n")
    record = made(repo)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    check(repo, record, "reset")
    assert repo.git("show", ":app.py") == "x = 1\ny = 1"


def test_records_are_read_back(repo: UserRepo, tmp_path: Path) -> None:
    record = made(repo, "x = 1\nmine\n")
    append(tmp_path, record)
    other = Record("c2", str(repo.top), "", {"od\udcffd": None}, ())
    append(tmp_path, other)
    with (tmp_path / "commits.jsonl").open("ab") as file:
        file.write(b'{"change": "c1"\n')
    append(tmp_path, record)
    assert records(tmp_path, "c1") == (record, record)
    assert records(tmp_path, "c2") == (other,)
    assert records(tmp_path / "none", "c1") == ()
    assert (tmp_path / "commits.jsonl").stat().st_mode & 0o777 == 0o600
    line = (tmp_path / "commits.jsonl").read_bytes().splitlines()[1]
    (tmp_path / "commits.jsonl").write_bytes((line + b"\n") * 2001)
    tidy(tmp_path)
    assert len(records(tmp_path, "c2")) == 1000
