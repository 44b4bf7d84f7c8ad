const a = require('m'), { b, c: d } = require('./n').x;
module.exports = { a, f: g, h() {} };
exports.z = function () { return this.q };
class A extends B { x = 1; static #p; get y() { return 1 } constructor(o) { super(o); this.z = o } }
function f(a, { b, c = 1, d: { e } }, [g] = [], ...r) { var v = a; for (const k of r) { k() } for (var i = 0; i < 1; i++); for (x in y) ; label: while (1) break label; }
const el = <Foo.Bar a={1} {...p} b="x"><div className={q}>{r}</div><Baz /></Foo.Bar>;
async () => { const { z } = await import('./m'); try { } catch ({ message }) { } };
x => x.y;
export default function () { }
F.prototype.m = function (a) { };
a ||= b?.[c] ?? `t${d}`;
const o = { a: 1, 'b': 2, [c]: 3, d, ...e, get f() { return 1 }, async g() { }, h: () => { }, i: { j: 1 } };
({ a, b: [c] } = x);
new Foo(1, ...y);
new a.B;
delete a.b; typeof x; void 0; i++;
switch (x) { case 1: let q = 1; break; default: }
export const z2 = 1;
tag`x${y}`;
if (a && b) c(); else d ? e : f;
for (let [k, v] of Object.entries(x)) {}
