@0x9eb32e19f86ee174;
# struct Commented
struct Person {
  id @0 :UInt32;
  struct Phone {
    number @0 :Text;
  }
}
interface Directory {
  find @0 (name :Text) -> (person :Person);
}
enum Kind { home @0; work @1; }
const limit :UInt16 = 10;
