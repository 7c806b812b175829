"""`pairwright commit`: what is staged becomes a commit, or the exit code says that it did not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repos import UserRepo

from pairwright.cli.main import main


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UserRepo:
    made = UserRepo.of(tmp_path / "work")
    for name in ("HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(name, made.env[name])
    for name in ("DATA", "CACHE", "MODELS"):
        monkeypatch.setenv(f"PAIRWRIGHT_{name}", str(tmp_path / name.lower()))
    monkeypatch.setattr("pairwright.llm.models.LOOPBACK", ())
    return made


def check(
    repo: UserRepo, capsys: pytest.CaptureFixture[str], code: int, *words: str
) -> tuple[str, str]:
    assert main(["commit", "--root", str(repo.top), *words]) == code
    out, err = capsys.readouterr()
    repo.is_sound()
    return out, err


def test_a_message_of_your_own(repo: UserRepo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("app.py", "x = 2\n")
    repo.write("other.txt", "not staged\n")
    repo.git("add", "app.py")
    out, err = check(repo, capsys, 0, "-m", "feat: mine\n\nBecause.")
    assert out.startswith("Committed ") and not err
    assert repo.git("log", "-1", "--format=%B").strip() == "feat: mine\n\nBecause."
    assert repo.git("status", "--porcelain") == " M other.txt"


def test_a_dry_run_prints_the_message_alone(
    repo: UserRepo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("app.py", "x = 2\n")
    repo.git("add", "app.py")
    before = repo.look()
    out, err = check(repo, capsys, 0, "--dry-run", "--model", "embedded")
    assert out == "chore: change app.py\n"
    assert "made by rule" in err and "embedded model" in err
    assert repo.look() == before


def test_nothing_staged_and_no_repository(
    repo: UserRepo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nothing is staged" in check(repo, capsys, 1)[1]
    assert main(["commit", "--root", str(tmp_path / "none")]) == 2
    (tmp_path / "plain").mkdir()
    assert main(["commit", "--root", str(tmp_path / "plain"), "-m", "x"]) == 1
    assert "no git repository" in capsys.readouterr().err


def test_a_hook_may_refuse(repo: UserRepo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("app.py", "x = 2\n")
    repo.git("add", "app.py")
    repo.hook("pre-commit", "echo not on a Friday >&2; exit 1")
    assert "not on a Friday" in check(repo, capsys, 1, "-m", "feat: x")[1]
    assert repo.staged() == ["app.py"]
    check(repo, capsys, 0, "-m", "feat: x", "--no-verify")


def test_a_merge_is_left_to_the_user(repo: UserRepo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("app.py", "x = 2\n")
    repo.git("add", "app.py")
    (repo.top / ".git/MERGE_HEAD").write_text(repo.git("rev-parse", "HEAD") + "\n")
    assert "a merge is in progress" in check(repo, capsys, 1, "-m", "feat: x")[1]
