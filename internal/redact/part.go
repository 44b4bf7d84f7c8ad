package redact

// Span is a secret in a text.
type Span struct {
	Start, End int
	Rule       string // its kind, an identifier such as github-pat
}

// Marker is what stands in the place of the secret.
func (s Span) Marker() string { return "[secret: " + s.Rule + "]" }

// Replace returns a text with markers in the place of spans.
func Replace(text []byte, spans []Span) []byte {
	if len(spans) == 0 {
		return text
	}
	var out []byte
	at := 0
	for _, s := range spans {
		out = append(append(out, text[at:s.Start]...), s.Marker()...)
		at = s.End
	}
	return append(out, text[at:]...)
}

// Part is a text, or a part of one whose beginning is elsewhere.
type Part struct {
	Path   string // of its file; may be empty
	Text   []byte
	Before func() []byte // returns up to Reach bytes that stand before Text; nil for none

	clear int // no key begins in the last Reach bytes of Text before it
}

// Reach is how far before a line the key that it is of may begin, in bytes.
const Reach = maxKey

// maxKey is the longest key that is looked for, in bytes.
const maxKey = 16 << 10
