// Areas of shapes, with class Hidden in a comment.
module Shapes {
  private use Math;

  record Circle: hashable {
    var radius: real;

    proc area() : real do return pi * radius ** 2;
    proc ref grow(by: real) {
      proc local_one(x) { return x; }
      radius *= local_one(by);
    }
  }

  class Group : Shape {
    forwarding var all: list(Circle);
    override proc area(): real {
      return + reduce all.area();
    }
  }

  enum color { red, green }
  extern type c_handle;
  inline proc twice(x: int) { return 2 * x; }
  proc Circle.draw(on: Canvas) { }
}
