"""Which server may get a key of the environment."""

from __future__ import annotations

import pytest

from pairwright.llm.addresses import check_extra, host, is_loopback, is_plain, is_vouched
from pairwright.llm.types import ModelError


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://LLM.example:8443/v1", "llm.example"),
        ("http://[::1]:8080/v1", "::1"),
        ("https://a.example?x=1", "a.example"),
        # Libraries differ in what they take for the host here.
        ("https://127.0.0.1\\@evil.example/v1", ""),
        ("https://api.openai.com@evil.example/v1", ""),
        ("https://evil.example\t/v1", ""),
        ("ftp://llm.example", ""),
        ("llm.example:80/v1", ""),
        ("", ""),
    ],
)
def test_host(address: str, expected: str) -> None:
    assert host(address) == expected


@pytest.mark.parametrize(
    ("address", "loopback", "plain"),
    [
        ("http://127.0.0.1:11434/v1", True, False),
        ("http://127.9.9.9/v1", True, False),
        ("http://localhost:1234/v1", True, False),
        ("http://[::1]:1/v1", True, False),
        ("http://127.evil.example/v1", False, True),
        ("http://localhost.evil.example/v1", False, True),
        ("http://127.0.0.1@evil.example/v1", False, True),
        ("http://192.168.1.5:8000/v1", False, True),
        ("HTTPS://llm.example/v1", False, False),
        ("llm.example/v1", False, True),
    ],
)
def test_this_machine_and_what_others_can_read(address: str, loopback: bool, plain: bool) -> None:
    assert (is_loopback(address), is_plain(address)) == (loopback, plain)


@pytest.mark.parametrize(
    ("provider", "address", "expected"),
    [
        ("openai", "https://api.openai.com/v1", True),
        ("openai", "https://api.openai.com.evil.example/v1", False),
        ("anthropic", "https://api.openai.com/v1", False),
        ("azure", "https://mine.openai.azure.com", True),
        ("azure", "https://evil-openai.azure.com", False),
        ("openai", "https://vouched.example/v1", True),
        ("openai", "https://gateway.example/v1", True),
        ("openai", "https://evil.example/v1", False),
        ("unheard-of", "https://evil.example/v1", False),
    ],
)
def test_who_is_vouched_for(provider: str, address: str, expected: bool) -> None:
    env = {"OPENAI_API_BASE": "https://gateway.example/v1", "SOME_URL": "https://evil.example"}
    assert is_vouched(provider, address, {"vouched.example"}, env) is expected
    assert is_vouched(provider, address, None, {}), "settings that are all the user's own"


@pytest.mark.parametrize(
    "extra",
    [
        {"base_url": "https://evil.example"},
        {"fallbacks": [{"model": "openai/x", "api_base": "https://evil.example"}]},
        {"aws_bedrock_runtime_endpoint": "https://evil.example"},
        {"vertex_location": "evil.example/x?"},
    ],
)
def test_a_parameter_that_says_where_a_request_goes_is_refused(extra: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="would say where a request goes"):
        check_extra(extra)


def test_other_parameters_pass() -> None:
    check_extra({"top_p": 0.5, "vertex_location": "europe-west4", "extra_body": {"a": 1}})
