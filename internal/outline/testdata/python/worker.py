"""Docstring.

def not_this():
    pass
"""
import os

LIMIT = 10
logger: "logging.Logger" = None
handlers = {
    "a": 1,
}
type Pair[T] = tuple[T, T]


# Runs things.
@dataclass
class Worker(Base):
    '''class Fake:
    '''

    name: str = "x"

    @property
    def size(self) -> int:
        text = f"""
def fake():
        """
        return 1

    async def run(
        self,
        n=(1),
    ):
        def inner():
            return 'def x():'
        return inner

    class Nested:
        def deep(self): ...


def main(argv=None):
    if argv == 1:
        x = 2
    return call(
        a=1,
    )


if __name__ == "__main__":
    main()
