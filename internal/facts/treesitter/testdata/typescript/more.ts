abstract class Q { constructor(@Inject() readonly a: A) {} protected abstract x: number; }
function assertIs(x: unknown): x is Foo { return true }
export = foo;
export import A = B.C;
export default interface DI {}
export type { T1 };
let v: this, w: readonly string[], z: unique symbol, q: A.B.C, t: keyof typeof x, u: `a${string}`, opt: new (...a: any[]) => Foo, c: Foo['bar'];
for (const x of y as Z[]) { }
@Component({ a: 1 }) export class D { @Input() z!: string; @Output() get x() { return 1 } }
let a = foo<Bar>(1); let b = new Map<string, Foo>();
function f(this: X, { a, b }: Props = {}, [c]: D[]) {}
export abstract class E { }
let fn = async <T,>(x: T): Promise<T> => x;
let fe = function named(x) { return named };
export declare const dd: number;
export async function af() {}
const made = make({ part, inner: { held: other.held, text: 'a' }, run() {} }, (x: string, y) => x)

// Constructors that keywords call.
class Upper {
  static make() { return new this(1); }
  constructor(n: number) {}
  again() { return new this(2); }
}
class Lower extends Upper {
  constructor() { super(3); }
  static other() { return () => new this(); }
}
