"""Commits of single files in a user's repository of every kind: only those paths, as git would, or
refused with the reason and nothing changed. The git command is the judge."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.support.repos import UserRepo

from pairwright.checkpoints.commit import Options, Result, Step, commit, survey
from pairwright.checkpoints.commit_git import Git
from pairwright.checkpoints.commit_recover import told
from pairwright.checkpoints.types import FileState

EDIT = "x = 2\ny = 1\n"


def check(
    repo: UserRepo,
    *steps: Step,
    refused: str = "",
    subjects: list[str] | None = None,
    options: Options | None = None,
) -> Result:
    """Commit `steps`; all that is not theirs is as before, whatever becomes of them."""
    paths = [path for step in steps for path in step.files]
    before = repo.look(*paths)
    whole = repo.look()
    result = commit(repo.command, steps, options or Options())
    assert (refused in result.refused) == bool(refused or not result.refused), result
    after = repo.look(*paths)
    assert (before.index, before.disk) == (after.index, after.disk)
    if refused:
        assert result.refused
        assert not result.made
        assert repo.look() == whole
    else:
        assert [one.subject for one in result.made] == (
            subjects if subjects is not None else [step.message for step in steps]
        )
        made = "".join(one.id for one in result.made[-1:]) or before.head
        assert repo.git("rev-parse", "HEAD") == made
    repo.is_sound()
    return result


def edit(repo: UserRepo, text: str | bytes = EDIT, path: str = "app.py") -> Step:
    """`path` on disk as an accept left it, to be committed."""
    repo.write(path, text, repo.state(path).mode if (repo.top / path).exists() else 0o644)
    return Step({path: repo.state(path)}, "feat: edit")


@pytest.fixture
def repo(tmp_path: Path) -> UserRepo:
    return UserRepo.of(tmp_path / "work")


def test_new_changed_and_deleted_files_are_one_commit(repo: UserRepo) -> None:
    repo.write("app.py", EDIT)
    repo.write("a b/né\n.txt", "n\n")
    (repo.top / "other.txt").unlink()
    paths = ("app.py", "a b/né\n.txt", "other.txt")
    step = Step({path: repo.state(path) for path in paths}, "feat: three")
    check(repo, step)
    assert repo.git("status", "--porcelain") == ""
    assert repo.git("diff", "HEAD~", "--name-status", "-z").count("\0") == 6


def test_the_users_own_work_is_a_commit_before_the_edit(repo: UserRepo) -> None:
    own = Step({"app.py": FileState(b"x = 1\ny = 1\nmine\n")}, "chore: mine", own=True)
    after = edit(repo, "x = 2\ny = 1\nmine\n")
    result = check(repo, own, after, options=Options(author="tagged", committer="tagged"))
    assert repo.show("app.py", "HEAD~") == "x = 1\ny = 1\nmine\n"
    names = repo.git("log", "-2", "--format=%an/%cn").splitlines()
    assert names == ["Ada (Pairwright)/Ada (Pairwright)", "Ada/Ada"]
    assert repo.git("status", "--porcelain") == ""
    assert result.branch == "refs/heads/main" and not result.left


def test_a_step_that_changes_nothing_makes_no_commit(repo: UserRepo) -> None:
    own = Step({"app.py": repo.state("app.py")}, "chore: nothing", own=True)
    check(repo, own, edit(repo), subjects=["feat: edit"])
    check(repo, edit(repo), subjects=[])


def test_what_is_staged_or_partly_staged_elsewhere_stays(repo: UserRepo) -> None:
    repo.write("other.txt", "staged\n")
    repo.write("new.txt", "staged new\n")
    repo.write("intended.txt", "later\n")
    repo.git("add", "other.txt", "new.txt")
    repo.git("add", "-N", "intended.txt")
    repo.write("other.txt", "staged\nnot staged\n")
    repo.git("rm", "-q", "--cached", "-r", "--ignore-unmatch", "nothing")
    check(repo, edit(repo))
    assert repo.staged() == ["new.txt", "other.txt"]
    assert repo.git("show", ":other.txt") == "staged"
    assert repo.git("diff", "--name-only") == "intended.txt\nother.txt"
    assert repo.git("show", "--name-only", "--format=") == "app.py"


def test_a_staged_deletion_and_a_staged_rename_stay(repo: UserRepo) -> None:
    repo.write("third.txt", "3\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "third")
    repo.git("rm", "-q", "third.txt")
    repo.git("mv", "other.txt", "moved.txt")
    check(repo, edit(repo))
    assert repo.staged() == ["moved.txt", "third.txt"]


def test_the_text_of_a_buffer_is_committed_and_told(repo: UserRepo) -> None:
    result = check(repo, Step({"app.py": FileState(EDIT.encode())}, "feat: unsaved"))
    assert result.buffers == ("app.py",)
    assert repo.show("app.py") == EDIT
    assert repo.git("status", "--porcelain") == " M app.py"
    repo.write("app.py", EDIT)
    assert repo.git("status", "--porcelain") == ""


def test_hooks_run_and_see_what_is_committed(repo: UserRepo) -> None:
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    repo.hook("pre-commit", "git diff --cached --name-only > ../seen")
    repo.hook("commit-msg", 'echo >> "$1"; echo "Signed: hook" >> "$1"')
    repo.hook("post-commit", "git rev-parse HEAD > ../made")
    result = check(repo, edit(repo))
    assert (repo.top.parent / "seen").read_text() == "app.py\n"
    assert (repo.top.parent / "made").read_text().strip() == result.made[0].id
    assert "Signed: hook" in repo.git("log", "-1", "--format=%b")


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg", "prepare-commit-msg"])
def test_a_hook_that_refuses_is_heard(repo: UserRepo, name: str) -> None:
    repo.hook(name, "echo 'no, because of the tests' >&2; exit 1")
    check(repo, edit(repo), refused="because of the tests")
    if name != "prepare-commit-msg":
        check(repo, edit(repo), options=Options(verify=False))


def test_a_hook_that_refuses_the_second_commit_undoes_the_first(repo: UserRepo) -> None:
    repo.hook("commit-msg", 'grep -q chore "$1"')
    own = Step({"app.py": FileState(b"mine\n")}, "chore: mine", own=True)
    check(repo, own, edit(repo), refused="ended with 1")
    assert repo.log() == ["base"]


def test_a_hook_that_formats_is_taken_as_it_is(repo: UserRepo) -> None:
    repo.hook("pre-commit", "printf 'x = 3\\n' > app.py; echo h > hooked; git add app.py hooked")
    step = edit(repo)
    result = commit(repo.command, [step], Options())
    assert result.made[0].others == ("hooked",)
    assert repo.show("app.py") == "x = 3\n"
    repo.is_sound()


def test_a_hook_without_an_end_is_stopped(repo: UserRepo) -> None:
    repo.hook("pre-commit", "sleep 60")
    step = edit(repo)
    whole = repo.look()
    git = Git(repo.top, repo.env, timeout=0.5)
    assert "did not end" in commit(git, [step], Options()).refused
    assert repo.look() == whole
    repo.is_sound()


def test_a_process_that_a_hook_leaves_behind_holds_nothing_up(repo: UserRepo) -> None:
    repo.hook("post-commit", "(sleep 5; true) & true")
    git = Git(repo.top, repo.env, timeout=4)
    assert commit(git, [edit(repo)], Options()).made


def test_signatures_are_gits_own_business(repo: UserRepo) -> None:
    repo.write("../sign", '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\n', 0o755)
    repo.write("../fail", "#!/bin/sh\nexit 1\n", 0o755)
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", str(repo.top.parent / "fail"))
    check(repo, edit(repo), refused="sign")
    script = (
        "#!/bin/sh\ncat > /dev/null\necho '-----BEGIN PGP SIGNATURE-----'\necho abc\n"
        "echo '-----END PGP SIGNATURE-----'\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n"
    )
    repo.write("../sign", script, 0o755)
    repo.git("config", "gpg.program", str(repo.top.parent / "sign"))
    check(repo, edit(repo))
    assert "gpgsig" in repo.git("cat-file", "commit", "HEAD")


@pytest.mark.parametrize("saved", [True, False])
def test_line_ends_and_filters_are_those_of_git_add(repo: UserRepo, saved: bool) -> None:
    repo.write(".gitattributes", "*.crlf text eol=crlf\n*.up filter=up\nsub/*.crlf -text\n")
    repo.write("sub/.gitattributes", "*.lf text\n")
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "rules")
    texts = {
        "a.crlf": "1\r\n2\r\n",
        "b.up": "loud\n",
        "sub/a.crlf": "1\r\n",
        "sub/b.lf": "1\r\n2\n",
        "plain": "1\r\n",
    }
    states = {path: FileState(text.encode()) for path, text in texts.items()}
    if saved:
        for path, text in texts.items():
            repo.write(path, text)
    check(repo, Step(states, "feat: rules"))
    ids = {path: repo.git("rev-parse", f"HEAD:{path}") for path in texts}
    for path, text in texts.items():
        repo.write(path, text)
    repo.git("rm", "-q", "--cached", *texts)
    repo.git("add", *texts)
    assert {path: repo.git("rev-parse", f":{path}") for path in texts} == ids
    assert repo.show("b.up") == "LOUD\n"
    assert repo.show("a.crlf") == "1\n2\n"


@pytest.mark.parametrize("saved", [True, False])
def test_autocrlf_leaves_files_that_have_crlf_in_the_index(repo: UserRepo, saved: bool) -> None:
    repo.write("old.txt", "1\r\n2\r\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "crlf")
    repo.git("config", "core.autocrlf", "true")
    states = {"old.txt": FileState(b"1\r\n3\r\n"), "new.txt": FileState(b"1\r\n")}
    if saved:
        for path, state in states.items():
            repo.write(path, state.data or b"")
    check(repo, Step(states, "feat: crlf"))
    assert repo.show("old.txt") == "1\r\n3\r\n"
    assert repo.show("new.txt") == "1\n"


def test_modes_follow_the_file_or_where_git_does_not_trust_it_the_index(repo: UserRepo) -> None:
    repo.write("run.sh", "#!/bin/sh\n", 0o755)
    repo.git("add", "-A")
    repo.git("commit", "-qm", "run")
    check(repo, edit(repo, "#!/bin/sh\necho\n", "run.sh"))
    assert repo.git("ls-tree", "HEAD", "run.sh").startswith("100755")
    check(repo, Step({"run.sh": FileState(b"#!/bin/sh\necho 2\n", 0o755)}, "feat: unsaved"))
    assert repo.git("ls-tree", "HEAD", "run.sh").startswith("100755")
    repo.git("config", "core.fileMode", "false")
    repo.write("run.sh", "#!/bin/sh\necho 3\n", 0o644)
    check(repo, Step({"run.sh": repo.state("run.sh")}, "feat: third"))
    assert repo.git("ls-tree", "HEAD", "run.sh").startswith("100755")


def test_links_stay_links(repo: UserRepo) -> None:
    (repo.top / "link").symlink_to("app.py")
    check(repo, Step({"link": repo.state("link")}, "feat: link"))
    assert repo.git("ls-tree", "HEAD", "link").startswith("120000")
    repo.git("config", "core.symlinks", "false")
    (repo.top / "link").unlink()
    repo.write("link", "other.txt")
    check(repo, Step({"link": repo.state("link")}, "feat: no links here"))
    assert repo.git("ls-tree", "HEAD", "link").startswith("120000")
    assert repo.git("status", "--porcelain") == ""


def test_a_file_becomes_a_folder(repo: UserRepo) -> None:
    (repo.top / "other.txt").unlink()
    repo.write("other.txt/in", "1\n")
    states = {path: repo.state(path) for path in ("other.txt/in",)}
    check(repo, Step({**states, "other.txt": FileState(None)}, "feat: folder"))
    assert repo.git("status", "--porcelain") == ""


def test_ignored_hidden_and_skipped_files_are_left_out_and_told(repo: UserRepo) -> None:
    repo.write(".gitignore", "*.env\n")
    repo.write("hidden.txt", "h\n")
    repo.write("forced.env", "tracked\n")
    repo.git("add", "-A")
    repo.git("add", "-f", "forced.env")
    repo.git("commit", "-qm", "rules")
    repo.git("update-index", "--assume-unchanged", "hidden.txt")
    paths = ("app.py", "secret.env", "hidden.txt", "forced.env")
    for path in paths:
        repo.write(path, "new\n")
    result = check(repo, Step({path: repo.state(path) for path in paths}, "feat: some"))
    assert result.left == {
        "secret.env": "it is ignored by git",
        "hidden.txt": "it is marked assume-unchanged",
    }
    assert repo.git("show", "--name-only", "--format=") == "app.py\nforced.env"


def test_a_staged_file_that_is_ignored_is_committed(repo: UserRepo) -> None:
    repo.write(".gitignore", "*.env\n")
    repo.write("forced.env", "staged\n")
    repo.git("add", "-f", ".gitignore", "forced.env")
    check(repo, edit(repo, "edited\n", "forced.env"))
    assert repo.git("show", "--name-only", "--format=") == "forced.env"


def _merge(repo: UserRepo) -> None:
    _branches(repo)
    repo.git("merge", "-q", "side", code=1)
    repo.write("other.txt", "both\n")
    repo.git("add", "other.txt")


def _branches(repo: UserRepo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.write("other.txt", "side\n")
    repo.git("commit", "-qam", "side")
    repo.git("checkout", "-q", "main")
    repo.write("other.txt", "main\n")
    repo.git("commit", "-qam", "main")


def _rebase(repo: UserRepo) -> None:
    _branches(repo)
    repo.git("rebase", "-q", "side", code=1)


def _pick(repo: UserRepo) -> None:
    _branches(repo)
    repo.git("cherry-pick", "side", code=1)


def _revert(repo: UserRepo) -> None:
    _branches(repo)
    repo.write("other.txt", "third\n")
    repo.git("commit", "-qam", "third")
    repo.git("revert", "--no-edit", "HEAD~", code=1)


def _bisect(repo: UserRepo) -> None:
    _branches(repo)
    repo.git("bisect", "start", "HEAD", "HEAD~")


def _squash(repo: UserRepo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.write("new", "side\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "side")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--squash", "side")


def _unmerged(repo: UserRepo) -> None:
    repo.write("other.txt", "stashed\n")
    repo.git("stash", "-q")
    repo.write("other.txt", "main\n")
    repo.git("commit", "-qam", "main")
    repo.git("stash", "pop", "-q", code=1)


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        (_merge, "a merge is in progress"),
        (_rebase, "a rebase is in progress"),
        (_pick, "a cherry-pick is in progress"),
        (_revert, "a revert is in progress"),
        (_bisect, "a bisection is in progress"),
        (_squash, "squash merge waits"),
        (_unmerged, "the index has conflicts"),
    ],
)
def test_what_is_under_way_is_not_disturbed(repo: UserRepo, arrange: object, reason: str) -> None:
    assert callable(arrange)
    arrange(repo)
    check(repo, edit(repo), refused=reason)
    assert reason in survey(repo.command, {}, {}).refused


def test_unborn_and_detached(tmp_path: Path) -> None:
    unborn = UserRepo.of(tmp_path / "unborn", commit=False)
    unborn.git("add", "other.txt")
    before = unborn.git("ls-files", "-s", "other.txt")
    assert commit(unborn.command, [edit(unborn)], Options()).made[0].parent == ""
    assert unborn.log() == ["feat: edit"]
    assert unborn.git("ls-files", "-s", "other.txt") == before
    assert unborn.staged() == ["other.txt"]
    unborn.is_sound()
    unborn.git("checkout", "-q", "--detach")
    check(unborn, edit(unborn, "x = 3\n"))
    unborn.git("symbolic-ref", "-q", "HEAD", code=1)


def test_an_unborn_branch_whose_commit_is_refused_stays_unborn(tmp_path: Path) -> None:
    unborn = UserRepo.of(tmp_path / "unborn", commit=False)
    unborn.hook("commit-msg", 'grep -q chore "$1"')
    own = Step({"app.py": FileState(b"mine\n")}, "chore: mine", own=True)
    assert commit(unborn.command, [own, edit(unborn)], Options()).refused
    unborn.git("rev-parse", "-q", "--verify", "HEAD", code=1)
    assert unborn.git("ls-files") == ""


@pytest.mark.parametrize("saved", [True, False])
def test_worktree_and_submodule(repo: UserRepo, tmp_path: Path, saved: bool) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", "../linked")
    repo.git("submodule", "add", "-q", str(repo.top), "sub")
    repo.git("commit", "-qm", "sub")
    main = repo.look()
    for name in ("../linked", "sub"):
        inner = UserRepo((repo.top / name).resolve(), repo.env)
        inner.git("config", "user.name", "Ada")
        inner.git("config", "user.email", "ada@example.invalid")
        if saved:
            check(inner, edit(inner))
        else:
            check(inner, Step({"app.py": FileState(EDIT.encode())}, "feat: unsaved"))
        assert inner.show("app.py") == EDIT
    now = repo.look()
    assert (now.index, now.head) == (main.index, main.head)


@pytest.mark.parametrize("words", [("set", "src"), ("set", "--sparse-index", "src")])
def test_sparse_checkouts_stay_sparse(repo: UserRepo, words: tuple[str, ...]) -> None:
    repo.write("src/a.py", "1\n")
    repo.write("docs/a.md", "1\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "folders")
    repo.git("sparse-checkout", *words)
    check(repo, edit(repo, "2\n", "src/a.py"))
    assert repo.git("ls-files", "-t", "docs/a.md") == "S docs/a.md"
    assert "docs/a.md" in repo.git("ls-tree", "-r", "--name-only", "HEAD")
    assert repo.git("status", "--porcelain") == ""
    result = check(repo, Step({"docs/a.md": FileState(b"2\n")}, "feat: outside"), subjects=[])
    assert "sparse" in result.left["docs/a.md"]


def test_split_index_packed_refs_and_version_4(repo: UserRepo) -> None:
    repo.git("update-index", "--index-version", "4")
    repo.git("config", "core.splitIndex", "true")
    repo.git("config", "core.untrackedCache", "true")
    repo.git("update-index", "--split-index")
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    repo.git("pack-refs", "--all")
    repo.git("gc", "-q")
    check(repo, edit(repo))
    check(repo, edit(repo, "x = 3\n"))
    assert repo.staged() == ["other.txt"]


def test_sha256(tmp_path: Path) -> None:
    repo = UserRepo.of(tmp_path / "work", "--object-format=sha256")
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    (repo.top / "new.txt").write_text("n\n")
    step = edit(repo)
    check(repo, Step({**step.files, "new.txt": repo.state("new.txt")}, "feat: long"))
    (repo.top / "new.txt").unlink()
    check(repo, Step({"new.txt": FileState(None)}, "feat: gone"))
    assert repo.staged() == ["other.txt"]


def test_shallow_partial_and_borrowed_objects(repo: UserRepo, tmp_path: Path) -> None:
    repo.write("other.txt", "second\n")
    repo.git("commit", "-qam", "second")
    repo.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repo.top}"
    for name, words in {
        "shallow": ("--depth=1", url),
        "partial": ("--filter=blob:none", url),
        "shared": ("--shared", str(repo.top)),
    }.items():
        repo.git("clone", "-q", *words, str(tmp_path / name))
        clone = UserRepo(tmp_path / name, repo.env)
        clone.git("config", "user.name", "Ada")
        clone.git("config", "user.email", "ada@example.invalid")
        check(clone, edit(clone))
        assert clone.git("status", "--porcelain") == ""


def test_a_format_that_git_here_does_not_know_is_refused(repo: UserRepo) -> None:
    step = edit(repo)
    config = (repo.top / ".git/config").read_bytes()
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.tomorrow", "yes")
    result = commit(repo.command, [step], Options())
    assert "tomorrow" in result.refused
    (repo.top / ".git/config").write_bytes(config)
    assert repo.log() == ["base"]
    repo.is_sound()


def test_no_identity_is_refused_and_none_is_written(repo: UserRepo) -> None:
    repo.git("config", "--unset", "user.email")
    repo.git("config", "user.useConfigOnly", "true")
    config = (repo.top / ".git/config").read_bytes()
    check(repo, edit(repo), refused="email")
    assert (repo.top / ".git/config").read_bytes() == config


def test_without_the_git_command_it_is_refused(repo: UserRepo) -> None:
    git = Git(repo.top, {**repo.env, "PATH": ""})
    assert "not installed" in commit(git, [edit(repo)], Options()).refused
    assert "not installed" in survey(git, {}, {}).refused


def test_variables_of_another_repository_do_not_lead_astray(repo: UserRepo, tmp_path: Path) -> None:
    other = UserRepo.of(tmp_path / "other")
    led = {"GIT_DIR": str(other.top / ".git"), "GIT_INDEX_FILE": str(other.top / ".git/index")}
    assert commit(Git(repo.top, {**repo.env, **led}), [edit(repo)], Options()).made
    assert other.log() == ["base"]
    assert repo.log() == ["feat: edit", "base"]


def test_an_index_that_another_command_holds_is_refused(repo: UserRepo) -> None:
    step = edit(repo)
    lock = repo.top / ".git/index.lock"
    lock.write_bytes(b"")
    result = commit(repo.command, [step], Options())
    assert str(lock) in result.refused
    assert lock.exists() and repo.log() == ["base"]
    lock.unlink()
    check(repo, step)


def test_a_lock_of_ours_that_a_killed_process_left_is_broken(repo: UserRepo) -> None:
    repo.hook("pre-commit", "touch ../begun; until test -e ../go; do sleep 0.02; done; exit 1")
    step = edit(repo)
    code = (
        "import sys, json; from pathlib import Path\n"
        "from pairwright.checkpoints.commit import *\n"
        "from pairwright.checkpoints.commit_git import Git\n"
        "from pairwright.checkpoints.types import FileState\n"
        "import os\n"
        "git = Git(Path(sys.argv[1]), dict(os.environ))\n"
        "commit(git, [Step({'app.py': FileState(b'1\\n')}, 'feat: killed')], Options())\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(repo.top)], env=repo.env)
    until = time.monotonic() + 20
    while not (repo.top.parent / "begun").exists() and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert "index.lock" in commit(repo.command, [step], Options()).refused, "its git goes on"
    (repo.top.parent / "go").touch()
    repo.hook("pre-commit", "exit 0")
    assert repo.git("status", "--porcelain") == " M app.py"
    while time.monotonic() < until and not told(repo.top, repo.env):
        time.sleep(0.02)
    check(repo, step)


def test_no_other_command_gets_between(repo: UserRepo) -> None:
    repo.hook(
        "pre-commit",
        "git -C .. -c x.y=1 version >/dev/null; env -u GIT_INDEX_FILE git add other.txt",
    )
    repo.write("other.txt", "user\n")
    check(repo, edit(repo), refused="index.lock")
    assert repo.staged() == []


def test_a_head_that_moves_meanwhile_is_noticed(repo: UserRepo) -> None:
    repo.write("other.txt", "theirs\n")
    repo.git("commit", "-qam", "theirs")
    theirs = repo.git("rev-parse", "HEAD")
    repo.git("reset", "-q", "--soft", "HEAD~")
    repo.hook("pre-commit", f"git update-ref HEAD {theirs}")
    result = commit(repo.command, [edit(repo)], Options())
    assert result.refused
    assert repo.git("rev-parse", "HEAD") == theirs
    assert repo.git("ls-files", "-s", "app.py") == repo.git("ls-files", "-s", "app.py")
    repo.is_sound()


def test_survey_says_what_would_be_committed(repo: UserRepo) -> None:
    whole = repo.look()
    before = {"app.py": FileState(b"x = 1\ny = 1\nmine\n"), "other.txt": repo.state("other.txt")}
    after = {"app.py": FileState(b"x = 2\ny = 1\nmine\n"), "other.txt": FileState(b"secret\n")}
    found = survey(repo.command, before, after, hidden=("other.txt",))
    assert found.own == ("app.py",)
    assert "\n+mine\n" in found.own_diff and "x = 2" not in found.own_diff
    assert "-x = 1\n+x = 2\n" in found.diff and "secret" not in found.diff
    assert repo.look() == whole
    repo.is_sound()


def test_a_read_only_git_folder_is_refused(repo: UserRepo) -> None:
    if os.geteuid() == 0:
        shutil.rmtree(repo.top / ".git/objects")
        assert commit(repo.command, [edit(repo)], Options()).refused
        return
    step = edit(repo)
    (repo.top / ".git").chmod(0o500)
    try:
        assert commit(repo.command, [step], Options()).refused
    finally:
        (repo.top / ".git").chmod(0o700)
