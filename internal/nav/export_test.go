package nav

// New makes an index of the parts of a test.
var New = newIndex
