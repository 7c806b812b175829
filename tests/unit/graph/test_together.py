"""Files that belong together by their history."""

from __future__ import annotations

from pairwright.graph.together import changed_for, changed_often, changed_together, last_said
from pairwright.graph.types import History
from pairwright.graph.weights import HALF_LIFE


def test_newer_and_smaller_commits_count_more() -> None:
    old = HALF_LIFE * 3
    commits = [("chat.py", "new.py"), *[("other.py",)] * old, ("chat.py", "old.py")]
    found = changed_together(History(tuple(commits)), {"chat.py": 1.0})
    assert found["new.py"] > found["old.py"] > 0.0 and "other.py" not in found
    wide = [("chat.py", "few.py"), ("a", "b", "c", "chat.py", "many.py")]
    found = changed_together(History(tuple(wide)), {"chat.py": 1.0})
    assert found["few.py"] > found["many.py"]


def test_a_file_that_always_changes_is_held_against_it() -> None:
    commits = (("all.py", "chat.py", "rare.py"), *[("all.py",)] * 8)
    found = changed_together(History(commits), {"chat.py": 1.0})
    assert found["rare.py"] > found["all.py"]


def test_weights_of_the_files_asked_for_scale() -> None:
    history = History((("a.py", "open.py"), ("b.py", "chat.py")))
    found = changed_together(history, {"chat.py": 1.0, "open.py": 0.25})
    assert found["b.py"] > found["a.py"] > 0.0
    assert changed_together(history, {}) == {}


def test_newer_commits_count_more_in_how_often_a_file_changed() -> None:
    found = changed_often(History((("new.py",), ("old.py", "twice.py"), ("twice.py",))))
    assert found["twice.py"] > found["new.py"] > found["old.py"] > 0.0


def test_files_of_commits_whose_messages_are_like_a_request() -> None:
    commits = (("cart.py",), ("mail.py",), ("bill.py", "mail.py"), ("mail.py",))
    said = (("total", "of", "cart"), ("send", "of"), ("total", "rounded"), ("send", "again"))
    history = History(commits, said)
    found = changed_for(history, ("total", "rounded"))
    assert found["bill.py"] > found["cart.py"] > 0.0 and found["bill.py"] > found["mail.py"]
    assert list(found) == sorted(found)
    assert changed_for(history, ()) == changed_for(history, ("unheard",)) == {}
    assert changed_for(History(commits), ("total",)) == {}


def test_newer_and_smaller_commits_like_a_request_count_more() -> None:
    commits = (("new.py",), *[("other.py",)] * HALF_LIFE, ("old.py",))
    said = (("total",), *[("mail",)] * HALF_LIFE, ("total",))
    found = changed_for(History(commits, said), ("total",))
    assert found["new.py"] > found["old.py"] > 0.0 and "other.py" not in found
    wide = (("few.py",), ("a", "b", "c", "many.py"))
    found = changed_for(History(wide, (("total",), ("total",))), ("total",))
    assert found["few.py"] > found["many.py"]


def test_the_newest_commit_of_each_file_says_what_it_was_about() -> None:
    commits = (("a.py",), ("a.py", "b.py"), ("a.py", "c.py"))
    history = History(commits, (("late", "fix"), ("early", "fix"), ("first",)))
    assert last_said(history, ["a.py"]) == ("fix", "late")
    assert last_said(history, ["b.py", "a.py"]) == ("early", "fix", "late")
    assert last_said(history, ["gone.py"]) == last_said(History(commits), ["a.py"]) == ()
