"""From what is known of a failure to its class, with a message that says what to do.

Works on names and numbers, not on exceptions of any library: those never cross a process border.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pairwright.llm.addresses import is_loopback
from pairwright.llm.types import ErrorKind, ModelError

NOT_OPENAI = (
    "The server did not answer in the OpenAI form: the answer was empty. Check "
    "pairwright.model.api_base (it usually ends in /v1) and that no proxy or login page stands in between."
)
EMPTY = (
    "The model sent an empty answer, and did so again when it was asked once more. Put the request into other words, "
    "or choose another model."
)
CUT = (
    "The connection broke in the middle of the answer; what came so far is incomplete and not used. "
    "Ask again."
)

_CONTEXT = re.compile(
    # OpenAI, DeepSeek, vLLM, Mistral, OpenRouter | llama.cpp | Anthropic | Bedrock
    r"context[ _]length|context window|exceed_context_size|exceeds the available context|prompt is too long"
    r"|input is too long|input length and `?max_tokens`? exceed"
    # Gemini | xAI | Groq, Cohere | Together | LM Studio | TGI
    r"|input token count.{0,60}exceeds|maximum prompt length|too many tokens|reduce the length of the messages"
    r"|`?inputs`? tokens \+ `?max_new_tokens`?|context the overflows|n_keep.{0,40}n_ctx"
    r"|`?inputs`? must have less than|maximum (?:model|sequence|input) length",
    re.I | re.S,
)
# Statuses under which a request that is too long is refused, by one provider or another.
_TOO_LONG = (0, 400, 413, 422, 500)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.I)
_KEY = re.compile(r"missing credentials|api[_ ]key|authentication", re.I)
_CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|certificate", re.I)
_POLICY = re.compile(r"content[_ ]policy|content[_ ]filter|safety", re.I)
_PREFIX = re.compile(r"^(?:litellm\.\w+: |\w+(?:Error|Exception)(?: -|:) )+")
_WRAPPER = re.compile(r"^\w+Exception - ")
# The message inside a JSON body that a library printed whole.
_TOLD = re.compile(r'"message":\s*"((?:[^"\\]|\\.)+)"')
# Words of the libraries, not of the server.
_SILENT = re.compile(
    r"Connection error|Request timed out|Cannot connect to host|Response payload is not|Timeout on"
    r"|\[Errno|Client error|Server error|\d+, message"
)
_SECRETS = re.compile(
    r"(?i)\b(?:sk|pk|rk|xai|gsk|key|AIza|ghp|hf)[-_][\w\-]{6,}|AIza[\w\-]{20,}|\bBearer\s+[\w\-.=+/]{6,}"
)
# A proxy's address may hold a name and a password.
_LOGIN = re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")
_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)(?:_ID)?$")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a failure. `names`: class names of the exception and of its causes,
    outermost first, with their base classes. `status`: the HTTP status, 0 = none. `messages`: the
    texts of the chain. `retry_after`: seconds the server asked for."""

    names: frozenset[str]
    messages: tuple[str, ...]
    status: int = 0
    retry_after: float | None = None


def classify(facts: Facts, *, model: str, api_base: str, timeout: float) -> ModelError:
    """The error for `facts`; `timeout` in seconds, `api_base` may be empty."""
    said = "\n".join(facts.messages)
    where = api_base or f"the provider of {model}"
    if "ContextWindowExceededError" in facts.names or (
        facts.status in _TOO_LONG and _CONTEXT.search(said)
    ):
        return _error(
            "context",
            "The request is longer than the model's context window. Send fewer files, or set "
            "pairwright.model.window to the size that the server really has.",
            facts,
        )
    if facts.names & {"APIConnectionError", "ConnectError", "ConnectionRefusedError", "gaierror"}:
        connection = _connection(facts, said, where, timeout)
        if connection is not None:
            return connection
    if facts.names & {"Timeout", "APITimeoutError"} or facts.status == 408:
        return _timeout(facts, where, timeout)
    if facts.names & {"MidStreamFallbackError"}:
        return _error("transport", CUT, facts, retryable=True)
    return _by_status(facts, said, where, model)


def _connection(facts: Facts, said: str, where: str, timeout: float) -> ModelError | None:
    if facts.names & {"APITimeoutError", "TimeoutException"}:
        return _timeout(facts, where, timeout)
    if _CERTIFICATE.search(said):
        return _error(
            "transport",
            f"The certificate of {where} was not accepted. Behind a company proxy, set "
            "pairwright.model.ca_file (or SSL_CERT_FILE) to the proxy's certificate.",
            facts,
        )
    if "ConnectionRefusedError" in facts.names:
        return _error(
            "transport",
            f"Nothing listens at {where}. Start the model server, or change pairwright.model.api_base.",
            facts,
            retryable=not is_loopback(where),
        )
    if "gaierror" in facts.names:
        return _error(
            "transport",
            f"The address of {where} could not be resolved. Check the network, or "
            "pairwright.model.api_base.",
            facts,
            retryable=True,
        )
    if (
        facts.names & {"ConnectError", "APIConnectionError"}
        and "MidStreamFallbackError" not in facts.names
    ):
        return _error(
            "transport", f"No connection to {where}. Check the network.", facts, retryable=True
        )
    return None


def _timeout(facts: Facts, where: str, timeout: float) -> ModelError:
    if "ConnectTimeout" in facts.names:
        text = (
            f"{where} did not take the connection. Check the network, or pairwright.model.api_base."
        )
        return _error("transport", text, facts, retryable=True)
    # Not tried again: the user has waited long enough to be asked.
    text = f"Nothing came from {where} for {timeout:g} s. Ask again, or raise pairwright.model.timeout."
    return _error("transport", text, facts)


def _by_status(facts: Facts, said: str, where: str, model: str) -> ModelError:
    status, names = facts.status, facts.names
    if status == 401 or "AuthenticationError" in names or (status == 500 and _missing_key(said)):
        return _error(
            "auth",
            f"The key for {model} was not accepted. Check the provider's API key: in the environment the "
            "editor was started from, or stored with `pairwright model key`.",
            facts,
        )
    if status in (402, 403):
        return _error(
            "auth", f"The account may not use {model}. Check its plan and the key's rights.", facts
        )
    if status == 429 or "RateLimitError" in names:
        if _QUOTA.search(said):
            return _error(
                "rate", "The account's quota is used up. Add credit, or use another model.", facts
            )
        return _error("rate", "The provider asks for a pause.", facts, retryable=True)
    if status == 404 or "NotFoundError" in names:
        return _error(
            "refused",
            f"{where} does not know {model}. Check pairwright.model.name and api_base.",
            facts,
        )
    if "ContentPolicyViolationError" in names or (status == 400 and _POLICY.search(said)):
        return filtered(facts)
    if 400 <= status < 500:
        return _error("refused", f"{where} refused the request.", facts)
    if status >= 500:
        return _error("transport", f"{where} failed ({status}). Ask again.", facts, retryable=True)
    return _error("transport", "The request to the model failed.", facts)


def _missing_key(said: str) -> bool:
    return "missing credentials" in said.lower()


def filtered(facts: Facts | None = None) -> ModelError:
    """The provider's content filter stopped the answer."""
    text = "The provider's content filter stopped the answer. Word the request differently."
    return _error("filtered", text, facts or Facts(frozenset(), ()))


def unknown_provider(model: str) -> ModelError:
    """A model name without a provider."""
    return ModelError(
        "refused",
        f"{model!r} names no known provider. Write pairwright.model.name as provider/model, for example "
        "openai/gpt-5, or set pairwright.model.api_base to the server that has it.",
        retryable=False,
    )


def missing_key(model: str, names: Iterable[str], provider: str) -> ModelError:
    """A provider's key is nowhere."""
    wanted = " or ".join(names)
    return ModelError(
        "auth",
        f"{model} needs a key. Store it with `pairwright model key {provider}`, or set {wanted} in the environment "
        "the editor is started from. Or choose another model with pairwright.model.name.",
        retryable=False,
    )


def readable_key(host: str) -> ModelError:
    """A stored key would go over the network in the clear."""
    return ModelError(
        "auth",
        f"The key of {host} was not sent, since others could read it on the way: use https in "
        "pairwright.model.api_base, or set pairwright.model.plain_http.",
        retryable=False,
    )


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without anything that looks like a key, and without `secrets`."""
    for secret in sorted({s for s in secrets if len(s) >= 6}, key=lambda s: (-len(s), s)):
        text = text.replace(secret, "[key]")
    return _SECRETS.sub("[key]", _LOGIN.sub("[key]", text))


def secrets_of(env: Mapping[str, str]) -> tuple[str, ...]:
    """Values of variables named like keys, for `scrub`."""
    return tuple(v for k, v in sorted(env.items()) if len(v) >= 6 and _SECRET_NAME.search(k))


def _error(kind: ErrorKind, text: str, facts: Facts, *, retryable: bool = False) -> ModelError:
    detail = _detail(facts.messages)
    message = f"{text} (It said: {detail})" if detail else text
    return ModelError(kind, message, retryable=retryable, retry_after=facts.retry_after)


def _detail(messages: Iterable[str]) -> str:
    """The server's own words, without what the libraries wrapped around them: one line, at most 300
    characters. Empty when no server said anything."""
    for message in messages:
        told = _TOLD.search(message)
        words = told[1] if told else message.split(" Original exception:")[0]
        words = _WRAPPER.sub("", " ".join(_PREFIX.sub("", words).split()))
        if words and not _SILENT.match(words):
            return words[:300]
    return ""
