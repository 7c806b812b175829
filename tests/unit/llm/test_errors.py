"""Classes of failures, pauses between tries, and messages without keys."""

from __future__ import annotations

import pytest

from pairwright.llm.errors import Facts, classify, scrub, secrets_of
from pairwright.llm.retry import pause
from pairwright.llm.types import ModelError


def check(facts: Facts, kind: str, retryable: bool, words: str, base: str = "") -> None:
    error = classify(facts, model="openai/gpt-5", api_base=base, timeout=9)
    assert (error.kind, error.retryable) == (kind, retryable)
    assert words in error.message


def facts(*names: str, status: int = 0, messages: tuple[str, ...] = ()) -> Facts:
    return Facts(frozenset(names), messages, status)


@pytest.mark.parametrize(
    ("given", "kind", "retryable", "words"),
    [
        (facts("InternalServerError", "APIConnectionError", "gaierror", status=500), "transport", True,
         "could not be resolved"),
        (facts("APIConnectionError", messages=("CERTIFICATE_VERIFY_FAILED",)), "transport", False,
         "SSL_CERT_FILE"),
        (facts("APIConnectionError", "APITimeoutError", "ConnectTimeout"), "transport", True,
         "did not take the connection"),
        (facts("Timeout", "APITimeoutError", "APIConnectionError", status=408), "transport", False, "9 s"),
        (facts("InternalServerError", status=500, messages=("Missing credentials.",)), "auth", False,
         "API key"),
        (facts("APIError", status=402), "auth", False, "plan"),
        (facts("RateLimitError", status=429), "rate", True, "pause"),
        (facts("ContentPolicyViolationError", status=400), "filtered", False, "filter"),
        (facts("MidStreamFallbackError", "ServiceUnavailableError", status=500), "transport", True,
         "broke"),
        (facts("InternalServerError", status=500), "transport", True, "failed (500)"),
        (facts("KeyError"), "transport", False, "failed"),
    ],
)  # fmt: skip
def test_classes(given: Facts, kind: str, retryable: bool, words: str) -> None:
    check(given, kind, retryable, words)


def test_a_refused_connection_is_tried_again_only_elsewhere() -> None:
    refused = facts(
        "InternalServerError", "APIConnectionError", "ConnectionRefusedError", status=500
    )
    check(
        refused,
        "transport",
        True,
        "Nothing listens at https://llm.example/v1",
        "https://llm.example/v1",
    )
    check(refused, "transport", False, "Start the model server", "http://127.0.0.1:1234/v1")


def test_the_servers_own_words_are_shown_without_wrapping() -> None:
    wrapped = "litellm.BadRequestError: OpenAIException - max_tokens is too large"
    check(facts("BadRequestError", status=400, messages=(wrapped,)), "refused", False,
          "(It said: max_tokens is too large)")  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-abcdef0123456789.",
        "header Authorization: Bearer eyJhbGciOi.J9.x_y-z",
        "AIzaSyA0123456789abcdefghijklmnop is bad",
        "the-plain-secret was refused",
        "Cannot connect to http://user:eyJhbGciOi@proxy:3128",
    ],
)
def test_keys_never_show(text: str) -> None:
    shown = scrub(text, ["the-plain-secret"])
    assert "[key]" in shown
    for part in ("abcdef0123456789", "eyJhbGciOi", "AIzaSyA", "the-plain-secret"):
        assert part not in shown


def test_plain_words_stay() -> None:
    text = (
        "The key for openai/gpt-5 was not accepted; task-force risk-assessment-tool, basic tokens."
    )
    assert scrub(text) == text


def test_secrets_are_variables_named_like_keys() -> None:
    env = {"A_API_KEY": "abcdefgh", "HF_TOKEN": "tttttttt", "KEYBOARD": "us-intl", "X_KEY": "short"}
    assert secrets_of(env) == ("abcdefgh", "tttttttt")


def test_pauses_double_and_end() -> None:
    error = ModelError("rate", "", retryable=True)
    assert [pause(n, error) for n in range(1, 12)] == [
        0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, None, None
    ]  # fmt: skip
    assert pause(1, ModelError("rate", "", retryable=True, retry_after=60)) == 60
    assert pause(1, ModelError("rate", "", retryable=True, retry_after=61)) is None
    assert pause(1, ModelError("auth", "", retryable=False)) is None
