package nav

// New makes an index of the parts of a test.
var New = newIndex

// IsKeyword reports whether a name cannot be one in a family of languages.
var IsKeyword = isKeyword
