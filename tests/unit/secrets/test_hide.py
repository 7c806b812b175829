"""What counts as a secret, and that what is hidden comes back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.secrets.find import entropy, env_values, find, is_env, met
from pairwright.secrets.hide import Text, _by_rules, hide, reveal
from pairwright.secrets.rules import Rule, known

# In two pieces: a scanner that reads this file must find nothing.
GITHUB = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
AWS = "AKIA" + "Z3MHXQ7TWLPD5RNB"
STRIPE = "sk_live_" + "51HzqLkD3mPbVwYxNn7Tr8Qe"
ANTHROPIC = (
    "sk-ant-api03-"
    + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5oQ7sU9wY1aC3eG5iK7mO9qS1uW3yA5cE7gI9kM1oQ3sU5wY7aC9eG1iKxAA"
)
JWT = (
    "eyJhbGciOiJIUzI1NiJ9"
    + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
)
KEY = (
    "-----BEGIN RSA PRIVATE " + "KEY-----\n"
    "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\n"
    "KUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQJAIJLixBy2qpFoS4DSmoEm\n"
    "-----END RSA PRIVATE " + "KEY-----\n"
)


def check(text: str, *values: str, path: str = "a.py") -> None:
    """Exactly `values` are found in `text`, in order."""
    assert [text[s.start : s.end] for s in find(text, path)] == list(values)


@pytest.mark.parametrize("secret", [GITHUB, AWS, STRIPE, ANTHROPIC, JWT])
def test_tokens_are_found_whatever_stands_around(secret: str) -> None:
    check(f'client = Client("{secret}")\n', secret)
    check(f"# {secret}\r\nx = 1\r\n", secret)


def test_a_private_key_is_found_whole() -> None:
    text = f'KEY = """{KEY}"""\n'
    found = find(text)
    assert len(found) == 1
    assert "MIIBOg" in text[found[0].start : found[0].end]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('db = "postgres://app:' + 'h7Gk2pQzX9@db.internal/main"', "h7Gk2pQzX9"),
        ('PASSWORD = "' + 'T4$9x!kLm2Qz"', "T4$9x!kLm2Qz"),
        ('"password": "' + 'qX7-pL2_vN8k"', "qX7-pL2_vN8k"),
        ('api_key = "' + 'f3Zq81LxP0vKd72MsW4b"', "f3Zq81LxP0vKd72MsW4b"),
    ],
)
def test_passwords_and_keys_by_their_place(text: str, value: str) -> None:
    check(text, value)


@pytest.mark.parametrize(
    "text",
    [
        "def get_password(self): return self.password\n",
        'password = "password"\n',
        'url = "https://example.com:8080/@user"\n',
        'url = "http://user:password@example.com/"\n',
        'token = os.environ["GITHUB_TOKEN"]\n',
        'integrity = "sha512-' + "z" * 86 + '=="\n',
        '"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"\n',
        "key = key_of(item)\nfor key, value in items:\n    pass\n",
        "password: ${DB_PASSWORD}\n",
        'password = f"{prefix}-{name}"\n',
    ],
)
def test_plain_code_has_none(text: str) -> None:
    check(text)


def test_values_of_environment_files_count_from_twelve_characters() -> None:
    text = "A=short\nexport B='twelve chars'\nC=\"a longer value\"\nPORT=8080\n# D=commented out value\n"
    check(text, "twelve chars", "a longer value", path="deploy/.env.local")
    check(text, path="deploy/env.md")
    assert env_values(text) == ("twelve chars", "a longer value")
    assert is_env(".env") and is_env("x/prod.env") and not is_env(".env.example")


def test_a_value_has_one_number_wherever_it_stands() -> None:
    texts = [
        Text(f'TOKEN = "{GITHUB}"\n', "a.py", "a.py"),
        Text(f"why does {GITHUB} fail with {AWS}?", "request"),
    ]
    (file, request), hidden = hide(texts)
    assert file == 'TOKEN = "REDACTED_SECRET_1"\n'
    assert request == "why does REDACTED_SECRET_1 fail with REDACTED_SECRET_2?"
    assert [(one.rule, one.sources) for one in hidden] == [
        ("github-pat", ("a.py", "request")),
        ("aws-access-token", ("request",)),
    ]


def test_a_secret_by_its_place_is_hidden_where_nothing_betrays_it() -> None:
    value = "f3Zq81LxP0vKd72MsW4b"
    texts = [
        Text(f"log says {value} twice", "history"),
        Text(f'api_key = "{value}"', "a.py", "a.py"),
    ]
    out, _ = hide(texts)
    assert out[0] == "log says REDACTED_SECRET_1 twice"


def test_values_known_from_elsewhere_are_hidden() -> None:
    out, hidden = hide([Text("send correcthorse to the server", "request")], ["correcthorse"])
    assert out == ("send REDACTED_SECRET_1 to the server",)
    assert hidden[0].rule == "known value"


def test_a_text_that_has_such_a_name_gets_another() -> None:
    texts = [Text(f"REDACTED_SECRET_1 = {GITHUB}", "a.py", "a.py")]
    out, hidden = hide(texts)
    assert out == ("REDACTED_SECRET_1 = REDACTED_SECRET_X_1",)
    assert reveal(out[0], hidden) == texts[0].text


def test_a_digit_behind_a_secret_is_no_part_of_its_number() -> None:
    texts = [Text("pin-of-the-door7 and pin-of-the-door", "request")]
    out, hidden = hide(texts, ["pin-of-the-door"])
    assert out == ("REDACTED_SECRET_1_7 and REDACTED_SECRET_1_",)
    assert reveal(out[0], hidden) == texts[0].text


def test_names_of_ten_do_not_hit_names_of_one() -> None:
    values = [f"value-number-{n:02}!" for n in range(12)]
    out, hidden = hide([Text(" ".join(values), "request")], values)
    assert reveal(out[0], hidden) == " ".join(values)
    assert (
        reveal("REDACTED_SECRET_11, REDACTED_SECRET_123", hidden)
        == "value-number-10!, REDACTED_SECRET_123"
    )


@pytest.mark.parametrize("rule", known().rules, ids=lambda rule: rule.name)
def test_a_rule_is_tried_where_one_of_its_keywords_stands(rule: Rule) -> None:
    for word in rule.keywords:
        assert word in met(f"größe {word}7".lower()) and word in met(word * 2)
        assert word not in met("größe " + word[:-1])


def test_texts_that_are_no_unicode_are_searched() -> None:
    (secret,) = find("\ud800 password = 'k3!vPq9zW\udfff2'")
    assert secret.rule == "password-assignment"


def test_every_rule_compiles_and_has_a_keyword() -> None:
    import re2

    names = set()
    for rule in known().rules:
        re2.compile(rule.pattern)
        for allowed in rule.allowed:
            for pattern in (*allowed.patterns, *allowed.paths):
                re2.compile(pattern)
        assert rule.keywords and all(word == word.lower() for word in rule.keywords)
        names.add(rule.name)
    assert len(names) == len(known().rules) > 200


PIECES = st.lists(
    st.sampled_from(
        [GITHUB, AWS, STRIPE, KEY, " ", "\n", '"', "password = ", "api_key: ", "é😀", "x"]
    )
    | st.text(max_size=8),
    max_size=12,
).map("".join)


@given(st.lists(PIECES, max_size=4), st.sampled_from(["a.py", ".env", ""]))
def test_what_is_hidden_comes_back_and_no_value_is_left(texts: list[str], path: str) -> None:
    given_texts = [Text(text, f"part {n}", path) for n, text in enumerate(texts)]
    out, hidden = hide(given_texts)
    assert tuple(reveal(text, hidden) for text in out) == tuple(texts)
    for secret in (GITHUB, AWS, STRIPE):
        for text in out:
            assert not re.search(rf"(?<![^ \n\"]){secret}(?![^ \n\"])", text)


def test_entropy_is_shannons() -> None:
    assert entropy("") == 0
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2


def test_a_text_is_searched_once_for_all_requests_it_is_in() -> None:
    texts = [Text(f"# {GITHUB} {number}", f"{number}.py", f"{number}.py") for number in range(3)]
    first = hide(texts, ["a known value"])
    searched = _by_rules.cache_info().misses
    assert hide([*texts, Text("one more", "request")], ["a known value"])[1] == first[1]
    assert _by_rules.cache_info().misses == searched + 1
