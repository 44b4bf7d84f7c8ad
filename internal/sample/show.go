package sample

import (
	"fmt"
	"strings"

	"espy/internal/hit"
)

// Places prints hits as path:line.
func Places(res *hit.Result) string {
	var out []string
	for _, h := range res.Hits {
		out = append(out, fmt.Sprintf("%s:%d", h.Path, h.StartLine))
	}
	return strings.Join(out, " ")
}

// Shown prints lines as numbers, with the matched words of each.
func Shown(lines []hit.Line) string {
	var out []string
	for _, l := range lines {
		var words []string
		for _, m := range l.Matches {
			words = append(words, string(l.Text[m[0]:m[1]]))
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d %s", l.Number, strings.Join(words, ","))))
	}
	return strings.Join(out, " | ")
}
