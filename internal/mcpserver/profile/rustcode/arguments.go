package rustcode

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// arguments are the arguments of a call. The first that does not fit is kept in err.
// Numbers and booleans that stand in a string count as such: some clients send them
// so. Null is an argument that is not given.
type arguments struct {
	given map[string]json.RawMessage
	err   error
}

// newArguments refuses a call without what is required. Arguments that no tool knows
// are passed over, as by the original.
func newArguments(raw json.RawMessage, t tool) (*arguments, error) {
	a := &arguments{}
	if json.Unmarshal(raw, &a.given) != nil || a.given == nil {
		return nil, invalid("arguments must be an object")
	}
	var known struct{ Required []string }
	if err := json.Unmarshal([]byte(t.schema), &known); err != nil {
		return nil, fmt.Errorf("rustcode: a schema: %w", err)
	}
	for name, value := range a.given {
		if string(value) == "null" {
			delete(a.given, name)
		}
	}
	for _, name := range known.Required {
		if a.given[name] == nil {
			return nil, invalid("missing field `%s`", name)
		}
	}
	return a, nil
}

// fail keeps the first error.
func (a *arguments) fail(format string, values ...any) {
	if a.err == nil {
		a.err = invalid(format, values...)
	}
}

func (a *arguments) has(name string) bool { return a.given[name] != nil }

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

// unquoted returns what stands in a string, and anything else as it is.
func unquoted(raw json.RawMessage) string {
	var s string
	if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	return string(raw)
}

// limit returns the argument limit.
func (a *arguments) limit(absent int) int {
	raw, ok := a.given["limit"]
	if !ok {
		return absent
	}
	f, err := strconv.ParseFloat(unquoted(raw), 64)
	switch {
	case err != nil || f != math.Trunc(f):
		a.fail("limit must be an integer")
		return absent
	case f < 1:
		a.fail("limit must be at least 1")
		return absent
	}
	return int(min(f, math.MaxInt32))
}

func (a *arguments) flag(name string) bool {
	raw, ok := a.given[name]
	if !ok {
		return false
	}
	switch strings.ToLower(unquoted(raw)) {
	case "true":
		return true
	case "false":
		return false
	}
	a.fail("%s must be a boolean", name)
	return false
}

// The names of models that later releases take. They select nothing here.
var (
	modelNames   = []string{"qwen3-0.6b", "qwen3-4b", "qwen3-8b"}
	profileNames = []string{"local-cpu-small", "local-gpu-small", "local-qwen3-4b", "local-qwen3-8b", "openrouter-qwen3-8b"}
)

// models refuses the name of a model that there is not.
func (a *arguments) models() {
	if name := strings.ToLower(strings.TrimSpace(a.text("model"))); a.has("model") && !slices.Contains(modelNames, name) && !slices.Contains(modelNames, "qwen3-"+name) {
		a.fail("unknown model variant: %s; expected %s", a.text("model"), strings.Join(modelNames, ", "))
	}
	if name := strings.TrimSpace(a.text("embedding_profile")); a.has("embedding_profile") && !slices.Contains(profileNames, name) {
		a.fail("unknown embedding profile: %s; expected %s", name, strings.Join(profileNames, ", "))
	}
}
