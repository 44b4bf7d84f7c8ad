package config

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// field describes one field of Settings.
type field struct {
	index int
	key   string
	env   string
	kind  reflect.Kind // String, Bool, Int64 or Slice (of strings)
	bytes bool         // an Int64 that may be written with a unit
	path  bool         // a String that names a file or folder

	secret bool // a String that is never shown
	doc    string
}

var fields = describe(reflect.TypeFor[Settings]())

func describe(t reflect.Type) []field {
	list := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("key")
		list = append(list, field{
			index: i,
			key:   key,
			env:   "ESPY_" + strings.ToUpper(key),
			kind:  f.Type.Kind(),
			bytes: f.Tag.Get("type") == "bytes",
			path:  f.Tag.Get("type") == "path",

			secret: f.Tag.Get("type") == "secret",
			doc:    f.Tag.Get("doc"),
		})
	}
	return list
}

// Keys returns the keys of all settings in the order of the reference.
func Keys() []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

func fieldByKey(key string) (field, bool) {
	for _, f := range fields {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

// read turns a value of the file, the environment or a flag into the field's
// type. Text is accepted for every type.
func (f field) read(value any) (any, error) {
	text, isText := value.(string)
	switch f.kind {
	case reflect.String:
		if isText {
			return text, nil
		}
		return nil, errors.New("want text")
	case reflect.Bool:
		return readBool(value)
	case reflect.Int64:
		if n, ok := value.(int64); ok {
			return n, nil
		}
		if isText && f.bytes {
			return parseBytes(text)
		}
		if isText {
			return parseInt(text)
		}
		return nil, errors.New("want a whole number")
	}
	return readList(value)
}

func readBool(value any) (any, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(v) {
		case "true", "1", "yes", "on":
			return true, nil
		case "false", "0", "no", "off":
			return false, nil
		}
	}
	return nil, errors.New("want true or false")
}

func readList(value any) (any, error) {
	switch v := value.(type) {
	case []string:
		return v, nil
	case string:
		return splitList(v), nil
	case []any:
		list := make([]string, 0, len(v))
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return nil, errors.New("want a list of texts")
			}
			list = append(list, text)
		}
		return list, nil
	}
	return nil, errors.New(`want a list such as ["*.go", "docs/**"]`)
}

// splitList cuts text at its commas, leaving those inside {braces} alone.
func splitList(text string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				list = append(list, text[from:i])
				from = i + 1
			}
		}
	}
	list = append(list, text[from:])
	kept := list[:0]
	for _, item := range list {
		if item = strings.TrimSpace(item); item != "" {
			kept = append(kept, item)
		}
	}
	return kept
}

func parseInt(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err != nil {
		return 0, errors.New("want a whole number")
	}
	return n, nil
}

// units of a size, longest suffix first.
var units = []struct {
	suffix string
	factor int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30},
	{"b", 1},
}

// parseBytes reads a size such as 1048576, 10MiB, 10M (the same) or 10MB.
func parseBytes(text string) (int64, error) {
	number, factor := strings.ToLower(strings.TrimSpace(text)), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	n, err := parseInt(number)
	if err != nil || n > math.MaxInt64/factor || n < math.MinInt64/factor {
		return 0, errors.New("want a size such as 1048576, 10MiB or 10MB")
	}
	return n * factor, nil
}

// check refuses values of the right type that make no sense.
func (f field) check(value any) error {
	switch f.key {
	case "color":
		return oneOf(value.(string), ColorAuto, ColorAlways, ColorNever)
	case "log_level":
		return oneOf(value.(string), LogLevels...)
	case "embedding":
		return oneOf(value.(string), EmbeddingBuiltin, EmbeddingOllama, EmbeddingOpenAI)
	case "embedding_url", "rerank_url":
		return checkAddress(value.(string))
	case "embedding_key", "rerank_key":
		if strings.ContainsFunc(value.(string), func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("want visible ASCII characters without blanks")
		}
	case "nested":
		for _, kind := range value.([]string) {
			if err := oneOf(kind, nestedKinds...); err != nil {
				return err
			}
		}
	case "timeout", "mcp_timeout":
		return checkTime(value.(string))
	case "data_dir":
		if value.(string) == "" {
			return errors.New("want a path")
		}
	case "max_file_bytes", "max_files", "max_bytes", "clone_max_bytes":
		if value.(int64) < 1 {
			return errors.New("want at least 1")
		}
	}
	if n, ok := value.(int64); ok && n < 0 {
		return errors.New("want 0 or more")
	}
	return nil
}

// checkAddress refuses what is no address of a server. One with a password would
// be shown wherever the address is.
func checkAddress(value string) error {
	u, err := url.Parse(value)
	switch {
	case value == "":
		return nil
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return errors.New("want an address such as http://localhost:11434 or https://api.openai.com/v1")
	case u.User != nil:
		return errors.New("want an address without user and password; a key goes into embedding_key or rerank_key")
	case u.RawQuery != "", u.Fragment != "":
		return errors.New("want an address without ? and #")
	}
	return nil
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// Bounds of a setting that is a time.
const (
	minTime = 100 * time.Millisecond
	maxTime = time.Hour
)

func checkTime(value string) error {
	if d, err := time.ParseDuration(value); err != nil || d < minTime || d > maxTime {
		return errors.New("want a time from 100ms to 1h, such as 500ms, 30s or 5m")
	}
	return nil
}

// nestedKinds lists the values of nested.
var nestedKinds = []string{"submodule", "repository", "worktree", "none"}

// LogLevels lists the values of log_level, most talkative first.
var LogLevels = []string{"debug", "info", "warn", "error"}

func oneOf(value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return fmt.Errorf("want %s%s", joinOr(allowed), didYouMean(value, allowed))
}

func joinOr(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// quoted is a value in a message; that of a secret is not shown.
func (f field) quoted(value any) string {
	if f.secret {
		return "of it"
	}
	return quote(value)
}

func quote(value any) string {
	if text, ok := value.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(value)
}
