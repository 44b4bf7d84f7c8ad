# proc commented() = discard
import std/[os, strutils]

#[
proc inABlock() = discard
]#
type
  Version* = object
    name*: string
    parts: seq[int]
  Kind = enum
    kA, kB
  Visitor* = proc (v: Version) {.closure.}

const
  Limit* = 10
  text = """
proc inAText() = discard
"""

var counter = 0

proc parse*(s: string): Version =
  proc local(x: int): int = x
  let c = 'p'
  result.name = s

func `<=`*(a, b: Version): bool = a.name <= b.name

iterator items*(v: Version): int =
  for p in v.parts: yield p

template withVersion(body: untyped) =
  body

macro gen*(x: untyped): untyped = x

method show(v: ref RootObj) {.base.} = discard

when isMainModule:
  proc main() =
    discard
