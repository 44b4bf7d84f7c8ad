package codebase

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// arguments are the arguments of a call. The first that does not fit is kept in err.
// Numbers and booleans that stand in a string count as such, as do lists: some
// clients send them so.
type arguments struct {
	given map[string]json.RawMessage
	err   error
}

// newArguments refuses what neither the schema has nor is understood besides.
func newArguments(raw json.RawMessage, schema string, more []string) (*arguments, error) {
	a := &arguments{}
	if json.Unmarshal(raw, &a.given) != nil || a.given == nil {
		return nil, invalid("arguments must be an object")
	}
	var known struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(schema), &known); err != nil {
		return nil, fmt.Errorf("codebase: a schema: %w", err)
	}
	var unknown []string
	for name := range a.given {
		if known.Properties[name] == nil && !slices.Contains(more, name) {
			unknown = append(unknown, name)
		}
	}
	if slices.Sort(unknown); len(unknown) > 0 {
		return nil, invalid("Unexpected argument: " + strings.Join(unknown, ", "))
	}
	return a, nil
}

// fail keeps the first error.
func (a *arguments) fail(format string, values ...any) {
	if a.err == nil {
		a.err = invalid(fmt.Sprintf(format, values...))
	}
}

func (a *arguments) has(name string) bool { return a.given[name] != nil }

// need refuses a call without an argument.
func (a *arguments) need(names ...string) {
	for _, name := range names {
		if !a.has(name) {
			a.fail("%s: Field required", name)
		}
	}
}

// text returns a string, "" where it is not given.
func (a *arguments) text(name string) (s string) {
	raw, ok := a.given[name]
	if ok && (raw[0] != '"' || json.Unmarshal(raw, &s) != nil) {
		a.fail("%s must be a string", name)
	}
	if strings.ContainsRune(s, 0) {
		a.fail("%s holds a NUL", name)
	}
	return s
}

// bounded is text of at most so many characters; what names it in the error.
func (a *arguments) bounded(name, what string, most int) string {
	s := a.text(name)
	if n := utf8.RuneCountInString(s); n > most {
		a.fail("%s too long (max %d characters): %d", what, most, n)
	}
	return s
}

// pointer is the value of an argument, nil where it is not given.
func (a *arguments) pointer(name, value string) *string {
	if !a.has(name) {
		return nil
	}
	return &value
}

// id returns a UUID in its usual form, "" where it is not given.
func (a *arguments) id(name string) string {
	text := a.text(name)
	if !a.has(name) || a.err != nil {
		return ""
	}
	u, err := uuid.Parse(text)
	if err != nil {
		a.fail("Invalid %s format: %s", name, text)
		return ""
	}
	return u.String()
}

// unquoted returns what stands in a string, and anything else as it is.
func unquoted(raw json.RawMessage) string {
	var s string
	if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	return string(raw)
}

// limit returns the argument limit.
func (a *arguments) limit(absent, most int) int {
	raw, ok := a.given["limit"]
	if !ok {
		return absent
	}
	f, err := strconv.ParseFloat(unquoted(raw), 64)
	if err != nil || f != math.Trunc(f) {
		a.fail("limit must be an integer")
		return absent
	}
	if f < 1 || f > float64(most) {
		a.fail("Limit must be between 1 and %d, got %s", most, unquoted(raw))
		return absent
	}
	return int(f)
}

func (a *arguments) flag(name string, absent bool) bool {
	raw, ok := a.given[name]
	if !ok {
		return absent
	}
	switch strings.ToLower(unquoted(raw)) {
	case "true":
		return true
	case "false":
		return false
	}
	a.fail("%s must be a boolean", name)
	return absent
}

// texts returns a list of strings, also one that stands in a string as JSON.
func (a *arguments) texts(name string) []string {
	raw, ok := a.given[name]
	if !ok {
		return nil
	}
	var values []json.RawMessage
	if json.Unmarshal([]byte(unquoted(raw)), &values) != nil || values == nil {
		a.fail("%s must be an array of strings", name)
		return nil
	}
	list := make([]string, len(values))
	for i, v := range values {
		if v[0] != '"' || json.Unmarshal(v, &list[i]) != nil {
			a.fail("%s must be an array of strings", name)
		}
	}
	return list
}
