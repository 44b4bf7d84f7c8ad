package remote

import (
	"strings"
	"unicode/utf8"

	"espy/internal/embedding"
	"espy/internal/redact"
)

// Bounds of texts, in bytes.
const (
	maxText  = 8 << 10   // of one document: the beginning tells most, and models cut too
	maxBatch = 128 << 10 // of one request
)

// document writes a piece of code for the model, its secrets taken out.
func (m *Model) document(d *embedding.Document) string {
	return m.about.document + clipped(plainDocument(d), maxText)
}

// plainDocument writes a piece of code, its secrets taken out.
func plainDocument(d *embedding.Document) string {
	var b strings.Builder
	b.WriteString(d.Path)
	b.WriteByte('\n')
	if len(d.Symbols) > 0 {
		b.WriteString(strings.Join(d.Symbols, " "))
		b.WriteByte('\n')
	}
	b.WriteString(d.Text)
	return redact.String(d.Path, b.String())
}

// question writes a question for the model, its secrets taken out.
func (m *Model) question(text string) string {
	return m.about.query + clipped(redact.String("", text), maxText)
}

// clipped returns at most so many bytes of the beginning of a text, of whole
// characters, as UTF-8.
func clipped(text string, most int) string {
	if len(text) > most {
		end := most
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// batch is a run of texts that are sent together.
type batch struct{ from, to int }

// batches divides texts into runs of at most so many, and maxBatch bytes.
func batches(texts []string, most int) (list []batch) {
	size := 0
	for i, t := range texts {
		n := len(list)
		if n == 0 || i-list[n-1].from == most || size+len(t) > maxBatch {
			list = append(list, batch{i, i})
			n, size = n+1, 0
		}
		list[n-1].to = i + 1
		size += len(t)
	}
	return list
}
