package outline

import (
	"bytes"
)

// vueSyntax and svelteSyntax are those of the scripts in a component: what stands
// around these is passed over.
var (
	vueSyntax    = componentSyntax()
	svelteSyntax = componentSyntax()
)

func componentSyntax() syntax {
	y := javascriptSyntax
	y.begin = outsideScript
	y.act = y.act.with(actions{"<": scriptLess})
	return y
}

// scriptLess handles </script>, which ends the code.
func scriptLess(s *scanner, i int) int {
	if bytes.HasPrefix(s.text[i:], []byte("</script")) {
		s.scopes, s.deeper, s.paren, s.pending = s.scopes[:0], 0, 0, noScope
		return outsideScript(s, i)
	}
	return i + 1
}

// outsideScript skips from i to the code of the next script.
func outsideScript(s *scanner, i int) int {
	for p := i; ; {
		n := bytes.Index(s.text[p:], []byte("<script"))
		if n < 0 {
			return s.pass(i, len(s.text), insideLine)
		}
		p += n + len("<script")
		if p < len(s.text) && letter[s.text[p]] != 0 {
			continue
		}
		end := bytes.IndexByte(s.text[p:], '>')
		if end < 0 {
			return s.pass(i, len(s.text), insideLine)
		}
		return s.pass(i, p+end+1, insideLine)
	}
}
