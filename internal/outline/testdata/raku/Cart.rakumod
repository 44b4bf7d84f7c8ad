unit module Shop::Cart;
# sub commented() {}
role Priced { method price() { ... } }
class Cart does Priced is export {
    has @.items;
    method total(--> Int) { "sub written() {}" }
    submethod BUILD() { }
}
multi sub add-item(Cart $c, $i) is export { }
grammar Query { token TOP { <word> } }
enum Kind <food toy>;
constant LIMIT = 10;
=begin pod
sub in-pod() {}
=end pod
sub after-pod() { }
