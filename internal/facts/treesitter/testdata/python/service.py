"""Orders and who ships them."""

from __future__ import annotations

import os.path
import typing as t
from dataclasses import dataclass, field

from .store import Store, open_store as _open

if t.TYPE_CHECKING:
    from .ship import Carrier

try:
    import ujson as json
except ImportError:
    import json

__all__ = ["Order", "place"]

T = t.TypeVar("T")
LIMIT: int = 10
_cache: dict[str, "Order"] = {}


@dataclass(frozen=True)
class Order:
    """One order."""

    id: str
    lines: list[Line] = field(default_factory=list)
    total = 0

    @property
    def size(self) -> int:
        return len(self.lines)

    @classmethod
    def load(cls, raw: bytes) -> Order:
        data = json.loads(raw)
        return cls(id=data["id"], lines=[Line(**d) for d in data["lines"]])

    def ship(self, by: "Carrier | None" = None, *tags: str, force=False) -> t.Optional["Receipt"]:
        if by and not force or self.total > LIMIT:
            self.carrier = by
            self.sent = True
        for line in self.lines:
            line.mark(self.carrier)
        return by.take(self, note=f"{self.id}: {line.name!r:>{LIMIT}}")


# Line is one line.
# It has a name.
class Line(Order, Base[T], metaclass=Meta):
    name = "x"

    def mark(self, carrier):
        super().ship(carrier)

        def inner():
            return self.name, name

        return inner()


async def place(order: Order, store: Store | None = None) -> None:
    global _cache
    _cache = {}
    store = store or _open(os.path.join("a", "b"))
    async with store.lock() as lock, open("x") as f:
        await store.put(order, key=lambda o, k=1: o.id + k)
    try:
        lock.release()
    except (KeyError, OSError) as err:
        raise Failure(err) from err
    total: "int" = sum(o.total for o in store.all() if o.size)
    first, *rest = store.all()
    print(first.ship, rest, total, f)


class Failure(Exception): pass
