"""
A counter that says how far it is. class Hidden {
"""
use "collections"
use @printf[I32](format: Pointer[U8] tag, ...)

type Names is (String | Array[String])

interface val Report
  fun apply(n: USize): String

primitive Words is Report
  fun apply(n: USize): String =>
    let fun = "fun no(): None"
    n.string() // fun neither(): None

class iso Box[A: Any #share] is Stringable
  let _value: A

  new create(value: A) =>
    _value = value

  fun box get(): A => _value

  fun ref empty?(): Bool =>
    false

actor Main
  let _env: Env

  new create(env: Env) =>
    _env = env
    count(3)

  be count(n: USize) =>
    /* be hidden(n: USize) => */
    if n > 0 then
      count(n - 1)
    end
