"""Settings from layers: precedence, shapes of clients, bad values, credentials."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.config.load import Layer, assignments, get, load, options, provider_keys, section
from pairwright.config.schema import Settings


def check(values: dict[str, Any], expected: dict[str, Any], problems: int = 0) -> None:
    loaded = load([Layer("test", values)])
    assert {key: get(loaded.settings, key) for key in expected} == expected
    assert len(loaded.problems) == problems, loaded.problems


def test_nothing_gives_the_defaults() -> None:
    assert load([]).settings == Settings()


def test_keys_may_be_nested_or_dotted() -> None:
    check({"map": {"tokens": 5}}, {"map.tokens": 5})
    check({"map.tokens": 5, "symbols.document": True}, {"map.tokens": 5, "symbols.document": True})


def test_every_kind_of_value() -> None:
    check(
        {
            "map.tokens": None,
            "model.temperature": 1,
            "index.exclude": ["*.gen.py"],
            "map.hover": "off",
            "model.extra": {"top_p": 0.5},
            "turn.reflections": 2.0,
        },
        {
            "map.tokens": None,
            "model.temperature": 1.0,
            "index.exclude": ("*.gen.py",),
            "map.hover": "off",
            "model.extra": {"top_p": 0.5},
            "turn.reflections": 2,
        },
    )


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("map.tokens", "lots", "a whole number"),
        ("map.tokens", -1, "at least 0"),
        ("map.tokens", True, "a whole number"),
        ("turn.reflections", 11, "at most 10"),
        ("map.hover", "loud", '"compact", "full", "off"'),
        ("symbols.document", "yes", "true or false"),
        ("index.exclude", "*.py", "a list"),
        ("index.exclude", [1], "a string"),
        ("model.extra", [], "an object"),
    ],
)
def test_a_bad_value_is_named_with_what_is_expected(key: str, value: object, words: str) -> None:
    loaded = load([Layer("push", {key: value})])
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1
    assert f"pairwright.{key} (push)" in loaded.problems[0]
    assert words in loaded.problems[0]


def test_presets_are_objects_with_what_they_need() -> None:
    good = {"title": "Async", "prompt": "Make it async."}
    settings = load([Layer("push", {"presets": [good, {**good, "mode": "ask"}]})]).settings
    assert [(p.title, p.mode) for p in settings.presets] == [("Async", "edit"), ("Async", "ask")]
    for bad, told in (
        ([{"title": "x"}], "lacks prompt"),
        ([{**good, "mode": "do"}], "expected one of"),
        ([{**good, "key": 1}], "an object with title, prompt, mode"),
        (["x"], "an object with title"),
        ([{**good, "prompt": 3}], "a string"),
    ):
        loaded = load([Layer("push", {"presets": bad})])
        assert loaded.settings.presets == () and told in loaded.problems[0]


def test_what_is_said_of_models_is_checked_field_by_field() -> None:
    good = {"openai/*": {"window": 9.0, "temperature": None, "extra": {"seed": 1}}, "x": {}}
    check(
        {"model.overrides": good},
        {"model.overrides": {"openai/*": {**good["openai/*"], "window": 9}, "x": {}}},
    )
    check({"model.aliases": {"me": "openai/x"}}, {"model.aliases": {"me": "openai/x"}})
    for bad, told in (
        ({"x": {"windo": 1}}, "`x`: `windo` is not one of format, long_format"),
        ({"x": {"window": "big"}}, "`x`: `window`: expected a whole number"),
        ({"x": {"window": None}}, "`x`: `window`: expected a whole number"),
        ({"x": {"price_in": -1}}, "`x`: `price_in`: expected at least 0"),
        ({"x": {"format": "loud"}}, "`x`: `format`: expected one of"),
        ({"x": 3}, "`x`: expected an object"),
        ({"x": {"extra": {"api_key": "k"}}}, "looks like a credential"),
    ):
        loaded = load([Layer("push", {"model.overrides": bad})])
        assert loaded.settings.model.overrides == {} and told in loaded.problems[0]
    assert load([Layer("push", {"model.aliases": {"me": 3}})]).problems


def test_commands_are_lists_of_words() -> None:
    lint = {"python": ["ruff", "check", "-"], "*.md": ("words",)}
    loaded = load([Layer("push", {"checks": {"lint": lint, "test": ["pytest"]}})])
    assert loaded.problems == () and loaded.settings.checks.test == ("pytest",)
    assert loaded.settings.checks.lint == {"python": ("ruff", "check", "-"), "*.md": ("words",)}
    for bad, told in (
        ({"python": "ruff check -"}, "`python`: expected a list"),
        ({"python": ["ruff", 3]}, "`python`: expected a string"),
        (["ruff"], "expected an object"),
    ):
        loaded = load([Layer("push", {"checks.lint": bad})])
        assert loaded.settings.checks.lint == {} and told in loaded.problems[0]


def test_a_bad_value_keeps_the_last_good_one_and_the_rest_applies() -> None:
    good = load([Layer("push", {"map.tokens": 2048})]).settings
    loaded = load([Layer("push", {"map.tokens": "x", "map.hover": "full"})], good)
    assert (loaded.settings.map.tokens, loaded.settings.map.hover) == (2048, "full")


def test_a_bad_value_at_first_falls_to_the_layer_below() -> None:
    loaded = load([Layer("init", {"map.tokens": 512}), Layer("set", {"map.tokens": "x"})])
    assert loaded.settings.map.tokens == 512


def test_later_layers_win_and_a_key_that_is_gone_falls_back() -> None:
    below, above = Layer("init", {"map.tokens": 1}), Layer("set", {"map.tokens": 2})
    assert load([below, above]).settings.map.tokens == 2
    assert load([below], load([below, above]).settings).settings.map.tokens == 1


def test_null_for_a_key_without_null_is_its_default() -> None:
    check({"turn.reflections": None, "map": None}, {"turn.reflections": 3})


def test_unknown_keys_are_reported_and_client_sections_are_not() -> None:
    loaded = load([Layer("push", {"mapp": {"tokens": 1}, "server": {"path": "x"}, "trace": "off"})])
    assert loaded.problems == ()
    assert loaded.unknown == ("pairwright.mapp.tokens (push) is not a setting",)


@pytest.mark.parametrize("name", ["api_key", "apiKey", "Authorization", "aws_secret_access_key"])
def test_credentials_are_never_taken_from_settings(name: str) -> None:
    loaded = load([Layer("push", {"model.extra": {name: "sk-very-secret"}})])
    assert loaded.settings.model.extra == {}
    assert "environment" in loaded.problems[0]
    assert "sk-very-secret" not in loaded.problems[0]


@pytest.mark.parametrize(
    "raw",
    [
        {"map": {"tokens": 7}},
        {"pairwright": {"map": {"tokens": 7}}},
        {"settings": {"pairwright": {"map.tokens": 7}}},
        {"pairwright.map.tokens": 7},
    ],
)
def test_every_shape_a_client_sends(raw: object) -> None:
    assert load([Layer("x", section(raw))]).settings.map.tokens == 7


@pytest.mark.parametrize("raw", [None, [], "x", 3, [{}]])
def test_what_is_no_object_is_no_settings(raw: object) -> None:
    assert section(raw) == {}


def test_assignments_of_the_command_line() -> None:
    values, problems = assignments(["map.tokens=5", "symbols.document=true", "model.name=a/b"])
    assert values == {"map.tokens": 5, "symbols.document": True, "model.name": "a/b"}
    assert problems == ()
    assert len(assignments(["map.tokens", "nosuch=1"])[1]) == 2


def test_keys_are_named_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("GROQ_API_KEY", "")
    names = provider_keys()
    assert "OPENAI_API_KEY" in names
    assert "GROQ_API_KEY" not in names
    assert "sk-1" not in names


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*options(), "map", "model", "x"]), _JSON))
def test_no_input_raises_and_the_result_is_always_valid(values: dict[str, Any]) -> None:
    settings = load([Layer("x", values)]).settings
    assert settings.map.hover in ("compact", "full", "off")
    assert 0 <= settings.turn.reflections <= 10
    assert load([Layer("x", {key: get(settings, key) for key in options()})]).settings == settings
