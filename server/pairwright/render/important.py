"""Files at the root that say what a repository is and how it is built. Data and one function."""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = (
    "README",
    "README.*",
    "AGENTS.md",
    "CLAUDE.md",
    "CONTRIBUTING.*",
    "ARCHITECTURE.*",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "Pipfile",
    "tox.ini",
    "noxfile.py",
    "package.json",
    "pnpm-workspace.yaml",
    "tsconfig.json",
    "deno.json",
    "Cargo.toml",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.sbt",
    "build.sc",
    "mix.exs",
    "rebar.config",
    "Gemfile",
    "Rakefile",
    "*.gemspec",
    "composer.json",
    "Package.swift",
    "Podfile",
    "pubspec.yaml",
    "*.sln",
    "*.csproj",
    "*.cabal",
    "stack.yaml",
    "dune-project",
    "Project.toml",
    "DESCRIPTION",
    "cpanfile",
    "Makefile.PL",
    "build.zig",
    "CMakeLists.txt",
    "meson.build",
    "configure.ac",
    "Makefile",
    "GNUmakefile",
    "Justfile",
    "justfile",
    "Taskfile.yml",
    "BUILD",
    "BUILD.bazel",
    "WORKSPACE",
    "MODULE.bazel",
    "SConstruct",
    "Kconfig",
    "flake.nix",
    "default.nix",
    "Dockerfile",
    "Containerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yaml",
    "Procfile",
    "Vagrantfile",
    ".gitlab-ci.yml",
)
"""In the order in which they are listed; `*` stands for the last suffix, or for all but that."""

_RANK = {name: number for number, name in enumerate(_NAMES)}


def important(paths: Iterable[str]) -> tuple[str, ...]:
    """Those of `paths` at the root that tell most about it, the most telling first."""
    found = [(rank, path) for path in paths if (rank := _rank(path)) is not None]
    return tuple(path for _, path in sorted(found))


def _rank(path: str) -> int | None:
    if "/" in path:
        return None
    stem, _, suffix = path.rpartition(".")
    for name in (path, f"{stem}.*", f"*.{suffix}"):
        if name in _RANK:
            return _RANK[name]
    return None
