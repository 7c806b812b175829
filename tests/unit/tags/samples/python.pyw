"""A shop."""

from __future__ import annotations

import os.path as osp

from . import units
from .money import Cents
from .money import to_cents as cents

LIMIT = 10
low, high = 1, 2
first = second = None
try:
    import fast

    HAS_FAST = True
except ImportError:
    HAS_FAST = False
if HAS_FAST:
    engine = fast.Engine
else:
    engine = None
double = lambda n: n * LIMIT

type Pairs[K] = dict[K, list[Entry]]


@registry.register("shop", units.Kilo)
@final
class Shop(Base, mixins.Named, Generic[Item], metaclass=Meta):
    kinds: list[Kind] | None = None

    def __init__(self, name: str, *, rate: Rate = Rate(1)) -> None:
        super().__init__(name)
        self.rate = rate

    @property
    def total(self) -> Cents | money.Euro:
        return sum(map(cents, self.items()))

    @staticmethod
    async def load(path: osp.PathLike[str]) -> "Shop":
        def one(line):
            return Entry.parse(line)

        async with reader(path) as lines:
            return Shop([one(line) async for line in lines])

    class Meta:
        ordering = ("name",)


def check(value):
    match value:
        case Entry(name=n) | shapes.Point():
            return n
    try:
        raise NotFound
    except (Missing, errors.Broken) as error:
        return isinstance(error, Broken)
