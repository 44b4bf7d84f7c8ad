# proc commented {} {}
namespace eval ::shop {
    variable limit 10
    proc total {items {rate 1}} {
        return [llength $items]
    }
}
proc ::shop::add {item} {
    puts "proc written {} {}"
}
oo::class create Cart {
    constructor {} { my variable items }
    method size {} { return 0 }
}
