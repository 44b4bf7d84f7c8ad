# fn commented():
alias LIMIT = 10

trait Shape:
    fn area(self) -> Float64: ...

@value
struct Grid(Shape):
    var rows: Int

    fn __init__(out self, rows: Int):
        self.rows = rows

    fn area(self) -> Float64:
        fn local(): pass
        return 1.0

def main():
    print("fn written():")
