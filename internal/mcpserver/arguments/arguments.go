// Package arguments checks the arguments of a tool against its schema. Its errors
// say what would fit.
package arguments

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"espy/internal/nearest"
	"espy/internal/usage"
)

// Arguments are those that a tool takes.
type Arguments struct {
	Schema *jsonschema.Schema
	tool   string
	names  []string // of the properties, sorted
}

// New returns the arguments of a tool.
func New(tool string, schema *jsonschema.Schema) *Arguments {
	return &Arguments{Schema: schema, tool: tool, names: slices.Sorted(maps.Keys(schema.Properties))}
}

// Check returns the arguments that are present, in the types of the schema.
func (a *Arguments) Check(raw json.RawMessage) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, &usage.Error{Msg: "arguments must be an object, got " + kindOf(raw), Hint: "pass " + a.example()}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		name := a.renamed(given, name)
		p, ok := a.Schema.Properties[name]
		if !ok {
			return nil, a.unknown(name)
		}
		if string(given[name]) == "null" { // some clients omit an argument in this way
			delete(given, name)
			continue
		}
		value, err := checkValue(p, name, given[name])
		if err != nil {
			return nil, err
		}
		given[name] = value
	}
	for _, name := range a.Schema.Required {
		if _, ok := given[name]; !ok {
			return nil, &usage.Error{Msg: fmt.Sprintf("%s needs the argument %s", a.tool, name), Hint: "pass " + a.example()}
		}
	}
	return given, nil
}

// renamed gives an argument the name that it has here, where it came under a
// synonym and this one is not given too.
func (a *Arguments) renamed(given map[string]json.RawMessage, name string) string {
	if a.Schema.Properties[name] != nil {
		return name
	}
	own := slices.DeleteFunc(slices.Clone(synonyms[name]), func(n string) bool { return a.Schema.Properties[n] == nil })
	if len(own) != 1 || given[own[0]] != nil {
		return name
	}
	given[own[0]] = given[name]
	delete(given, name)
	return own[0]
}

// synonyms maps other names of an argument that mean the same to its name here.
var synonyms = words(map[string]string{
	"symbol": "name symbol_name identifier",
	"path":   "file file_path filename",
	"lang":   "language languages",
	"repo":   "repository project",
	"limit":  "max_results",
	"what":   "symbol name symbol_name identifier target",
})

// unknown refuses an argument that the tool does not have.
func (a *Arguments) unknown(name string) error {
	hint := a.tool + " takes " + strings.Join(a.names, ", ")
	known := func(word string) bool { return slices.Contains(a.names, word) }
	if i := slices.IndexFunc(otherWords[name], known); i >= 0 {
		hint = "the argument is called " + otherWords[name][i]
	} else if near := nearest.Of(name, a.names, 1); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return &usage.Error{Msg: fmt.Sprintf("unknown argument %q of %s", name, a.tool), Hint: hint}
}

// otherWords maps names of arguments in other tools to their names here.
var otherWords = words(map[string]string{
	"query":       "q pattern text regex regexp search question",
	"regex":       "pattern regexp",
	"path":        "glob globs file files file_path filename include directory dir folder paths target",
	"lang":        "language languages type file_type",
	"repo":        "repository project workspace session",
	"ref":         "branch tag commit revision rev sha",
	"limit":       "max_results count k top_k n head_limit size",
	"cursor":      "page offset next",
	"start_line":  "offset start line from range lines",
	"end_line":    "end to",
	"ignore_case": "case_insensitive -i i",
	"context":     "-C before after context_lines",
	"max_tokens":  "token_budget budget tokens",
	"format":      "output output_format json",
	"force":       "rebuild reindex",
	"snippet":     "code text query source",
	"place":       "at symbol location file",
})

// words turns name -> words into word -> names.
func words(names map[string]string) map[string][]string {
	out := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for word := range strings.FieldsSeq(names[name]) {
			out[word] = append(out[word], name)
		}
	}
	return out
}

func (a *Arguments) example() string {
	if len(a.Schema.Required) == 0 {
		return "{}"
	}
	return fmt.Sprintf(`{%q: "..."}`, a.Schema.Required[0])
}

// checkValue returns the value of one argument in the type of its schema.
func checkValue(p *jsonschema.Schema, name string, raw json.RawMessage) (json.RawMessage, error) {
	wrong := func(want string) error {
		return &usage.Error{Msg: fmt.Sprintf("%s must be %s, got %s", name, want, kindOf(raw))}
	}
	switch p.Type {
	case "string":
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil, wrong("a string")
		}
		return raw, checkEnum(p, name, s)
	case "boolean":
		text := strings.Trim(string(raw), `"`)
		if text != "true" && text != "false" {
			return nil, wrong("true or false")
		}
		return json.RawMessage(text), nil
	case "integer":
		var f float64
		if json.Unmarshal(unquoted(raw), &f) != nil || f != math.Trunc(f) {
			return nil, wrong("a whole number")
		}
		if p.Minimum != nil && f < *p.Minimum || p.Maximum != nil && f > *p.Maximum || math.Abs(f) > 1<<31 {
			return nil, &usage.Error{Msg: fmt.Sprintf("%s is %s", name, raw), Hint: interval(p)}
		}
		return strconv.AppendInt(nil, int64(f), 10), nil
	}
	return checkList(name, raw)
}

// unquoted returns the number that a string holds, as some clients send it, and
// anything else as it is.
func unquoted(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" || strings.Trim(text, "0123456789") != "" {
		return raw
	}
	return json.RawMessage(strings.TrimLeft(text[:len(text)-1], "0") + text[len(text)-1:])
}

// checkList accepts an array of strings, one string for an array of one, and an
// array written as a string, as some clients send it.
func checkList(name string, raw json.RawMessage) (json.RawMessage, error) {
	var list []string
	if text := ""; json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
		if json.Unmarshal([]byte(text), &list) == nil && len(list) > 0 {
			return json.RawMessage(text), nil
		}
		return slices.Concat([]byte("["), raw, []byte("]")), nil
	}
	list = nil
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil || json.Unmarshal(raw, &list) != nil || slices.ContainsFunc(values, func(v json.RawMessage) bool { return string(v) == "null" }) {
		return nil, &usage.Error{Msg: fmt.Sprintf("%s must be an array of strings, got %s", name, kindOf(raw)), Hint: fmt.Sprintf(`such as %s=["src/**"]`, name)}
	}
	return raw, nil
}

func checkEnum(p *jsonschema.Schema, name, value string) error {
	words := make([]string, len(p.Enum))
	for i, w := range p.Enum {
		words[i] = w.(string)
	}
	if len(words) == 0 || slices.Contains(words, value) {
		return nil
	}
	hint := "it is one of " + strings.Join(words, ", ")
	if near := nearest.Of(value, words, 1); len(near) > 0 {
		hint = "did you mean " + near[0] + "? " + hint
	}
	return &usage.Error{Arg: name, Value: value, Msg: "unknown value", Hint: hint}
}

func interval(p *jsonschema.Schema) string {
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		return fmt.Sprintf("between %.0f and %.0f", *p.Minimum, *p.Maximum)
	case p.Minimum != nil:
		return fmt.Sprintf("at least %.0f", *p.Minimum)
	}
	return "too large"
}

// kindOf describes a JSON value in an error.
func kindOf(raw json.RawMessage) string {
	text := usage.Shorten(string(raw), 60)
	switch {
	case text == "":
		return "nothing"
	case text[0] == '"':
		return "the string " + text
	case text[0] == '[':
		return "the array " + text
	case text[0] == '{':
		return "the object " + text
	}
	return text
}

// Decode returns checked arguments as parameters.
func Decode[P any](args map[string]json.RawMessage) (*P, error) {
	p := new(P)
	text, err := json.Marshal(args)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return nil, fmt.Errorf("decode arguments: %w", err)
	}
	return p, nil
}
