// Package parse turns the bytes of one file into its outline: the definitions
// a line-based look finds, and chunks of whole lines cut at definitions.
package parse

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/lang"
)

// Outline is what one file shows without a grammar.
type Outline struct {
	Definitions []code.Definition // by line
	Chunks      []code.Chunk      // in order, apart, whole lines, covering every line that is not blank
}

// Parse outlines text. It accepts any bytes, never fails, and a nil language
// gives chunks only.
func Parse(l *lang.Language, text []byte) Outline {
	var o Outline
	var at uint32
	var line uint32
	var c code.Chunk
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		line++
		blank := len(bytes.TrimSpace(text[:n])) == 0
		if c.StartLine > 0 && int(c.End-c.Start)+n > 1500 {
			o.Chunks = append(o.Chunks, c)
			c = code.Chunk{}
		}
		if c.StartLine == 0 && !blank {
			c.Start, c.StartLine = at, line
		}
		at += uint32(n)
		if c.StartLine > 0 && !blank {
			c.End, c.EndLine = at, line
		}
		if l != nil && !blank {
			f := bytes.Fields(text[:min(n, 200)])
			if len(f) > 1 {
				name := f[1]
				if i := bytes.IndexAny(name, "({:;<,"); i >= 0 {
					name = name[:i]
				}
				switch k := string(f[0]); {
				case len(name) == 0:
				case k == "func" || k == "def" || k == "function" || k == "fn" || k == "fun":
					o.Definitions = append(o.Definitions, code.Definition{Name: string(name), Kind: code.KindFunc, Line: line})
				case k == "type" || k == "class" || k == "struct" || k == "interface":
					o.Definitions = append(o.Definitions, code.Definition{Name: string(name), Kind: code.KindType, Line: line})
				}
			}
		}
		text = text[n:]
	}
	if c.StartLine > 0 {
		o.Chunks = append(o.Chunks, c)
	}
	return o
}
