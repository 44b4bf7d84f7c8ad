package outline

var jsonSyntax = syntax{line: jsonLine, everywhere: true, act: table(actions{
	"\"": quote, "{[": openParen, "}]": closeParen, "/": slash,
})}

// jsonLine finds the outermost keys of a JSON object.
func jsonLine(s *scanner) {
	if s.paren != 1 || s.keys >= maxKeys {
		return
	}
	c := s.cursor()
	if c.peek() != '"' {
		return
	}
	name := c.quoted('"')
	start, end := c.i-1-len(name), c.i-1
	if c.skip(); c.peek() == ':' {
		s.key(start, end)
	}
}
