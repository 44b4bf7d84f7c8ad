package shebe

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/render"
	"espy/internal/usage"
)

// arguments are the arguments of a call. Those that a tool does not ask for
// are ignored. The first that does not fit is kept in err, in the words of
// Rust's serde, which clients have seen.
type arguments struct {
	given map[string]json.RawMessage
	err   error
}

func newArguments(raw json.RawMessage) (*arguments, error) {
	a := &arguments{}
	if json.Unmarshal(raw, &a.given) != nil || a.given == nil {
		return nil, invalid("invalid type: " + kind(raw) + ", expected a map")
	}
	return a, nil
}

func (a *arguments) fail(format string, values ...any) {
	if a.err == nil {
		a.err = invalid(fmt.Sprintf(format, values...))
	}
}

// has reports whether an argument is given and not null.
func (a *arguments) has(name string) bool {
	raw, ok := a.given[name]
	return ok && string(raw) != "null"
}

// text returns an argument that must be given.
func (a *arguments) text(name string) string {
	raw, ok := a.given[name]
	if !ok {
		a.fail("missing field `%s`", name)
		return ""
	}
	return a.decodeText(raw)
}

func (a *arguments) decodeText(raw json.RawMessage) (s string) {
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		a.fail("invalid type: %s, expected a string", kind(raw))
	}
	return s
}

// textOr returns an argument that may be left out or null.
func (a *arguments) textOr(name, absent string) string {
	if !a.has(name) {
		return absent
	}
	return a.decodeText(a.given[name])
}

// object returns the members of an argument that must be given.
func (a *arguments) object(name string) *arguments {
	raw, ok := a.given[name]
	if !ok {
		a.fail("missing field `%s`", name)
		return &arguments{err: a.err}
	}
	inner, err := newArguments(raw)
	if err != nil {
		a.fail("%v for `%s`", err, name)
		return &arguments{err: a.err}
	}
	return inner
}

// flag returns a boolean that may be left out.
func (a *arguments) flag(name string, absent bool) bool {
	if !a.has(name) {
		return absent
	}
	return a.needFlag(name)
}

// needFlag returns a boolean that must be given.
func (a *arguments) needFlag(name string) bool {
	raw, ok := a.given[name]
	switch {
	case !ok:
		a.fail("missing field `%s`", name)
	case string(raw) != "true" && string(raw) != "false":
		a.fail("invalid type: %s, expected a boolean", kind(raw))
	}
	return string(raw) == "true"
}

// number returns a whole number that may be left out. It is cut to 2^31 either
// way, beyond every limit here.
func (a *arguments) number(name string, absent int) int {
	if !a.has(name) {
		return absent
	}
	raw := string(a.given[name])
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || f != math.Trunc(f) {
		a.fail("invalid type: %s, expected a whole number for `%s`", kind(a.given[name]), name)
		return absent
	}
	return int(max(-1<<31, min(f, 1<<31)))
}

// texts returns a list of strings that may be left out.
func (a *arguments) texts(name string, absent []string) []string {
	if !a.has(name) {
		return absent
	}
	var raws []json.RawMessage
	if json.Unmarshal(a.given[name], &raws) != nil {
		a.fail("invalid type: %s, expected a sequence", kind(a.given[name]))
		return nil
	}
	list := []string{}
	for _, raw := range raws {
		list = append(list, a.decodeText(raw))
	}
	return list
}

// kind names a JSON value as serde does.
func kind(raw json.RawMessage) string {
	text := strings.TrimSpace(string(raw))
	switch {
	case text == "":
		return "unit value"
	case text == "null":
		return "null"
	case text == "true", text == "false":
		return "boolean `" + text + "`"
	case text[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil || len(s) > 100 {
			return "string"
		}
		return "string " + strconv.Quote(s)
	case text[0] == '[':
		return "sequence"
	case text[0] == '{':
		return "map"
	case strings.ContainsAny(text, ".eE"):
		return "floating point `" + usage.Shorten(text, maxEchoed) + "`"
	}
	return "integer `" + usage.Shorten(text, maxEchoed) + "`"
}

// maxEchoed is how many bytes of a value its error repeats.
const maxEchoed = 200

// shorten cuts the values of arguments that an error repeats.
func (a *arguments) shorten(err error) error {
	e, ok := err.(*jsonrpc.Error)
	if !ok || len(e.Message) <= maxEchoed {
		return err
	}
	cut := *e
	for _, raw := range a.given {
		for _, value := range texts(raw) {
			if value = render.Visible(value); len(value) > maxEchoed {
				cut.Message = strings.ReplaceAll(cut.Message, value, usage.Shorten(value, maxEchoed))
			}
		}
	}
	return &cut
}

// texts are the text or the texts that an argument holds.
func texts(raw json.RawMessage) (all []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	json.Unmarshal(raw, &all) //nolint:errcheck // what holds no texts repeats none
	return all
}
