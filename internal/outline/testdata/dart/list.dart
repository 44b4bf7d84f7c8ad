import 'dart:async';
export 'src/shape.dart' show Shape, Walker;

// class NotThis {}
const int limit = 10;
typedef Handler<T> = Future<T> Function(T);
typedef Callback = void Function(int);

abstract class Shape<T> extends Base with Mixin implements Other {
  final String name;
  static const int sides = 3;

  Shape(this.name, {super.key});
  factory Shape.empty() {
    return Shape('');
  }

  double area();
  double get side => area() / 2;
  bool get isEmpty {
    return area() == 0;
  }
  @override
  String toString() => 'shape $name {';
  Future<List<T>> load(int n) async {
    if (n > 0) { return run(n); }
    final f = (x) => x;
    return [];
  }
}

mixin Walker { void walk() {} }
enum Color { red, green }
void main(List<String> args) {
  print('x');
}
int twice(int x) => x * 2;
