package three:
  import sample.syntax.inner.{Circle, given}

  enum Color(val code: Int):
    case Red extends Color(1)
    case Mixed(parts: Seq[Color]) extends Color(2)
    case Green, Blue

    def isRed: Boolean = this == Color.Red
  end Color

  extension (c: Circle)
    def double: Circle = c.copy(radius = c.radius * 2)
    def plus(other: Circle): Circle = other

  extension [A](list: List[A]) def second: A = list(1)

  trait Order[A]:
    def compare(x: A, y: A): Int

  given byCode: Order[Color] with
    def compare(x: Color, y: Color): Int = x.code - y.code

  given Order[Int] = (x, y) => x - y

  opaque type Id = String
  type Both = String | Int
  type Pair = [A] =>> (A, A)

  inline def largest[A](all: List[A])(using order: Order[A]): A =
    var best = all.head
    for a <- all do
      if order.compare(a, best) > 0 then best = a
    best

  @main def run(args: String*): Unit =
    val colors = List(Color.Red, Color.Mixed(Nil))
    colors.foreach: c =>
      println(c.isRed)
    val top = largest(colors)(using byCode)
    top match
      case Color.Mixed(parts) => println(parts.size)
      case other => println(other.code)
