import { A, isA } from './a'

function tested(x: any, y: { z: any }) {
  if (x instanceof A && isA(y.z)) { x.run(); y.z.run() } else { x.other() }
  if (!(x instanceof A)) throw x
  while (isA(y)) y.run()
  const v = x instanceof A ? x.run() : x || isA(x) || x.run()
  { const x = v; x.run() }
  x.run()
  x = y
  return x.run()
}
function later() {
  let a, b = null, c: A
  a = new A(); b = a.run(); c = b
  return { a, b, run() { return c } }
}
class Late {
  one
  two = null
  constructor(private three = new A()) { this.one = three; this.two = this.one.run() }
}
function* yields() { yield new A(); yield* yields() }
function* typed(): Iterable<A> { yield new A() }
function guard(x: unknown): x is A { return isA(x) }
const of: typeof A = A, named: (a: A) => void = function inner(a) { a.run() }
async function awaited(f: <T>(x: T) => Promise<T>) { return await f<Record<string, A>>([new A(), ...[1], of]) }
