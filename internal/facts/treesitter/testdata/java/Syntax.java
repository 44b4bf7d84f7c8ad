package com.x.y;
import java.util.List;
import static java.util.Map.Entry.*;
import static a.B.c;
import q.r.*;
/** Doc. */
@Ann(value = 1, other = Foo.class)
public abstract class A<T extends Base & I> extends p.Super<T> implements I1, I2<String> {
  private static final int X = 1, Y[] = {2};
  public A(int a, final String... rest) throws E { super(a); this.f = a; }
  @Override public <U> List<U> m(Map<String, ? extends T> q) { for (Foo x : xs) { x.go(); } return new ArrayList<>() { void in() {} }; }
  abstract void n();
  static { init(); }
  class In { }
  enum En implements Z { P(1) { void o() {} }, Q; En(int i) {} int w; }
  interface If extends J, K { int C = 1; default void d() {} void e(); }
  record R(int a, String b) implements S { R { } static int z; }
  @interface An { int value() default 1; }
  void body(Object o) {
    int i = 0, j; var l = (Foo) o; Foo.Bar b = A.this.f.g; String[] arr = new String[3];
    Runnable r = () -> run(); F f = (x, y) -> { return x; }; G g = z -> z; H h = Foo::bar; H h2 = Foo::new; 
    if (o instanceof Foo foo && foo.ok()) {} 
    switch (o) { case Foo p when p.x() -> p.y(); case En.P: break; default -> {} }
    try (var s = open(); t) { } catch (E1 | E2 e) { } finally { }
    i += 1; this.f++; arr[0] = 1; label: while (true) { break label; }
    for (int k = 0; k < 1; k++) {} do {} while (i > 0);
    a.b.C.d(); Outer.Inner.<T>call(1); new Outer.Inner(2); o.new X();
    assert i > 0 : "x"; synchronized (this) { } throw new E("x" + i); 
    int q = switch (i) { case 1 -> 2; default -> { yield 3; } };
    boolean bb = i > 0 ? true : false;
    if (o instanceof R(int ra, var rb)) {}
  }
}
