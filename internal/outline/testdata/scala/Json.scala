package io.acme.json

import scala.util.Try

// def notThis = 1
/* class Nope /* nested */ */
sealed trait Json extends Product {
  type Elem
  def fold[A](f: Json => A): A
  private[json] lazy val size: Int = {
    val local = 1
    local
  }
}

case class JObject(fields: Map[String, Json]) extends Json
case object JNull extends Json

object Json {
  implicit val order: Ordering[Json] = null
  final def parse(s: String): Try[Json] = {
    def inner(x: Int) = x
    val text = """
  def fake = 1
"""
    Try(JNull)
  }
}

@tailrec
private[json] class Parser(input: String) {
  override def toString = s"Parser(${input})"
  var pos = 0
}

package object syntax

enum Color:
  case Red, Green

extension (s: String) def toJson: Json = JNull

trait Show3:
  def show: String
  val name: String =
    val hidden = 1
    "x"

given ordering: Ordering[Int] = null
