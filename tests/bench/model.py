"""`python -m tests.bench.model`: the embedded model through the whole way, as a Markdown table.

Loads it, reads a prompt of some 500 tokens, writes 64 tokens, then asks again with the same beginning. Figures are
medians of RUNS requests; the machine's load is printed beside them.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from pathlib import Path

from pairwright.config.schema import Model as Settings
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Message, Request, Text, Usage

RUNS = 3
SYSTEM = "You answer questions about code in one short paragraph."


def prompt(number: int) -> str:
    code = (Path(__file__).parents[1] / "support" / "fixture.py").read_text()
    # A different beginning each time, so that nothing is answered from the prefix cache.
    return f"Variant {number}.\n```python\n{code}\n```\nWhat does this module offer?"


async def once(models: ConfiguredModels, text: str) -> dict[str, float]:
    model = await models.get()
    request = Request((Message("system", SYSTEM), Message("user", text)), max_tokens=64)
    start = time.perf_counter()
    first = last = 0.0
    usage = Usage(0, 0)
    async for delta in model.stream(request):
        if isinstance(delta, Text):
            last = time.perf_counter()
            first = first or last
        elif isinstance(delta, Usage):
            usage = delta
    written = max(1, usage.completion - 1)
    return {
        "prompt tokens": usage.prompt,
        "seconds to the first token": first - start,
        "tokens a second": written / max(1e-9, last - first),
    }


async def measure() -> None:
    models = ConfiguredModels(Settings(name="embedded"), os.environ)
    try:
        start = time.perf_counter()
        warm = await once(models, prompt(0))
        loaded = time.perf_counter() - start
        cold = [await once(models, prompt(n)) for n in range(1, RUNS + 1)]
        again = await once(models, prompt(RUNS))
    finally:
        await models.close()
    load = os.getloadavg()[0]
    print(f"Embedded model, {os.cpu_count()} cores, load {load:.1f}\n")
    print("| figure | value |\n|---|---|")
    print(f"| first request, processes and model loaded for it | {loaded:.1f} s |")
    print(f"| prompt | {warm['prompt tokens']:.0f} tokens |")
    for name in ("seconds to the first token", "tokens a second"):
        print(f"| {name} (median of {RUNS}) | {statistics.median(c[name] for c in cold):.1f} |")
    print(
        f"| seconds to the first token, same prompt again | {again['seconds to the first token']:.1f} |"
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(measure()))
