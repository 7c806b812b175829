"""A small workspace of several languages for records: files, a host over them, a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.fixture import files

from pairwright.config.schema import Index
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

SHOP = '''\
-- shop/__init__.py --
"""The shop."""
-- shop/cart.py --
"""Carts of a shop."""

import json

from shop import money
from shop.utils import label as named


class Cart:
    """What somebody buys."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows

    def total(self) -> int:
        """The sum, rounded up once."""
        return money.round_up(sum(self.rows))


def dumped(cart: Cart) -> str:
    return json.dumps({"total": cart.total(), "name": named(cart)})
-- shop/money.py --
def round_up(value: float) -> int:
    """Whole coins."""
    return int(value + 0.99)
-- shop/utils.py --
def label(thing: object) -> str:
    return f"shop {thing}"


def only_here() -> None: ...
-- web/__init__.py --
-- web/utils.py --
def label(thing: object) -> str:
    return f"web {thing}"
-- web/page.py --
from web.utils import label

from shop.cart import Cart, dumped


def page(cart: Cart) -> str:
    return label(dumped(cart))
-- web/app.ts --
import { show } from './view';

export function start(): void {
  show('cart');
}
-- web/view.ts --
/** Shows a text. */
export function show(text: string): void {}
-- tool/go.mod --
module x.org/tool

go 1.22
-- tool/main.go --
package main

import "x.org/tool/inner"

func main() { inner.Run() }
-- tool/inner/run.go --
package inner

// Run does it.
func Run() {}
-- notes.md --
Prices are rounded up.
-- hidden/key.py --
def secret_key(): ...
-- .gitignore --
hidden/
'''


def write(root: Path, archive: str) -> None:
    for path, text in files(archive).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@contextmanager
def hosted(root: Path) -> Iterator[Host]:
    """A host over the files below `root`, scanned."""
    host = Host(str(root.resolve()), Index(workers=1), Cache(None))
    host.scan()
    try:
        yield host
    finally:
        host.stop()


def long_module(lines: int, name: str = "step", extra: str = "") -> str:
    """Python of so many functions that a record of it is clearly shorter."""
    body = "".join(
        f"def {name}_{number}(value: int) -> int:\n"
        + "".join(
            f"    value = (value * {k} + {number}) % 1009  # mixed once more\n"
            for k in (3, 5, 7, 11)
        )
        + "    return value\n\n\n"
        for number in range(lines // 7)
    )
    return f'"""Steps that mix numbers."""\n{extra}\n\n{body}'
