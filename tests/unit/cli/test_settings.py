"""Settings of the commands: which file counts, what wins, what is refused; commit mode in a terminal."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import pytest
from tests.support.repos import UserRepo

from pairwright.cli import settings
from pairwright.cli.checks import checks_of
from pairwright.cli.main import Refused, main
from pairwright.config.schema import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's configuration folder."""
    place = tmp_path / "config"
    place.mkdir()
    monkeypatch.setenv("PAIRWRIGHT_CONFIG", str(place))
    return place


def read(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="")
    parser.add_argument("--api-base", default="")
    settings.add(parser)
    args = parser.parse_args(words)
    return settings.of_model(settings.of(args), args)


JSON = '{"pairwright.git.mode": "commit", "budget": {"day_cost": 3}}'
TOML = '[git]\nmode = "commit"\n[budget]\nday_cost = 3\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("settings.json", JSON),
        ("settings.toml", TOML),
        ("settings.toml", TOML.replace("[", "[pairwright.")),
    ],
)
def test_the_file_of_the_configuration_folder_counts(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    found = read()
    assert (found.git.mode, found.budget.day_cost) == ("commit", 3.0)
    assert read("--set", "git.mode=checkpoints").git.mode == "checkpoints"


def test_a_file_that_is_named_takes_its_place(folder: Path, tmp_path: Path) -> None:
    (folder / "settings.json").write_text(JSON)
    other = tmp_path / "other.toml"
    other.write_text("[map]\ntokens = 99\n")
    found = read("--settings", str(other))
    assert (found.map.tokens, found.git.mode) == (99, "checkpoints")


def test_a_file_of_the_workspace_does_not_count(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("settings.json", ".pairwright.json", "pairwright.json"):
        (tmp_path / name).write_text(JSON)
    monkeypatch.chdir(tmp_path)
    assert read() == Settings()


def test_a_model_that_is_named_leaves_what_was_set_for_another(folder: Path) -> None:
    (folder / "settings.toml").write_text(
        '[model]\nname = "openai/x"\napi_base = "http://127.0.0.1:1/v1"\nwindow = 4000\n'
    )
    same, other = read("--model", "openai/y").model, read("--model", "anthropic/z").model
    assert (same.api_base, same.window) == ("http://127.0.0.1:1/v1", 0)
    assert (other.name, other.api_base) == ("anthropic/z", "")
    based = read("--api-base", "http://127.0.0.1:2/v1").model
    assert (based.name, based.api_base, based.window) == ("openai/x", "http://127.0.0.1:2/v1", 4000)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("settings.json", "{", "line 1"),
        ("settings.json", "[]", "holds no object"),
        ("settings.json", b"\xff\xfe", "no text in UTF-8"),
        ("settings.toml", "[git\n", "line 1"),
        ("settings.toml", "[budget]\nday_cost = -1\n", "budget.day_cost"),
        ("settings.toml", '[model.extra]\napi_key = "sk"\n', "looks like a credential"),
    ],
)
def test_what_cannot_be_used_is_refused(
    folder: Path, tmp_path: Path, name: str, text: str | bytes, told: str
) -> None:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Refused, match=r"settings\.(json|toml)") as refused:
        read()
    assert told in str(refused.value) and "Using" not in str(refused.value)


def test_two_files_and_none_that_is_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("settings.json", JSON), ("settings.toml", TOML)):
        (folder / name).write_text(text)
    assert main(["undo", "--root", str(tmp_path)]) == 2
    assert "keep one of them" in capsys.readouterr().err
    assert main(["undo", "--root", str(tmp_path), "--settings", str(tmp_path / "none")]) == 2
    assert "pairwright undo: " in capsys.readouterr().err
    (folder / "settings.json").unlink()
    assert main(["map", "--root", str(tmp_path), "--set", "git.mode=comit"]) == 2
    assert "git.mode (--set): expected one of" in capsys.readouterr().err


def test_a_key_that_is_no_setting_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "settings.toml").write_text("[budget]\nday_costs = 1\n")
    assert read() == Settings()
    assert "pairwright.budget.day_costs" in capsys.readouterr().err


def test_commands_of_the_settings_run_where_they_vouch_for_the_workspace(folder: Path) -> None:
    text = '[checks]\nrun_test = "auto"\ntest = ["t"]\n[checks.lint]\n"*" = ["l"]\n'
    (folder / "settings.toml").write_text(text)
    typed = argparse.Namespace(lint=[("*.py", ("mine",))], test=())
    unvouched = checks_of(typed, read()).settings
    assert (unvouched.lint, unvouched.test) == ({"*.py": ("mine",)}, ())
    vouched = checks_of(typed, read("--set", "trusted=true")).settings
    assert vouched.lint == {"*": ("l",), "*.py": ("mine",)}
    assert (vouched.test, vouched.run_test, vouched.test_when) == (("t",), "auto", "before")


# --- commit mode

REPLY = "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"


@pytest.fixture
def repo(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UserRepo:
    made = UserRepo.of(tmp_path / "work")
    for name in ("HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(name, made.env[name])
    for name in ("DATA", "CACHE", "MODELS"):
        monkeypatch.setenv(f"PAIRWRIGHT_{name}", str(tmp_path / name.lower()))
    (folder / "settings.toml").write_text('[git]\nmode = "commit"\nmessage = "request"\n')
    return made


def test_apply_and_undo_follow_commit_mode(
    repo: UserRepo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("app.py", "x = 1\n")
    repo.git("add", "app.py")
    repo.git("commit", "-qm", "mine")
    head = repo.git("rev-parse", "HEAD")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(REPLY.encode()), "utf-8"))
    assert main(["apply", "--root", str(repo.top)]) == 0
    assert "Committed" in capsys.readouterr().err
    assert repo.git("show", "--format=", "--name-only", "HEAD") == "app.py"
    assert repo.git("rev-parse", "HEAD~1") == head and repo.git("status", "--porcelain") == ""
    assert main(["undo", "--root", str(repo.top)]) == 0
    assert repo.git("rev-parse", "HEAD") == head and repo.git("status", "--porcelain") == ""
    assert main(["undo", "--redo", "--root", str(repo.top), "--set", "git.mode=checkpoints"]) == 0
    assert repo.git("rev-parse", "HEAD") == head, "commit mode is off"
    repo.is_sound()
