// Package cursor names the pages of answers.
package cursor

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"espy/internal/hit"
	"espy/internal/usage"
)

// Cursor names a page of an answer by the number of results before it, the
// question, and the state of the index. Equal pages have equal cursors.
type Cursor struct {
	Offset          int
	question, state uint32 // hashes
}

// bytes is the length of a cursor before it is written as text.
const bytes = 12

func (c Cursor) String() string {
	var b [bytes]byte
	binary.BigEndian.PutUint32(b[0:], uint32(c.Offset))
	binary.BigEndian.PutUint32(b[4:], c.question)
	binary.BigEndian.PutUint32(b[8:], c.state)
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Parse reads a cursor that must belong to the question. An empty text
// is the first page.
func Parse(text string, question uint32) (Cursor, error) {
	if text == "" {
		return Cursor{question: question}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != bytes {
		return Cursor{}, &usage.Error{Arg: "cursor", Value: text, Msg: "not a cursor of an answer", Hint: "copy it from an answer, or omit it for the first page"}
	}
	c := Cursor{int(binary.BigEndian.Uint32(b[0:])), binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])}
	if c.question != question {
		return Cursor{}, &usage.Error{Arg: "cursor", Value: text, Msg: "belongs to another question", Hint: "repeat the call that gave it with the same arguments, or omit it for the first page"}
	}
	return c, nil
}

// At binds the cursor to the state of the repositories that answered. It fails if
// the cursor is of a later page and was made from another state.
func (c Cursor) At(repos []hit.Searched) (Cursor, error) {
	h := fnv.New32a()
	for _, r := range repos {
		fmt.Fprintf(h, "%s %d\n", r.Repo, r.Freshness.Generation)
		if r.Freshness.Ref != "" { // a branch may mean another commit now
			fmt.Fprintln(h, r.Freshness.Commit)
		}
	}
	state := h.Sum32()
	if c.Offset > 0 && c.state != state {
		return Cursor{}, &usage.Error{Arg: "cursor", Msg: "the index has changed since the previous page", Hint: "repeat the call without cursor"}
	}
	c.state = state
	return c, nil
}

// Next returns a function that names the page from an offset on.
func (c Cursor) Next() func(offset int) string {
	return func(offset int) string {
		c.Offset = offset
		return c.String()
	}
}

// Question hashes the tool and its arguments, without those that only change how
// much is shown.
func Question(tool string, args map[string]json.RawMessage) uint32 {
	q := make(map[string]json.RawMessage, len(args))
	for name, value := range args {
		switch name {
		case "cursor", "limit", "max_tokens", "format", "explain", "detail":
		default:
			q[name] = value
		}
	}
	h := fnv.New32a()
	text, err := json.Marshal(q) // keys are sorted
	if err != nil {
		panic(fmt.Errorf("cursor: encode checked arguments: %w", err))
	}
	fmt.Fprintf(h, "%s %s", tool, text)
	return h.Sum32()
}
