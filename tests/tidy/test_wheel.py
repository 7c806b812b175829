"""What is shipped: the built wheel is opened, and installed in an environment that knows nothing else."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(out),
            str(ROOT),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_the_package_and_its_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "pairwright/__init__.py" in names
    assert "pairwright/py.typed" in names
    assert "pairwright/tags/queries/python.scm" in names
    assert any(name.startswith("pairwright/prompts/templates/") for name in names)
    assert {"pairwright/manual/README.md", "pairwright/manual/settings.md"} <= {*names}
    plugin = "pairwright/editors/nvim"
    assert {f"{plugin}/lsp/pairwright.lua", f"{plugin}/doc/tags"} <= {*names}
    assert not [name for name in names if name.startswith(("server/", "tests/"))]


def test_the_wheel_runs_from_a_bare_environment(wheel: Path, tmp_path: Path) -> None:
    """Its own files come from the wheel; third-party packages from the running environment's folder, so
    that no network is needed. `-I -S`-like: nothing of the checkout is on the path."""
    venv.create(tmp_path / "v", with_pip=False)
    (site,) = (tmp_path / "v" / "lib").glob("python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    third = Path(pytest.__file__).parents[1]
    (site / "third.pth").write_text(f"{third}\n")
    code = (
        "import pairwright, sys; from pairwright.cli.main import main; "
        "print(pairwright.__file__); sys.argv = ['pairwright', '--version']; sys.exit(main())"
    )
    result = subprocess.run(
        [str(tmp_path / "v" / "bin" / "python"), "-I", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    assert str(site) in result.stdout, "the package must come from the wheel"
    assert "0.1.0" in result.stdout
    graph = tmp_path / "repo"
    graph.mkdir()
    (graph / "a.py").write_text("def alpha():\n    return 1\n")
    (graph / "b.py").write_text("from a import alpha\nprint(alpha())\n")
    mapped = subprocess.run(
        [
            str(tmp_path / "v" / "bin" / "python"),
            "-I",
            "-m",
            "pairwright",
            "map",
            "--root",
            str(graph),
            "--tokens",
            "200",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert mapped.returncode == 0, mapped.stderr
    assert "def alpha" in mapped.stdout
