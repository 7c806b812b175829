"""What requests cost, kept on disk: tokens and US dollars by day and session, shared by all servers of a user.

An amount is reserved before its request leaves and settled behind it, each in one transaction, so that two servers
never spend the same dollar; what a killed server had reserved counts as spent. Knows no limits and no models.
Where the disk fails the entries stay in memory, and `problem` says so. Blocking.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pairwright.memory.rows import Rows, opened

KEEP_DAYS = 92
"""Days after which an entry is forgotten."""

Pricing = Literal["priced", "unpriced", "local"]
"""By a known price, by tokens alone, or on the user's own machine for nothing."""

_WAIT_SECONDS = 10.0
# Numbers of entries that are in memory only, so that none is taken for one on disk.
_IN_MEMORY = 1 << 40
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, day TEXT NOT NULL, session TEXT NOT NULL, model TEXT NOT NULL, pricing TEXT NOT NULL,
    tokens INTEGER NOT NULL, dollars REAL NOT NULL, open INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS by_day ON entries (day);
CREATE INDEX IF NOT EXISTS by_session ON entries (session);
"""
_SUM = (
    "SELECT pricing, SUM(tokens), SUM(dollars), COUNT(*) FROM entries WHERE {} = ? GROUP BY pricing"
)


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, read and written, and US dollars of one request."""

    tokens: int
    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class Total:
    """A sum of entries: dollars of priced requests, tokens of those without a price, tokens of all."""

    dollars: float = 0.0
    unpriced: int = 0
    tokens: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """Totals of one session and of one day, reservations included."""

    session: Total = Total()
    day: Total = Total()


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be reserved, but for the amount. `day`: the user's own calendar day, as 2026-11-30. `session`:
    a key that is unique among all folders."""

    day: str
    session: str
    model: str
    pricing: Pricing


Decide = Callable[[Spent], Amount | None]


class Ledger:
    """The entries of one file; `path` None keeps them in memory only. Safe to call from several threads."""

    def __init__(self, path: Path | None) -> None:
        self._rows = Rows(path, _connect, self._lost)
        self.problem = ""
        """Why entries are not kept on disk, for the user; empty where they are."""

    def reserve(self, entry: Entry, decide: Decide) -> tuple[int | None, Spent]:
        """Ask `decide` for the amount, with what is spent at that moment, and enter it; nobody else can enter
        anything meanwhile. The number of the entry, None if `decide` gave nothing; and what was spent before."""

        def job(db: sqlite3.Connection) -> tuple[int | None, Spent]:
            spent = _spent(db, entry.session, entry.day)
            amount = decide(spent)
            if amount is None:
                return None, spent
            row = (*_key(entry), amount.tokens, amount.dollars)
            made = db.execute(
                "INSERT INTO entries (day, session, model, pricing, tokens, dollars, open) "
                "VALUES (?, ?, ?, ?, ?, ?, 1)",
                row,
            )
            return made.lastrowid, spent

        return self._rows.do(job)

    def settle(self, number: int, amount: Amount) -> None:
        """What entry `number` came to in the end."""
        values = (amount.tokens, amount.dollars, number)
        statement = "UPDATE entries SET tokens = ?, dollars = ?, open = 0 WHERE number = ?"
        self._rows.do(lambda db: db.execute(statement, values))

    def drop(self, number: int) -> None:
        """Entry `number` cost nothing after all."""
        self._rows.do(lambda db: db.execute("DELETE FROM entries WHERE number = ?", (number,)))

    def spent(self, session: str, day: str) -> Spent:
        """What is spent or reserved."""
        return self._rows.do(lambda db: _spent(db, session, day))

    def forget(self, prefix: str) -> int:
        """Take the names of all sessions that begin with `prefix` off their entries; how many entries. Their
        amounts stay in the sums of their days."""
        statement = "UPDATE entries SET session = '' WHERE substr(session, 1, ?) = ?"
        return self._rows.do(lambda db: db.execute(statement, (len(prefix), prefix)).rowcount)

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()

    def _lost(self, path: Path, aside: Path | None, error: Exception) -> None:
        if aside is not None:
            begun = f"it lies in {aside}, and a new one is begun"
            self.problem = f"The record of what requests cost was damaged: {begun}."
            return
        self.problem = (
            f"What requests cost cannot be kept in {path} ({error}): limits hold for this server alone, and "
            "until it ends."
        )


def _connect(path: Path | None) -> sqlite3.Connection:
    db = opened(path, _WAIT_SECONDS, _SCHEMA)
    try:
        (newest,) = db.execute("SELECT MAX(day) FROM entries").fetchone()
        db.execute("DELETE FROM entries WHERE day < date(?, ?)", (newest, f"-{KEEP_DAYS} days"))
        if path is None:
            first = (_IN_MEMORY, "", "", "", "local", 0, 0.0, 0)
            db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", first)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _key(entry: Entry) -> tuple[str, str, str, str]:
    return entry.day, entry.session, entry.model, entry.pricing


def _spent(db: sqlite3.Connection, session: str, day: str) -> Spent:
    return Spent(_total(db, "session", session), _total(db, "day", day))


def _total(db: sqlite3.Connection, column: str, value: str) -> Total:
    rows = {row[0]: row[1:] for row in db.execute(_SUM.format(column), (value,))}
    return Total(
        dollars=float(rows.get("priced", (0, 0.0, 0))[1]),
        unpriced=int(rows.get("unpriced", (0, 0.0, 0))[0]),
        tokens=sum(int(row[0]) for row in rows.values()),
        requests=sum(int(row[2]) for row in rows.values()),
    )
