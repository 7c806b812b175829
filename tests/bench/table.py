"""Figures of a benchmark and how they are printed."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One row: what was measured, its goal as text, the value as text, and whether the goal is met
    (None: there is none)."""

    name: str
    goal: str
    value: str
    met: bool | None


def as_table(figures: Sequence[Figure]) -> str:
    """`figures` as a Markdown table under a line that describes the machine."""
    cores = len(os.sched_getaffinity(0))
    lines = [
        f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f} at the end",
        "",
        "| figure | goal | measured | met |",
        "|---|---|---|---|",
    ]
    words = {True: "yes", False: "no", None: "-"}
    lines += [f"| {f.name} | {f.goal} | {f.value} | {words[f.met]} |" for f in figures]
    return "\n".join(lines)


def ratio(name: str, goal: float, ours: float, theirs: float) -> Figure:
    """Seconds of ours against seconds of Aider."""
    times = theirs / ours
    value = f"{times:.1f} times faster ({ms(ours)}; Aider {ms(theirs)})"
    return Figure(name, f"{goal:g} times faster than Aider", value, times >= goal)


def under(name: str, goal: float, seconds: float) -> Figure:
    """`seconds` against a goal in milliseconds."""
    return Figure(name, f"under {goal:g} ms", ms(seconds), seconds * 1000 < goal)


def ms(seconds: float) -> str:
    """`seconds` in milliseconds, two digits where they say something."""
    return f"{seconds * 1000:,.2f} ms" if seconds < 0.01 else f"{seconds * 1000:,.0f} ms"


def p95(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(seconds)[int(len(seconds) * 0.95)]
