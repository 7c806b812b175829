"""Exact token counts for the models whose tokenizers are on this machine. For the model process only.

The data are files that litellm ships; they are found without importing it. Knows no model names:
`catalog` says which tokenizer a model has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_TIKTOKEN = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
_FILES = {"deepseek": "deepseek_tokenizer.json"}
_MEMO_MOST = 200_000

Count = Callable[[str], int]


def count(tokenizer: str, texts: Sequence[str]) -> list[int]:
    """Tokens of each text by `tokenizer`: cl100k, o200k or deepseek. The first call takes a second.

    Raises LookupError where the tokenizer or its data are not there.
    """
    one = _counter(tokenizer)
    return [one(text) for text in texts]


def data() -> Path:
    """The folder of the tokenizers' data. The environment of the process names it as
    TIKTOKEN_CACHE_DIR, or tiktoken would look on the network. Raises LookupError."""
    found = find_spec("litellm")
    if found is None or found.origin is None:
        raise LookupError("litellm is not installed")
    return Path(found.origin).parent / "litellm_core_utils" / "tokenizers"


def pieces(text: str) -> Iterator[str]:
    """`text` in parts whose tokens add up to those of the whole for cl100k and o200k.

    Both cut a text behind a line end before they merge, unless a blank line or a slash follows
    (https://github.com/openai/tiktoken, `openai_public.py`).
    """
    part = ""
    for line in text.split("\n"):
        if part and line and not line.isspace() and not line.startswith("/"):
            yield part
            part = ""
        part += line + "\n"
    yield part[:-1]


@cache
def _counter(tokenizer: str) -> Count:
    if tokenizer in _TIKTOKEN:
        return _by_lines(_tiktoken(_TIKTOKEN[tokenizer]))
    return _from_file(_FILES[tokenizer])


def _tiktoken(name: str) -> Count:
    import tiktoken

    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(_whole(text)))


def _from_file(name: str) -> Count:
    from tokenizers import Tokenizer

    path = data() / name
    if not path.is_file():
        raise LookupError(f"no {path}")
    made = Tokenizer.from_file(str(path))
    return lambda text: len(made.encode(_whole(text), add_special_tokens=False).ids)


def _by_lines(one: Count) -> Count:
    """`one`, remembering lines: maps and files are counted again and again with few of them new."""
    known: dict[str, int] = {}

    def counted(text: str) -> int:
        if len(known) > _MEMO_MOST:
            known.clear()
        total = 0
        for part in pieces(text):
            number = known.get(part)
            if number is None:
                number = known[part] = one(part)
            total += number
        return total

    return counted


def _whole(text: str) -> str:
    """`text` without lone surrogates, which no tokenizer takes; each becomes one odd character."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
