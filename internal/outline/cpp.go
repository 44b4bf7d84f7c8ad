package outline

import "bytes"

var cppSyntax = syntax{dialect: &dialect{c: true, ctors: true, types: cTypes}, act: table(clauses, actions{
	"/": slash, "#": directive, "\"": cppQuote, "'": charQuote,
})}

// cppQuote handles " with R before it: R"tag( ... )tag".
func cppQuote(s *scanner, i int) int {
	if i == 0 || s.text[i-1] != 'R' || i > 1 && letter[s.text[i-2]] != 0 && s.text[i-2] != 'u' && s.text[i-2] != 'U' && s.text[i-2] != 'L' && s.text[i-2] != '8' {
		return quote(s, i)
	}
	n := bytes.IndexByte(s.text[i:min(i+20, len(s.text))], '(')
	if n < 0 {
		return quote(s, i)
	}
	end := ")" + string(s.text[i+1:i+n]) + "\""
	p := s.find(i+n, end)
	if p < 0 {
		return s.lineEnd(i)
	}
	return s.pass(i, p+len(end), insideLine)
}
