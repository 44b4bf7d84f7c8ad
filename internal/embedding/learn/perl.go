package learn

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/outline"
	"espy/internal/pattern"
)

// Perl has no outline: its subs and its comments are found here, line by line.
// Documentation between =head and =cut is a comment.

var perlSub = pattern.New(`^\s*sub\s+(\w+)`)

func perl(text []byte) (definitions []code.Definition, quiet []outline.Span) {
	at, pod := 0, -1
	number := uint32(0)
	for line := range bytes.Lines(text) {
		number++
		end := at + len(line)
		switch {
		case pod >= 0:
			if bytes.HasPrefix(line, []byte("=cut")) {
				quiet = append(quiet, outline.Span{Start: pod, End: end, Comment: true})
				pod = -1
			}
		case len(line) > 1 && line[0] == '=' && 'a' <= line[1] && line[1] <= 'z':
			pod = at
		case bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")):
			quiet = append(quiet, outline.Span{Start: at + indent(line), End: end, Comment: true})
		default:
			if m := perlSub().FindSubmatch(line); m != nil {
				definitions = append(definitions, code.Definition{Name: string(m[1]), Kind: code.KindFunc, Line: number})
			}
		}
		at = end
	}
	if pod >= 0 {
		quiet = append(quiet, outline.Span{Start: pod, End: at, Comment: true})
	}
	return definitions, quiet
}
