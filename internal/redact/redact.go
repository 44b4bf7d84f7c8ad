// Package redact finds secrets in text (keys, tokens, passwords in addresses) and
// puts a marker in the place of each, such as "[secret: aws-access-token]".
//
// The rules are those of gitleaks (rules.go, written from its module) and a few of
// our own. A secret is looked for where a run of letters and digits stands that
// might be one; a rule is tried where one of its words stands near; what its
// regex finds must also be random enough and must not be what the rule allows:
// placeholders, names, paths. Private keys in armour are found by their first line
// (armour.go). So a text without keys costs one look at its bytes.
//
// Hashes, UUIDs and checksums are no secrets, unless they are given to a name
// that only secrets have. Nor is a password without a form of its own: that a
// word after "password" is one cannot be told from an example.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Spans returns the secrets that touch text[start:end], in order and apart from
// each other. What stands around that part is looked at too, so that a line of a
// key is known in the middle of it.
func (p *Part) Spans(start, end int) []Span {
	found := armour(p, start, end)
	for w := range windows(p.Path, p.Text, start, end) {
		found = append(found, w.spans()...)
	}
	if len(found) == 0 {
		return nil
	}
	found = slices.DeleteFunc(found, func(s Span) bool { return s.End <= start || s.Start >= end || s.Start >= s.End })
	return apart(found)
}

// Show returns text[start:end] with markers in the place of its secrets; that text
// itself where it has none.
func (p *Part) Show(start, end int) []byte {
	text, spans := p.Text[start:end], p.Spans(start, end)
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-start, 0), min(spans[i].End-start, len(text))
	}
	return Replace(text, spans)
}

// apart sorts spans and joins those that overlap, under the name of the one that
// says most.
func apart(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, cmp.Compare(a.Rule, b.Rule))
	})
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			last := &out[n-1]
			last.End = max(last.End, s.End)
			if isVague(last.Rule) {
				last.Rule = s.Rule
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

func isVague(rule string) bool { return rule == genericRule || rule == passwordRule }

// Text returns a text of a file with markers in the place of its secrets; the
// text itself where it has none.
func Text(path string, text []byte) []byte {
	p := Part{Path: path, Text: text}
	return p.Show(0, len(text))
}

// IsClear reports whether a text has no secret, whatever folder the file is said to be in:
// that of a path decides what is allowed in it.
func IsClear(path string, text []byte) bool {
	p := Part{Path: path[strings.LastIndexByte(path, '/')+1:], Text: text}
	return p.Spans(0, len(text)) == nil
}

// String is Text for a string.
func String(path, text string) string {
	p := Part{Path: path, Text: []byte(text)}
	spans := p.Spans(0, len(text))
	if spans == nil {
		return text
	}
	return string(Replace(p.Text, spans))
}
