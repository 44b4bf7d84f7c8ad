package outline

import "espy/internal/code"

var crystalSyntax = syntax{line: crystalLine, names: "!?", everywhere: true, stray: rubyStray, act: table(actions{
	"#": lineComment, "\"`": longQuote, "'": tick, "/": rubySlash, "<": rubyLess, "%": rubyPercent,
})}

// crystalLine finds what Crystal has beside Ruby's declarations.
func crystalLine(s *scanner) {
	c := s.cursor()
	if c.has("abstract ") || c.has("private ") && !c.has("private def ") || c.has("protected ") && !c.has("protected def ") {
		c.word()
		c.skip()
	}
	at := c
	kind := code.KindUnknown
	switch string(c.word()) {
	case "struct", "union":
		kind = code.KindStruct
	case "enum":
		kind = code.KindEnum
	case "lib":
		kind = code.KindModule
	case "class":
		kind = code.KindClass
	case "annotation", "alias":
		kind = code.KindType
	case "macro", "fun":
		kind = code.KindFunc
	case "def":
		c.skip()
		rubyMethod(s, &c)
		return
	}
	if kind == code.KindUnknown || !c.skip() {
		s.first = at.i
		rubyLine(s)
		return
	}
	if kind.IsFunc() {
		rubyMethod(s, &c)
	} else if isUpper(c.peek()) {
		s.enter(s.column(), true)
		s.module(&c, ':', kind)
	}
}
