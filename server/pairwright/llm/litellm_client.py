"""The one module that knows litellm. Runs in the model process only; importing it imports litellm
(seconds).

The environment (offline flags, keys, proxies) was set by whoever started the process. Nothing here
looks anything up on the network but the request itself: limits and prices are read from litellm's
bundled table, never through `get_model_info`, which asks localhost for Ollama models.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import math
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import litellm
import openai

from pairwright.llm import errors
from pairwright.llm.cost import cost
from pairwright.llm.errors import Facts
from pairwright.llm.progress import read_along
from pairwright.llm.types import ModelError
from pairwright.llm.wire import Frame

litellm.suppress_debug_info = True
litellm.disable_hf_tokenizer_download = True
litellm.drop_params = True
litellm.set_verbose = False

# A host that drops packets is given up after this many seconds; the answer itself may take its
# time.
_CONNECT = 15.0
MOST_MARKS = 4
_OLLAMA = ("ollama/", "ollama_chat/")


async def stream(ask: Frame) -> AsyncGenerator[Frame, None]:
    """The answer to one request as frames `text`, `reasoning`, `reading`, `usage`, `finish`, in
    order; `finish` last, and only after a whole answer. Raises ModelError, or what litellm raises:
    see `failure`."""
    if not (ask.get("body") or {}).get("return_progress"):
        async with contextlib.aclosing(_answer(ask, None)) as frames:
            async for frame in frames:
                yield frame
        return
    merged: asyncio.Queue[Frame | None] = asyncio.Queue()

    def told(done: int, total: int) -> None:
        merged.put_nowait({"kind": "reading", "done": done, "total": total})

    async with openai.DefaultAsyncHttpxClient(event_hooks={"response": [read_along(told)]}) as http:
        pump = asyncio.ensure_future(_pump(ask, http, merged))
        try:
            while (one := await merged.get()) is not None:
                yield one
            await pump
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)


async def _pump(ask: Frame, http: Any, into: asyncio.Queue[Frame | None]) -> None:
    client = openai.AsyncOpenAI(
        base_url=ask["api_base"], api_key=ask["api_key"], http_client=http, max_retries=0
    )
    try:
        async with contextlib.aclosing(_answer(ask, client)) as frames:
            async for frame in frames:
                into.put_nowait(frame)
    finally:
        into.put_nowait(None)


async def _answer(ask: Frame, client: openai.AsyncOpenAI | None) -> AsyncGenerator[Frame, None]:
    given = {} if client is None else {"client": client}
    response = await litellm.acompletion(**_arguments(ask), **given)
    if not ask.get("streaming", True):
        for frame in _whole(ask, response):
            yield frame
        return
    finish, usage, spoke = "", None, False
    async for chunk in response:
        usage = getattr(chunk, "usage", None) or usage
        for choice in chunk.choices[:1]:
            thought = getattr(choice.delta, "reasoning_content", None)
            if thought:
                yield {"kind": "reasoning", "text": str(thought)}
            if choice.delta.content:
                spoke = True
                yield {"kind": "text", "text": str(choice.delta.content)}
            finish = choice.finish_reason or finish
    for frame in _ended(ask, finish, usage, spoke):
        yield frame


def _whole(ask: Frame, response: Any) -> Iterator[Frame]:
    """The frames of an answer that came in one piece."""
    finish, spoke = "", False
    for choice in response.choices[:1]:
        thought = getattr(choice.message, "reasoning_content", None)
        if thought:
            yield {"kind": "reasoning", "text": str(thought)}
        if choice.message.content:
            spoke = True
            yield {"kind": "text", "text": str(choice.message.content)}
        finish = choice.finish_reason or finish
    yield from _ended(ask, finish, getattr(response, "usage", None), spoke)


def _ended(ask: Frame, finish: str, usage: Any, spoke: bool) -> Iterator[Frame]:
    # A request for one token is about what the provider remembers, not about an answer.
    counted = bool(getattr(usage, "prompt_tokens", 0))
    _check_end(finish, spoke or int(ask["max_tokens"]) == 1, counted)
    if usage is not None:
        yield _usage(ask, usage)
    yield {"kind": "finish", "reason": "length" if finish == "length" else "stop"}


def describe(model: str) -> Frame:
    """Provider, limits in tokens, prices in US dollars a token, and the names of missing keys;
    never asks the network. Unknown models: zeros and None."""
    entry = _entry(model)
    provider = _provider(model)
    missing = litellm.validate_environment(model)["missing_keys"] if provider else []
    return {
        "provider": provider,
        "window": int(entry.get("max_input_tokens") or 0),
        "max_output": int(entry.get("max_output_tokens") or 0),
        "price_in": entry.get("input_cost_per_token"),
        "price_out": entry.get("output_cost_per_token"),
        "images": bool(entry.get("supports_vision")),
        "prefill": bool(entry.get("supports_assistant_prefill")),
        "sampling": entry.get("supports_sampling_params") is not False,
        "missing": _keys(missing),
    }


def failure(error: BaseException, ask: Frame) -> ModelError:
    """The class and the words for whatever a request raised."""
    if isinstance(error, ModelError):
        return error
    chain = tuple(_chain(error))
    facts = Facts(
        names=frozenset(kind.__name__ for link in chain for kind in type(link).__mro__),
        messages=tuple(str(link) for link in chain if str(link)),
        status=_status(chain),
        retry_after=next((s for s in map(_retry_after, chain) if s is not None), None),
    )
    return errors.classify(
        facts, model=ask["model"], api_base=ask.get("api_base") or "", timeout=ask["timeout"]
    )


def _arguments(ask: Frame) -> dict[str, Any]:
    model, base = str(ask["model"]), ask.get("api_base") or None
    body = dict(ask.get("body") or {})
    if ask.get("grammar"):
        body["grammar"] = ask["grammar"]
    arguments: dict[str, Any] = {
        **(ask.get("extra") or {}),
        "model": model,
        "messages": _messages(ask["messages"], bool(ask.get("cache"))),
        "max_tokens": ask["max_tokens"],
        "timeout": httpx.Timeout(ask["timeout"], connect=min(_CONNECT, ask["timeout"])),
        "max_retries": 0,
        "num_retries": 0,
    }
    if ask.get("streaming", True):
        arguments |= {"stream": True, "stream_options": {"include_usage": True}}
    if ask.get("temperature") is not None:
        arguments["temperature"] = ask["temperature"]
    if ask.get("stop"):
        arguments["stop"] = list(ask["stop"])
    if body:
        arguments["extra_body"] = {**(arguments.get("extra_body") or {}), **body}
    if base:
        arguments["api_base"] = base
    if ask.get("api_key"):
        arguments["api_key"] = ask["api_key"]
    elif base and _keys(litellm.validate_environment(model)["missing_keys"]):
        # A server of one's own often wants no key, but the client library insists on one.
        arguments["api_key"] = "none"
    if model.startswith(_OLLAMA):
        arguments.setdefault("num_ctx", ask["window"])
    return arguments


def _messages(messages: Sequence[Mapping[str, Any]], marked: bool) -> list[dict[str, Any]]:
    """The messages in OpenAI's form. `marked`: the provider takes cache marks; more than MOST_MARKS are an error
    to it, and of several the first and the last ones serve most."""
    ends = [
        [*m.get("marks", ()), *([len(m["content"])] if m.get("cache") else [])] for m in messages
    ]
    places = [(number, end) for number, some in enumerate(ends) for end in dict.fromkeys(some)]
    kept = (
        (places if len(places) <= MOST_MARKS else [places[0], *places[1 - MOST_MARKS :]])
        if marked
        else []
    )
    return [
        _message(message, [end for at, end in kept if at == number])
        for number, message in enumerate(messages)
    ]


def _message(message: Mapping[str, Any], ends: Sequence[int]) -> dict[str, Any]:
    content: Any = message["content"]
    if ends:
        content = _marked(content, ends)
    if images := message.get("images"):
        text = content if isinstance(content, list) else [{"type": "text", "text": content}]
        content = [*text, *map(_picture, images)]
    return {"role": message["role"], "content": content}


def _marked(content: str, ends: Sequence[int]) -> list[dict[str, Any]]:
    """`content` in blocks with a cache mark behind each of `ends`."""
    blocks: list[dict[str, Any]] = []
    start = 0
    for end in dict.fromkeys((*ends, len(content))):
        block: dict[str, Any] = {"type": "text", "text": content[start:end]}
        if end in ends:
            block["cache_control"] = {"type": "ephemeral"}
        # Providers refuse a block of blanks.
        if block["text"].strip():
            blocks.append(block)
        start = end
    return blocks


def _picture(image: Mapping[str, Any]) -> dict[str, Any]:
    coded = base64.b64encode(image["data"]).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{image['mime']};base64,{coded}"}}


def _check_end(finish: str, spoke: bool, counted: bool) -> None:
    """Raise what stands in the way of calling this an answer. `counted`: the server told of tokens, so that it is
    a model's."""
    if finish == "content_filter":
        raise errors.filtered()
    if not finish:
        raise ModelError("transport", errors.CUT, retryable=True)
    if not spoke and finish == "length":
        text = "The model used up its output limit without an answer. Raise pairwright.model.max_output."
        raise ModelError("refused", text, retryable=False)
    if not spoke and counted:
        raise ModelError("empty", errors.EMPTY, retryable=False)
    if not spoke:
        raise ModelError("transport", errors.NOT_OPENAI, retryable=False)


def _usage(ask: Frame, usage: Any) -> Frame:
    prompt, completion = int(usage.prompt_tokens or 0), int(usage.completion_tokens or 0)
    details = getattr(usage, "prompt_tokens_details", None)
    cached = int(getattr(details, "cached_tokens", 0) or 0)
    written = int(getattr(usage, "cache_creation_input_tokens", 0) or 0)
    return {
        "kind": "usage",
        "prompt": prompt,
        "completion": completion,
        "cached": cached,
        "cost": cost(_priced(ask), prompt, completion, cached, written),
    }


def _priced(ask: Frame) -> Mapping[str, Any]:
    """The row of the table, unless the model has other prices than that."""
    entry, (price_in, price_out) = _entry(ask["model"]), ask["prices"]
    same = (entry.get("input_cost_per_token"), entry.get("output_cost_per_token"))
    if (price_in, price_out) == same:
        return entry
    return {"input_cost_per_token": price_in, "output_cost_per_token": price_out}


def _entry(model: str) -> Mapping[str, Any]:
    """The row of litellm's bundled table: of the full name, else of the name its provider knows."""
    table: Mapping[str, Mapping[str, Any]] = litellm.model_cost
    if model in table:
        return table[model]
    provider, _, bare = model.partition("/")
    row = table.get(bare, {})
    return row if str(row.get("litellm_provider", "")).startswith(provider) else {}


def _provider(model: str) -> str:
    try:
        return str(litellm.get_llm_provider(model)[1])
    except openai.OpenAIError:
        return ""


def _keys(missing: Sequence[str]) -> list[str]:
    """Names of missing keys, when keys are all that is missing: other providers (AWS, Azure,
    Ollama) have more than one way to sign in, and only the request can tell."""
    return sorted(missing) if all(name.endswith("_API_KEY") for name in missing) else []


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _status(chain: Sequence[BaseException]) -> int:
    for link in chain:
        status = getattr(link, "status_code", None)
        if isinstance(status, int):
            return status
    return 0


def _retry_after(link: BaseException) -> float | None:
    """Seconds that the answer asks to wait, in any of the forms that servers write it."""
    headers = getattr(getattr(link, "response", None), "headers", None)
    if headers is None:
        return None
    exact, raw = headers.get("retry-after-ms"), headers.get("retry-after")
    seconds = _number(exact) / 1000
    if math.isnan(seconds):
        seconds = _number(raw)
    if math.isnan(seconds) and raw:
        with contextlib.suppress(ValueError):
            seconds = parsedate_to_datetime(raw).timestamp() - time.time()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _number(raw: str | None) -> float:
    """The number that `raw` holds; NaN = none."""
    with contextlib.suppress(ValueError):
        return float(raw or "nan")
    return math.nan
