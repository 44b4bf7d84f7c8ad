# Sums a column.
function total(file,   n) {
    while ((getline line < file) > 0) n += line
    return n
}

/^function ignored/ { next }

func ratio(a, b) { return a / b }

END { print "function written(x)", total("x") }
