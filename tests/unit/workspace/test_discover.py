"""Discovery against the git command as the oracle, on written cases and on made trees."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.nobody import as_nobody

from pairwright.workspace.discover import Cancelled, discover
from pairwright.workspace.rules import Rules

MAKE_INPUTS = Path(__file__).parents[2] / "cases" / "make_inputs.py"
ENV = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@t",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@t",
}


def git(root: Path, *args: str) -> bytes:
    done = subprocess.run(["git", *args], cwd=root, env=ENV, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def made(tmp_path: Path, case: str) -> Path:
    subprocess.run([sys.executable, str(MAKE_INPUTS), str(tmp_path), case], check=True, env=ENV)
    return tmp_path / case


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def oracle(root: Path) -> list[str]:
    """What git lists, less links, folders and what is gone from disk."""
    listed = git(root, "ls-files", "-coz", "--exclude-standard").split(b"\0")
    names = {os.fsdecode(name) for name in listed if name}
    return sorted(
        name
        for name in names
        if (root / name).is_file() and not (root / name).is_symlink() and not name.endswith("/")
    )


def check(
    root: Path, expected: list[str], exclude: tuple[str, ...] = (), subtree: tuple[str, ...] = ()
) -> None:
    """`root` holds exactly `expected`, and every single path is judged as the walk judges it."""
    root = root.resolve()
    rules = Rules(str(root), exclude, subtree)
    found = list(discover(str(root), rules).files)
    assert found == sorted(expected)
    alone = Rules(str(root), exclude, subtree)
    for place, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not (Path(place) / f).is_symlink()]
        for file in files:
            path = Path(place, file)
            if path.is_file() and not path.is_symlink():
                name = path.relative_to(root).as_posix()
                assert alone.indexed(name) == (name in found), name
                assert alone.ignored(name) <= (name not in found), name


def test_the_ignore_case_equals_git(tmp_path: Path) -> None:
    root = made(tmp_path, "M34")
    expected = oracle(root)
    for name in ("out/keep.py", "data/s/deep.py", "pkg/only_root.py", "tracked_but_ignored.gen.py"):
        assert name in expected
    check(root, expected)


def test_names_of_all_kinds_are_listed_once(tmp_path: Path) -> None:
    root = made(tmp_path, "M32")
    check(root, oracle(root))
    found = discover(str(root), Rules(str(root))).files
    assert len(found) == 23
    assert "caf\udce9.py" in found and "new\nline.py" in found


def test_links_are_neither_followed_nor_listed(tmp_path: Path) -> None:
    root = made(tmp_path, "M18")
    check(root, ["real/core.py"])


def test_a_link_loop_ends(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.py": ""})
    os.symlink("..", tmp_path / "a" / "up")
    os.symlink("self", tmp_path / "self")
    check(tmp_path, ["a/b.py"])


def test_ignored_folders_are_not_walked(tmp_path: Path) -> None:
    root = made(tmp_path, "M94")
    began = time.perf_counter()
    found = discover(str(root), Rules(str(root))).files
    assert time.perf_counter() - began < 2
    assert not any(name.startswith("node_modules") for name in found)
    assert list(found) == oracle(root)


def test_a_folder_without_git_has_the_same_rules(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n/build/\n",
            "a.py": "",
            "a.log": "",
            "build/b.py": "",
            "sub/build/c.py": "",
            "sub/.gitignore": "!keep.log\n",
            "sub/keep.log": "",
            "node_modules/x/i.js": "",
            "env/pyvenv.cfg": "",
            "env/lib.py": "",
        },
    )
    check(tmp_path, [".gitignore", "a.py", "sub/.gitignore", "sub/build/c.py", "sub/keep.log"])


def test_unwanted_folders_stay_when_tracked_or_asked_for(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"node_modules/mine/a.js": "", "node_modules/theirs/b.js": ""})
    git(tmp_path, "add", "node_modules/mine")
    check(tmp_path, ["node_modules/mine/a.js"])
    write(tmp_path, {".gitignore": "!node_modules/\n"})
    check(tmp_path, [".gitignore", "node_modules/mine/a.js", "node_modules/theirs/b.js"])


def test_own_ignore_file_takes_out_and_brings_back(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(
        tmp_path,
        {
            ".gitignore": "gen/\n*.min.js\n",
            ".pairwrightignore": "vendor/\n!gen/api/\n!*.min.js\n",
            "gen/api/a.py": "",
            "gen/api/deep/b.py": "",
            "gen/other/c.py": "",
            "vendor/v.py": "",
            "x.min.js": "",
            "sub/.pairwrightignore": "*.min.js\n",
            "sub/y.min.js": "",
        },
    )
    git(tmp_path, "add", "vendor")
    names = [".gitignore", ".pairwrightignore", "gen/api/a.py", "gen/api/deep/b.py", "x.min.js"]
    check(tmp_path, [*names, "sub/.pairwrightignore"])


def test_the_exclude_setting_is_above_all(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(
        tmp_path, {"a.py": "", "docs/b.py": "", "docs/keep.py": "", ".pairwrightignore": "!docs/"}
    )
    git(tmp_path, "add", "docs/b.py")
    check(tmp_path, [".pairwrightignore", "a.py"], exclude=("docs/",))
    check(tmp_path, [".pairwrightignore", "a.py", "docs/keep.py"], ("/docs/*", "!keep.py"))


def test_a_subtree_limits_the_index_and_ignores_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    names = [
        "a.py",
        "services/api/b.py",
        "services/api/deep/c.py",
        "services/apix/d.py",
        "lib/e.py",
    ]
    write(
        tmp_path, dict.fromkeys(names, "") | {".gitignore": "gen/\n", "services/api/gen/f.py": ""}
    )
    api, lib = ["services/api/b.py", "services/api/deep/c.py"], ["lib/e.py"]
    for spelled in ("services/api", "services/api/", "./services//api", "lib/../services/api"):
        check(tmp_path, api, subtree=(spelled,))
    check(tmp_path, api + lib, subtree=("lib", "services/api", "nowhere"))
    check(tmp_path, ["services/api/deep/c.py"], exclude=("b.py",), subtree=("services/api",))
    os.symlink("services/api", tmp_path / "link")
    check(tmp_path, api, subtree=("link",))
    rules = Rules(str(tmp_path.resolve()), (), ("lib",))
    assert not rules.ignored("a.py") and rules.ignored("services/api/gen/f.py")
    for nothing in (("nowhere",), ("a.py",), ("..",), ("/etc",), (".",), ("lib", "")):
        check(tmp_path, [".gitignore", *names], subtree=nothing)


def test_nested_repositories_and_submodules_have_their_own_rules(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    inner = tmp_path / "lib" / "inner"
    inner.mkdir(parents=True)
    git(inner, "init", "-q")
    write(tmp_path, {".gitignore": "*.out\n", "a.py": "", "a.out": ""})
    write(inner, {".gitignore": "local.py\n", "b.py": "", "b.out": "", "local.py": ""})
    git(inner, "add", "b.py")
    git(inner, "commit", "-qm", "x")
    expected = [".gitignore", "a.py", "lib/inner/.gitignore", "lib/inner/b.out", "lib/inner/b.py"]
    check(tmp_path, expected)
    git(tmp_path, "-c", "advice.addEmbeddedRepo=false", "add", "lib/inner")
    write(tmp_path, {".gitignore": "*.out\nlib/\n"})
    check(tmp_path, expected)


def test_a_real_submodule_has_its_own_rules_and_index(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.mkdir()
    git(inner, "init", "-q")
    write(inner, {".gitignore": "*.gen\n", "kept.gen": "", "b.py": ""})
    git(inner, "add", "-f", ".")
    git(inner, "commit", "-qm", "x")
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "lib")
    write(outer, {".gitignore": "*.py\nlib/\n", "a.py": "", "lib/drop.gen": "", "lib/c.py": ""})
    inside = ["lib/.gitignore", "lib/b.py", "lib/c.py", "lib/kept.gen"]
    check(outer, [".gitignore", ".gitmodules", *inside])
    check(outer / "lib", [".gitignore", "b.py", "c.py", "kept.gen"])


def test_a_root_below_the_top_of_its_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n/app/web/dist/\nscratch/\n",
            "app/.gitignore": "tmp_*\n",
            "app/web/a.js": "",
            "app/web/a.log": "",
            "app/web/tmp_x": "",
            "app/web/dist/b.js": "",
            "app/web/forced.log": "",
            "scratch/mine.py": "",
        },
    )
    git(tmp_path, "add", "-f", "app/web/forced.log")
    check(tmp_path / "app" / "web", ["a.js", "forced.log"])
    check(tmp_path / "scratch", ["mine.py"])


@pytest.mark.parametrize(
    "setup",
    [
        ["update-index", "--index-version", "4"],
        ["update-index", "--split-index"],
        ["update-index", "--assume-unchanged", "d/keep.gen"],
        ["sparse-checkout", "set", "--cone", "--sparse-index", "d"],
    ],
    ids=" ".join,
)
def test_every_form_of_the_index_is_read(tmp_path: Path, setup: list[str]) -> None:
    git(tmp_path, "init", "-q")
    files = {".gitignore": "*.gen\n", "d/keep.gen": "", "d/" + "n" * 200 + ".gen": "", "a.py": ""}
    write(tmp_path, files | {f"e/{i}/f.py": "" for i in range(5)})
    git(tmp_path, "add", "-f", ".")
    git(tmp_path, "commit", "-qm", "x")
    git(tmp_path, *setup)
    write(tmp_path, {"d/drop.gen": ""})
    check(tmp_path, oracle(tmp_path))


def test_sha256_repositories_and_linked_worktrees(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q", "--object-format=sha256")
    write(
        main, {".gitignore": "*.gen\n", "keep.gen": "", "a.py": "", ".git/info/exclude": "*.tmp\n"}
    )
    git(main, "add", "-f", ".")
    git(main, "commit", "-qm", "x")
    git(main, "worktree", "add", "-q", str(tmp_path / "linked"))
    write(tmp_path / "linked", {"drop.gen": "", "drop.tmp": ""})
    check(tmp_path / "linked", [".gitignore", "a.py", "keep.gen"])


def test_a_damaged_index_costs_only_what_it_says(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {".gitignore": "*.gen\n", "keep.gen": "", "a.py": ""})
    git(tmp_path, "add", "-f", ".")
    index = tmp_path / ".git" / "index"
    for broken in (b"", b"DIRC", index.read_bytes()[:100], os.urandom(500)):
        index.write_bytes(broken)
        found = discover(str(tmp_path), Rules(str(tmp_path))).files
        assert set(found) >= {".gitignore", "a.py"}


def test_odd_entries_do_not_stop_the_walk(tmp_path: Path) -> None:
    write(tmp_path, {f"d{i}/f{i}.py": "" for i in range(30)})
    os.mkfifo(tmp_path / "pipe.py")
    os.symlink("nowhere", tmp_path / "dangling.py")
    (tmp_path / ".gitignore").mkdir()
    found = discover(str(tmp_path), Rules(str(tmp_path)))
    assert len(found.files) == 30 and found.skipped == {}


def walk_past_a_closed_folder(folder: Path) -> None:
    write(folder, {"a.py": "", "closed/b.py": "", "z/c.py": "", "z/.gitignore": "*.tmp"})
    (folder / "z/.gitignore").chmod(0)
    (folder / "closed").chmod(0)
    try:
        found = discover(str(folder), Rules(str(folder)))
    finally:
        (folder / "closed").chmod(0o755)
    assert list(found.files) == ["a.py", "z/.gitignore", "z/c.py"]
    assert found.skipped == {"folder cannot be read: Permission denied": 1}


def test_a_folder_that_cannot_be_read_costs_itself_only() -> None:
    as_nobody(walk_past_a_closed_folder)


def test_a_cancelled_walk_stops(tmp_path: Path) -> None:
    write(tmp_path, {f"d{i}/f.py": "" for i in range(10)})
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        discover(str(tmp_path), Rules(str(tmp_path)), lambda: next(asked))


NAMES = st.sampled_from(
    ["a", "b", "ab", "a.c", "b.c", ".h", "é", "a b", "x[y", "c\\d", "-n", "a.b.c"]
)
_CLASSES = ["[ab]", "[!a]", "[a-b]*", "x[[]y", "[]a]", "[[:alpha:]]", "[^b]", "[", "a[", "[\\]a]"]
_STARS = ["*", "**", "?", "a*", "*.c", "*b", "**a", "a**", "??", "*[.]c", "[b-]"]
GLOBS = st.sampled_from([*_CLASSES, *_STARS, "\\a", "é", "x\\[y", "c\\\\d"])
SEGMENT = st.one_of(NAMES, GLOBS)
PATTERN = st.builds(
    lambda bang, slash, parts, end: bang + slash + "/".join(parts) + end,
    st.sampled_from(["", "", "!", "\\!", "#"]),
    st.sampled_from(["", "/"]),
    st.lists(SEGMENT, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " ", "\\ ", "\r", "/**", "/*"]),
)
IGNORE = st.lists(PATTERN, max_size=4).map("\n".join)
PATH = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    paths=st.sets(PATH, max_size=12),
    ignores=st.dictionaries(st.sampled_from(["", "a/", "ab/", "a/b/"]), IGNORE, max_size=3),
    exclude=IGNORE,
    tracked=st.sets(st.integers(0, 11), max_size=3),
)
def test_made_trees_equal_git(
    tmp_path_factory: pytest.TempPathFactory,
    paths: set[str],
    ignores: dict[str, str],
    exclude: str,
    tracked: set[int],
) -> None:
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q")
    kept = []
    for path in sorted(paths):
        try:
            write(root, {path: ""})
            kept.append(path)
        except OSError:
            continue
    for folder, text in sorted(ignores.items()):
        if (root / folder).is_dir():
            (root / folder / ".gitignore").write_bytes(text.encode())
    (root / ".git/info/exclude").write_bytes(exclude.encode())
    added = [kept[i] for i in sorted(tracked) if i < len(kept)]
    if added:
        git(root, "--literal-pathspecs", "add", "-f", "--", *added)
    check(root, oracle(root))
