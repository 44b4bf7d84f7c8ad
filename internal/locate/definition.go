package locate

import (
	"bytes"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
)

// Definition is one declaration.
type Definition struct {
	ID            string
	Path          string
	Line, Column  int // of the name
	EndLine       int
	Name          string
	QualifiedName string // package.Type.method
	Kind          code.Kind
	Exported      bool
	Signature     string
	Doc           string // comment marks taken off
	Body          string // with SymbolRequest.Body
	Uses          int    // uses of the bare name in the index: how many references there are at most
	Confidence    facts.Confidence
	Reason        string // why a use means it; empty when it was asked for by name
}

// Definition describes a symbol.
func (a *Ask) Definition(r corpus.Ref, body bool) (Definition, error) {
	d, err := a.Declared(r)
	d.Uses = a.CountUses(d.Name)
	if err == nil && body {
		s := a.Symbol(r)
		d.Body, err = a.Cut(r.File, s.Start, s.End)
	}
	return d, err
}

// Declared is Definition without a body and without counting uses.
func (a *Ask) Declared(r corpus.Ref) (Definition, error) {
	s := a.Symbol(r)
	chain := a.File(r.File).Chain(int(r.Index))
	if pkg := a.File(r.File).Package(); pkg != "" {
		chain = append([]string{pkg}, chain...)
	}
	d := Definition{
		ID: a.ID(r), Path: a.Corpus.Path(r.File), Line: int(s.Line), Column: int(s.Column), EndLine: int(s.EndLine),
		Name: s.Name, QualifiedName: strings.Join(chain, "."), Kind: s.Kind, Exported: s.Flags&facts.Exported != 0,
	}
	signature, err := a.Cut(r.File, s.SigStart, s.SigEnd)
	if err != nil {
		return d, err
	}
	doc, err := a.Cut(r.File, s.DocStart, s.DocEnd)
	if err != nil {
		return d, err
	}
	d.Signature, d.Doc = outline.OneLine(signature, a.Corpus.Language(r.File)), document(doc)
	return d, nil
}

// Cut returns a part of the text of a file, empty where the text does not have
// all of it.
func (a *Ask) Cut(f corpus.FileID, from, to uint32) (string, error) {
	if from >= to {
		return "", nil
	}
	text, err := a.TextRange(f, int(from), int(to))
	if err != nil || len(text) < int(to-from) {
		return "", err
	}
	return string(text), nil
}

// TextRange returns the text of a file between two bytes, as far as it goes. It is valid
// until the question reads on.
func (a *Ask) TextRange(f corpus.FileID, from, to int) ([]byte, error) {
	return a.Corpus.TextRange(f, from, to, &a.piece)
}

// document takes the comment marks off documentation.
func document(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"/**", "/*", "///", "//!", "//", "*/", "* ", `"""`, "'''", "#"} {
			line = strings.TrimPrefix(line, mark)
		}
		for _, mark := range []string{"*/", `"""`, "'''"} {
			line = strings.TrimSuffix(line, mark)
		}
		if line == "*" {
			line = ""
		}
		lines = append(lines, strings.TrimRightFunc(strings.TrimPrefix(line, " "), unicode.IsSpace))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// maxLine bounds the bytes of a line in an answer.
const maxLine = 300

// Line is the line of a file that holds a byte. It reads a stretch of text
// around that byte, of eight times as much until the line is in it.
func (a *Ask) Line(f corpus.FileID, at uint32) (string, error) {
	for reach := 128; ; reach *= 8 {
		from, to := max(int(at)-reach, 0), int(at)+reach
		text, err := a.TextRange(f, from, to)
		if err != nil || int(at) > from+len(text) {
			return "", err
		}
		here := int(at) - from
		begins := from == 0 || bytes.IndexByte(text[:here], '\n') >= 0
		ends := len(text) < to-from || bytes.IndexByte(text[here:], '\n') >= 0
		if begins && ends {
			return LineAt(text, uint32(here)), nil
		}
	}
}

// Mentions calls yield with every place where a word appears in the text of a live file,
// with the line that holds it, until it returns false.
func (a *Ask) Mentions(word string, yield func(f corpus.FileID, at uint32, line string) bool) error {
	all := func(corpus.FileID) bool { return true }
	return a.Corpus.MentionsIn(word, &a.piece, all, func(f corpus.FileID, at uint32) bool {
		line, err := a.Line(f, at)
		return err != nil || yield(f, at, line)
	})
}

// LineAt is the line that holds a byte.
func LineAt(text []byte, at uint32) string {
	if int(at) > len(text) {
		return ""
	}
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		end = int(at) + i
	}
	line := bytes.TrimSpace(text[start:end])
	if len(line) > maxLine {
		line = append(bytes.ToValidUTF8(line[:maxLine:maxLine], nil), " ..."...)
	}
	return string(line)
}

// LineNumbered is line n of a file, counted from 1, blanks at both ends taken off;
// empty where the file has fewer.
func (a *Ask) LineNumbered(f corpus.FileID, n int) (string, error) {
	starts, err := a.LineStarts(f)
	if err != nil || n < 1 || n >= len(starts) {
		return "", err
	}
	text, err := a.Text(f)
	if err != nil {
		return "", err
	}
	return LineAt(text, uint32(min(starts[n-1], len(text)))), nil
}
