"""Keys of providers: a file of one's own, the client's storage, and who gets which."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import pytest

from pairwright.cli.main import main
from pairwright.llm.keys import KeyFile, KeyFileError, Keys, owner
from pairwright.llm.types import ModelError


def check(file: KeyFile, **keys: str) -> None:
    """The file holds exactly `keys`, and only its owner can read it."""
    assert file.read() == keys
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_a_key_is_stored_replaced_and_forgotten(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "config" / "keys.json")
    assert file.read() == {}
    file.write("anthropic", "one")
    file.write("openai", "two")
    file.write("anthropic", "three")
    check(file, anthropic="three", openai="two")
    file.write("openai", "")
    file.write("nobody", "")
    check(file, anthropic="three")
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
    assert [path.name for path in file.path.parent.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_not_used(tmp_path: Path, mode: int) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.write("openai", "secret-value")
    file.path.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600") as caught:
        file.read()
    assert "secret-value" not in str(caught.value)
    with pytest.raises(KeyFileError):
        file.write("openai", "another")


@pytest.mark.parametrize("text", ["[]", "{", "\x00"])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.path.write_text(text)
    file.path.chmod(0o600)
    with pytest.raises(KeyFileError, match=r"keys\.json"):
        file.read()


async def test_the_clients_storage_comes_before_the_file(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.write("openai", "from the file")
    file.write("mistral", "m")
    asked = []

    async def secret(provider: str, refused: bool) -> str:
        asked.append((provider, refused))
        return f"key {len(asked)}" if provider == "openai" else ""

    keys = Keys(file, secret)
    assert [await keys.of("openai"), await keys.of("openai")] == ["key 1", "key 1"]
    assert await keys.of("mistral") == "m"
    keys.refuse("openai")
    assert await keys.of("openai") == "key 3"
    keys.refuse("mistral")
    assert asked == [("openai", False), ("mistral", False), ("openai", True)]


async def test_a_file_that_may_not_be_used_is_told(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.write("openai", "k")
    file.path.chmod(0o644)
    with pytest.raises(ModelError, match="can be read by others"):
        await Keys(file).of("openai")


def test_a_server_of_ones_own_has_its_own_key() -> None:
    assert owner("openai", "") == "openai"
    assert owner("openai", "https://llm.example:8443/v1") == "llm.example"


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*args: str, typed: str = "") -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return main(["model", "key", *args])

    monkeypatch.setenv("PAIRWRIGHT_CONFIG", str(tmp_path))
    assert command("anthropic", typed="sk-ant-0123456789\n") == 0
    assert command("https://llm.example/v1", typed="other\n") == 0
    check(
        KeyFile(tmp_path / "keys.json"), anthropic="sk-ant-0123456789", **{"llm.example": "other"}
    )
    assert command() == 0
    said = capsys.readouterr()
    assert said.out.split() == ["anthropic", "llm.example"]
    assert "0123456789" not in said.out + said.err
    assert command("anthropic", "--remove") == 0
    assert command("openai", typed="\n") == 1
    check(KeyFile(tmp_path / "keys.json"), **{"llm.example": "other"})
    (tmp_path / "keys.json").chmod(0o644)
    assert command() == 1
    assert "chmod 600" in capsys.readouterr().err
