package shaktiman

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// arguments are the arguments of a call. Those that a tool does not ask for are
// ignored, null is one that is not given, and numbers and booleans may stand in
// strings. The first that does not fit is kept in err.
type arguments struct {
	given map[string]json.RawMessage
	err   error
}

// failure is an error as the original words it.
type failure string

func (f failure) Error() string { return string(f) }

func newArguments(raw json.RawMessage) (*arguments, error) {
	a := &arguments{}
	if err := json.Unmarshal(raw, &a.given); err != nil {
		return nil, failure("arguments must be an object")
	}
	return a, nil
}

// fail keeps the first error.
func (a *arguments) fail(text string) {
	if a.err == nil {
		a.err = failure(text)
	}
}

// has reports whether an argument is given.
func (a *arguments) has(name string) bool {
	raw, ok := a.given[name]
	return ok && string(raw) != "null"
}

// text returns a string, absent where none is given.
func (a *arguments) text(name, absent string) string {
	var s string
	if !a.has(name) || json.Unmarshal(a.given[name], &s) != nil {
		return absent
	}
	return s
}

// need returns a string that must be given and say something.
func (a *arguments) need(name string) string {
	s := a.text(name, "")
	if strings.TrimSpace(s) == "" {
		a.fail("missing required parameter: " + name)
	}
	return s
}

// maxQuery is how many characters a query has at most.
const maxQuery = 10_000

func (a *arguments) query() string {
	q := a.need("query")
	if utf8.RuneCountInString(q) > maxQuery {
		a.fail("query exceeds maximum length of 10,000 characters")
	}
	return q
}

// bounds are those of a number, and what is said of one beyond them.
type bounds struct {
	least, most float64
	text        string
}

// number returns a number.
func (a *arguments) number(name string, absent float64, b bounds) float64 {
	if !a.has(name) {
		return absent
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(unquoted(a.given[name])), 64)
	if err != nil || math.IsNaN(f) || f < b.least || f > b.most {
		a.fail(b.text)
		return absent
	}
	return f
}

// whole returns a number without what stands behind its point.
func (a *arguments) whole(name string, absent int, b bounds) int {
	b.most = math.Nextafter(b.most+1, 0)
	return int(a.number(name, float64(absent), b))
}

// unquoted is what stands in a string, and anything else as it is.
func unquoted(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// flag returns a boolean.
func (a *arguments) flag(name string) bool {
	on, err := strconv.ParseBool(unquoted(a.given[name]))
	return err == nil && on
}

// word returns one of some words.
func (a *arguments) word(name, absent, text string, words ...string) string {
	if !a.has(name) {
		return absent
	}
	w := a.text(name, "?")
	if !slices.Contains(words, w) {
		a.fail(text)
	}
	return w
}

// scope returns which files are meant.
func (a *arguments) scope() string {
	return a.word("scope", "impl", "scope must be 'impl', 'test', or 'all'", "impl", "test", "all")
}
