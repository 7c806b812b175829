"""`pairwright map` as a process: what stands on stdout, what on stderr, and the exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.text.estimate import estimate

SERVER = Path(__file__).parents[3] / "server"
REPO = """\
-- shop/orders.py --
from shop.prices import total_of

class Order:
    def total(self):
        return total_of(self.lines)
-- shop/prices.py --
def total_of(lines):
    return sum(round_price(line) for line in lines)

def round_price(line):
    return round(line, 2)
-- shop/unrelated.py --
def weather_report():
    return "rain"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    for name, text in files(REPO).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def check(root: Path, *words: str, code: int = 0, cwd: Path | None = None) -> tuple[str, str]:
    """Standard output and error of `pairwright map`, which ends with `code`."""
    env = {
        **os.environ,
        "PYTHONPATH": str(SERVER),
        "PAIRWRIGHT_CACHE": str(root.parent / "cache"),
        "PYTHONIOENCODING": "ascii",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pairwright", "map", *words],
        cwd=cwd or root.parent,
        env=env,
        capture_output=True,
        timeout=60,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, err
    assert "Traceback" not in err
    return out, err


def test_the_map_is_on_stdout_and_nothing_else(root: Path) -> None:
    out, err = check(root, "--root", str(root), "--tokens", "500")
    assert err == ""
    for line in ("shop/orders.py:", "shop/prices.py:", "def total_of(lines):"):
        assert line in out.splitlines()
    assert estimate(out.rstrip("\n")) <= 500
    again, _ = check(root, "--tokens", "500", cwd=root)
    assert again == out
    assert not list(root.rglob("*.sqlite")), "nothing of ours lies in the repository"


def test_chat_files_are_left_out_and_draw_what_belongs_to_them(root: Path) -> None:
    for chat in ("shop/orders.py", str(root / "shop/orders.py")):
        out, _ = check(root, "--root", str(root), "--tokens", "30", "--chat", chat)
        assert "shop/orders.py" not in out
        assert "def total_of(lines):" in out and "weather" not in out


def test_words_of_the_request_move_the_map(root: Path, tmp_path: Path) -> None:
    words = ["--root", str(root), "--tokens", "20"]
    asked, _ = check(root, *words, "--message", "fix weather_report please")
    assert "def weather_report" in asked
    (tmp_path / "request.txt").write_text("fix weather_report please")
    read, _ = check(root, *words, "--message-file", str(tmp_path / "request.txt"))
    assert read == asked


def test_a_budget_of_nothing_and_an_empty_folder_say_so(root: Path, tmp_path: Path) -> None:
    out, err = check(root, "--root", str(root), "--tokens", "0")
    assert out == "" and "off" in err
    (tmp_path / "empty").mkdir()
    out, err = check(root, "--root", str(tmp_path / "empty"))
    assert out == "" and "empty" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--root", "nowhere"], "nowhere"),
        (["--root", "repo/shop/orders.py"], "not a folder"),
        (["--root", "repo", "--chat", "gone.py"], "gone.py"),
        (["--root", "repo", "--chat", "/etc/passwd"], "/etc/passwd"),
        (["--root", "repo", "--message-file", "gone.txt"], "gone.txt"),
        (["--root", "repo", "--tokens", "-5"], "negative"),
        (["--root", "repo", "--tokens", "many"], "many"),
        (["--root", "repo", "--message", "a", "--message-file", "b"], "not allowed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_usage_errors_name_what_is_wrong(root: Path, words: list[str], said: str) -> None:
    out, err = check(root, *words, code=2)
    assert out == "" and said in err


def test_names_that_cannot_be_printed_are_escaped(root: Path) -> None:
    (root / "new\nline.py").write_text("def broken_name(): pass\n")
    handle = os.open(os.fsencode(str(root)) + b"/caf\xe9.py", os.O_CREAT | os.O_WRONLY)
    os.write(handle, b"def latin_name(): pass\n")
    os.close(handle)
    out, _ = check(root, "--root", str(root), "--tokens", "1000")
    assert "def latin_name(): pass" in out and "def broken_name(): pass" in out
    assert "caf\\udce9.py:" in out and "new\\nline.py:" in out


def test_a_manifest_prints_the_same_bytes_or_says_what_differs(root: Path) -> None:
    kept = root.parent / "kept.json"
    asked = ("--root", str(root), "--message", "weather", "--chat", "shop/orders.py")
    first, _ = check(root, *asked, "--tokens", "60", "--manifest", str(kept))
    again, err = check(root, "--root", str(root), "--from", str(kept))
    assert again == first and "shop/prices.py" in first and err == ""
    (root / "shop" / "prices.py").write_text("def total_of(lines, rounded): pass\n")
    out, err = check(root, "--root", str(root), "--from", str(kept), code=1)
    assert out == ""
    assert err.endswith("it would be another map:\nfile changed: shop/prices.py\n")


@pytest.mark.parametrize(
    ("text", "more", "why"),
    [
        (None, (), "cannot be read"),
        ("{}", (), "no map manifest"),
        ("\ud800", (), "no text"),
        ("good", ("--tokens", "9"), "from the manifest"),
    ],
)
def test_a_manifest_that_cannot_be_used(
    root: Path, text: str | None, more: tuple[str, ...], why: str
) -> None:
    kept = root.parent / "kept.json"
    if text == "good":
        check(root, "--root", str(root), "--manifest", str(kept))
    elif text is not None:
        kept.write_bytes(text.encode("utf-8", "surrogatepass"))
    out, err = check(root, "--root", str(root), "--from", str(kept), *more, code=2)
    assert out == "" and why in err
