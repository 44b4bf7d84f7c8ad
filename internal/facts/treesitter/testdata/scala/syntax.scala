package sample.syntax
package inner

import scala.collection.mutable
import scala.collection.mutable.{Map => MutableMap, Buffer, Set => _, _}
import java.util.List, java.util.Optional
import Shapes._, Shapes.{area, unit => one}

/** A shape. */
sealed trait Shape[+A <: AnyRef] extends Product with Serializable {
  type Size = Double
  type Unit2 <: Size
  def size: Size
  def scale(by: Double)(implicit to: Rounding): Shape[A]
  val name: String
  var count, total: Int
}

trait Rounding { def round(x: Double): Double = x }

case class Circle(radius: Double, private val label: String = "c")(implicit r: Rounding) extends Base("circle", radius) with Marked { self: Shape[String] with Marked =>
  import mutable.ArrayBuffer
  def this(x: Int) = this(x.toDouble)
  private[inner] lazy val items = new ArrayBuffer[Circle](3)
  override def size: Double = { import math.Pi; val twice = radius * 2; twice * Pi }
  def bigger(f: Circle => Double, more: Circle*): Circle = copy(radius = f(this))
  def each[B](body: => B): B = body
  def both = items.map(_.radius).zip(more()).foldLeft(0.0)((sum, next) => sum + next._1)
  private def more(): Seq[Circle] = items.filter { c => c.radius > radius }
  def own = self.size + this.radius + super.toString.length + Circle.this.radius
  protected def first = items.head.radius
}

object Circle extends (Double => Circle) {
  private final val Zero = 0L
  def apply(radius: Double): Circle = new Circle(radius, "x")(Rounds)
  def unapply(c: Circle): Option[Double] = Some(c.radius)
  implicit object Rounds extends Rounding
  implicit class Rich(val on: Circle) extends AnyVal { def half: Circle = Circle(on.radius / 2) }
}

abstract class Base(val kind: String, start: Double) { protected val from = start }
trait Marked

object Shapes {
  val unit = Circle(1.0)
  def area(s: Shape[String]): Double = s.size
  val (a, b) = (unit, unit.half)
  val Circle(r) = unit
  val List(x, ys @ _*) = List(1, 2)
  var last: Option[Circle] = None

  def describe(x: Any): String = x match {
    case c: Circle if c.radius > 1 => s"big ${c.radius} $c"
    case Circle(radius) => f"$radius%2.2f"
    case Some(c @ Circle(_)) => c.kind
    case (p: String, q) => p + q
    case head :: tail => describe(head) + tail.size
    case `unit` | Shapes.a => "unit"
    case None | Nil => """raw"""
    case n @ (1 | 2) => n.toString
    case _ => sql"select $x"
  }

  def loops(all: Seq[Circle]): Seq[Double] = for {
    c <- all if c.radius > 0
    half = c.half
    (k, v) <- Map("a" -> c)
  } yield half.radius + v.radius

  def actions(n: Int): Unit = {
    var i = 0
    while (i < n) { i += 1 }
    do { i -= 1 } while (i > 0)
    last = Some(unit)
    try risky() catch { case e: IllegalStateException => throw e } finally println(i)
    val run = new Runnable with Marked { def run(): Unit = actions(i) }
    def risky(): Circle = if (i > 0) unit else last.getOrElse(unit)
    val add = (x: Int, y: Int) => x + y
    val pairs = List(unit) map { case Circle(r) => r }
    val typed = (unit: Circle)
    val again: Circle => Circle = _.half
    println(risky().radius, typed half)
    add(1, y = 2)
  }
}

package object tools extends Rounding {
  type Text = String
  def shorten(t: Text): Text = t
}
