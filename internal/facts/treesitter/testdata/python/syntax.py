from . import x as y, z
from ..a.b import *
import a.b.c
import a.b as d
try:
    from m import (f as f, g)
except ImportError:
    g = None
@overload
def f[T](a, /, b: 'X | None', *, c=1, **k) -> t.Optional[Dict[str, "Y"]]: ...
async def g(x, *args: int):
    global q
    q = 1
    nonlocal_ = 2
    a, (b, *c) = await h(x)
    for i, j in x.items():
        print(i, *j, key=1)
    with open(a) as ff, b: pass
    try: pass
    except (E, F) as e: raise X from e
    lambda a, b=1: a + b
    d = {k: v for k, v in x if k if v}
    if (n := 10) > 5: pass
    x[1] += 2
    x.y.z = 3
    match x:
        case Foo(a=1, b=Bar()): pass
        case [p, *r] | {"k": vv, **rest}: pass
        case m.X: pass
        case str() as s if s: pass
        case _: pass
    del x
    yield from x
type Z[K] = list[K]
class C(Generic[T], m.D, metaclass=M):
    @property
    def p(self): return 1
    @p.setter
    def p(self, v): self.a, self.b = v, 1
    x: Callable[[int], "C"] = field(default=1)
__all__ = ["C", 'f'] + m.__all__
__all__ += ["g"]
f"{a:{b}} {c!r}" "x"
print(*args, **kw)
x = y if z else not w
x: int
assert a, b
