# struct Commented {}
namespace go shop
typedef i64 Id
enum Kind { FOOD, TOY }
struct Item {
  1: required string name = "struct Written",
}
exception NotFound { 1: string why }
service Shop extends Base {
  Item find(1: Id id) throws (1: NotFound e),
}
