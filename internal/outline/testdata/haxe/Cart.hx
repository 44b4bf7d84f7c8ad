package shop;

/* class Commented {} */
typedef Item = { name:String, price:Float }

enum Kind { Food; Toy; }

interface Priced { function price():Float; }

abstract Money(Float) from Float {}

@:keep
class Cart implements Priced {
  public static inline var LIMIT = 10;
  var items:Array<Item>;

  public function new() {}

  override public function price():Float {
    var local = function(x) return x;
    trace("function written() {");
    return 0;
  }
}
