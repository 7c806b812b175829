"""As many units as a budget holds, best first. Knows nothing of what a unit shows.

Lines are counted once each and added up, which costs next to nothing but is not exact: tokenizers
merge across lines and callers may bring any counting function. So the sum only guesses; a sheet is
accepted when its whole text, counted at once, is inside the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pairwright.render.sheet import Sheet, Unit

FULL = 0.995
"""Share of the budget from which on nothing more is tried."""

_SEARCHES = 24
_SECANTS = 6
_TRIES = 30
# Looking at a unit may cost reading its file.
_AHEAD = 40


def fit(
    sheet: Sheet,
    tokens: int,
    units: Iterator[Unit],
    budget: int,
    count: Callable[[str], int],
    guess: Callable[[str], int],
) -> tuple[Sheet, int, bool]:
    """`sheet`, which has `tokens` tokens, extended by `units` as far as they fit.

    Takes the longest run of units that fits, then single later ones for the rest. `guess`: about
    what a row costs. Returns the new sheet, its tokens, and whether there was any unit.
    """
    search = _Search(sheet, tokens, _Line(sheet, units, guess), budget, count)
    search.run()
    search.fill()
    return search.best, search.tokens, search.line.pull(1)


class _Line:
    """The units pulled so far with the running sum of their guessed tokens."""

    def __init__(self, sheet: Sheet, units: Iterator[Unit], guess: Callable[[str], int]) -> None:
        self._sheet = sheet.copy()
        self._units = units
        self._guess = guess
        self._costs: dict[str, int] = {}
        self.units: list[Unit] = []
        self.sums: list[int] = [0]

    def pull(self, amount: int) -> bool:
        """Have at least `amount` units; False if there are not so many."""
        while len(self.units) < amount:
            unit = next(self._units, None)
            if unit is None:
                return False
            cost = sum(map(self._cost, self._sheet.add(unit)))
            self.units.append(unit)
            self.sums.append(self.sums[-1] + cost)
        return True

    def reach(self, limit: float) -> int:
        """The number of leading units whose sum stays within `limit`."""
        while self.sums[-1] <= limit and self.pull(len(self.units) + 1):
            pass
        low, high = 0, len(self.units)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.sums[middle] <= limit else (low, middle - 1)
        return low

    def _cost(self, text: str) -> int:
        if text not in self._costs:
            self._costs[text] = max(self._guess(text + "\n"), 0)
        return self._costs[text]


class _Search:
    """`best` is always inside the budget by an exact count of its whole text."""

    def __init__(
        self,
        sheet: Sheet,
        tokens: int,
        line: _Line,
        budget: int,
        count: Callable[[str], int],
    ) -> None:
        self._count = count
        self._budget = budget
        self._ratio = 1.0
        self._taken = 0
        self.best = sheet
        self.tokens = tokens
        self.line = line

    def run(self) -> None:
        """Find the longest run of leading units that fits."""
        base, room = self.tokens, self._budget - self.tokens
        low, high = 0, -1
        for attempt in range(_SEARCHES):
            guess = self.line.reach(room * self._ratio)
            if high >= 0:
                guess = min(guess, high - 1) if attempt < _SECANTS else (low + high) // 2
            guess = max(guess, low + 1)
            if guess == high >= 0 or not self.line.pull(guess) or self._full():
                return
            # Whatever fits is the best, so what is beyond `low` lies on top of it.
            tokens = self._try(self.line.units[low:guess])
            if tokens > base:
                self._ratio = max(self.line.sums[guess], 1) / (tokens - base)
            low, high = (guess, high) if tokens <= self._budget else (low, guess)
            self._taken = low

    def fill(self) -> None:
        """Put single units behind the run into the room that is left."""
        tries = 0
        for at in range(self._taken, self._taken + _AHEAD):
            if self._full() or tries >= _TRIES or not self.line.pull(at + 1):
                return
            cost = self.line.sums[at + 1] - self.line.sums[at]
            if cost > (self._budget - self.tokens) * self._ratio * 1.25:
                continue
            tries += 1
            sheet = self.best.copy()
            sheet.add(self.line.units[at])
            self._accept(sheet)

    def _full(self) -> bool:
        return self.tokens >= self._budget * FULL

    def _try(self, units: list[Unit]) -> int:
        """Tokens of the best with `units`; taken as the best if they fit."""
        sheet = self.best.copy()
        for unit in units:
            sheet.add(unit)
        return self._accept(sheet)

    def _accept(self, sheet: Sheet) -> int:
        """Tokens of `sheet`; taken as the best if they fit."""
        tokens = self._count(sheet.text())
        if tokens <= self._budget:
            self.best, self.tokens = sheet, tokens
        return tokens
