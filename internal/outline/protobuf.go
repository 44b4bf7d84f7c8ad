package outline

import "espy/internal/code"

var protobufSyntax = syntax{line: protobufLine, act: table(curly, actions{"/": slash, "\"'": quote})}

func protobufLine(s *scanner) {
	c := s.cursor()
	k := code.KindUnknown
	switch string(c.word()) {
	case "message":
		k = code.KindStruct
	case "enum":
		k = code.KindEnum
	case "service":
		k = code.KindInterface
	case "rpc":
		k = code.KindMethod
	}
	if k == code.KindUnknown || !c.skip() {
		return
	}
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '{' || c.peek() == '(' || c.i == c.end || c.peek() == '/' {
		s.define(k, end-len(name), end)
	}
}
