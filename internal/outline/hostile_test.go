package outline

import (
	"strings"
	"testing"
	"time"

	"espy/internal/lang"
)

// TestHostileTextTakesLinearTime repeats what opens a literal, a scope or a
// statement, which must not be searched for its end over and over.
func TestHostileTextTakesLinearTime(t *testing.T) {
	pieces := []string{
		"`", "/*", "<<A\n", "<<-A ", "{", "(", "'", "'\n", "\"", "\"\n", "\\\"\n", "#[", "@a(", "@a.b\n", "int x(", "int x(\n", "new X(){", "R\"(", "$$", "$a$\n", "[[", "[==[",
		"{-", "\"\"\"\n", "'''\n", "(((", "a<", "a<b(\n", "%w[", "%w[\n", "?>", "<?php\n", "<<<A\n", "x = (\n", "x = (", "const x = (a\n", "a(\n", "}\n", "  }\n{\n", "= {", "a: {", "\n", " \n", "a\n",
		"#if 0\n", "#if 1\n", "#define a\\\n", "typedef struct {", "class A", "class A {\n", "enum {\n", "public A b(", "${", "`${", "/a", "= /a\n", "``` \n", "r#\"", "#\"\n", "=begin\n", "~s(", "\xff", "é'",
		"create table\n", "def a\n", "x\n===\n", "a: 1\n", "[a]\n", "{\"a\":\n", "data A =>\n", "f, g ::", "f = \n", "fun <T", "export default {\n a() {", "a.b.c.", "--[[", "-- ", "//", "#", "*/", "]]>", "<!--",
	}
	const size = 1 << 16
	const limit = 2 * time.Second // a millisecond is usual; quadratic time takes minutes
	for name := range syntaxes {
		t.Run(name, func(t *testing.T) {
			l, ok := lang.ByName(name)
			if !ok {
				t.Fatalf("no language %q", name)
			}
			for _, piece := range pieces {
				text := []byte(strings.Repeat(piece, size/len(piece)))
				took := time.Hour
				var o File
				for try := 0; try < 3 && took > limit; try++ { // a busy machine may stall one of them
					start := time.Now()
					o = Parse(l, text)
					took = min(took, time.Since(start))
				}
				if took > limit {
					t.Errorf("%q repeated over %d bytes took %v", piece, size, took)
				}
				if err := check(l, text, o); err != nil {
					t.Errorf("%q repeated: %v", piece, err)
				}
			}
		})
	}
}
