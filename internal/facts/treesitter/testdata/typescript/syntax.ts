import def, { a as b, type T, default as dd } from './m';
import type { X } from "x";
import * as ns from 'ns';
import 'side';
import fs = require("fs");
export { p, q as r } from './o';
export * from './all';
export * as all from './all2';
export { b as default, ns };
export default class Foo<T extends Base = X> extends ns.Bar<T> implements I1, I2<number> {
  static readonly count: number = 0;
  private name?: string;
  #secret = 1;
  declare foo: X;
  constructor(private readonly x: X, public y = 1, z?: string) { super(x); this.w = 5; }
  get size(): number { return this.#secret }
  set size(v) {}
  async *gen<U>(this: Foo, ...args: U[]): Promise<void> { yield* args }
  abstract m(): void;
  @dec() method = (e: Event) => { this.name };
  override [Symbol.iterator]() {}
  static { init() }
}
export const { u, v: { w = 1 }, ...rest } = obj, [e0, , e2] = arr;
let k: typeof X.y = <Foo>z, l = y as unknown as Foo, n = o!.p?.q?.(1), s = x satisfies Y;
export function over(a: string): void;
export function over(a: any): asserts a is string { }
declare module "foo" { export function bar(): void; const z: number }
declare global { interface Window { zz: 1 } }
namespace A.B { export type C = { [k: string]: D, m(): E, f?: F } | Array<G> }
enum En { A = 1, B, 'c-d' }
const enum Ce { X }
interface I extends J<K>, L { (x: number): string; new (y: M): N; readonly o: P; q?(r: S): T; [key: string]: any }
type Fn = (a: A, b?: B) => C; type Cond<T> = T extends infer U ? U : never; type M2 = { [K in keyof T]?: T[K] }
type Tup = [a: A, B?]; type TQ = typeof import('x'); type Imp = import('y').Z<Q>;
