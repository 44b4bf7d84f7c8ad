package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the length of a line in bytes beyond which it is not read.
const maxLine = 4 << 20

// maxDepth is how deep arrays and objects of a message may nest.
const maxDepth = 100

var errTooLong = errors.New("line too long")

var tooLong = &badLine{code: jsonrpc.CodeInvalidRequest, msg: fmt.Sprintf("line longer than %d bytes", maxLine)}

// check returns the message of a line, or what is wrong with it. An empty line, and
// an error response that belongs to no request, give neither.
//
// It is stricter than the decoder it calls, so that no two readers of a line can
// understand it differently: duplicate keys, keys with a NUL, and text that is not
// UTF-8 are refused.
func check(text []byte) (jsonrpc.Message, *badLine) {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) == 0 {
		return nil, nil
	}
	if !utf8.Valid(text) {
		return nil, &badLine{code: jsonrpc.CodeParseError, msg: "not UTF-8"}
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return nil, &badLine{code: jsonrpc.CodeParseError, msg: "not JSON: " + err.Error()}
	}
	switch text[0] {
	case '{':
	case '[':
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, msg: "batches are not supported: send each message as a line of its own"}
	default:
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, msg: "a message is a JSON object"}
	}
	e := readEnvelope(text)
	if err := checkKeys(text); err != nil {
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, id: e.id, msg: err.Error()}
	}
	if e.answer && e.id == nil {
		return nil, nil // answering an error with an error could loop forever
	}
	if !e.answer && !e.method {
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, id: e.id, msg: "a message needs a method, or a result or an error"}
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, id: e.id, msg: err.Error()}
	}
	if e.badID {
		return nil, &badLine{code: jsonrpc.CodeInvalidRequest, msg: "the id of a request is a string or a whole number of at most 15 digits"}
	}
	return msg, nil
}

// envelope holds what is known of a message before it is decoded.
type envelope struct {
	id     json.RawMessage // nil if there is none to answer to
	badID  bool            // there is an id that cannot be answered to
	answer bool            // it is an answer, not a request
	method bool            // it names a method
}

func readEnvelope(text []byte) envelope {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return envelope{}
	}
	var e envelope
	if raw, ok := m["id"]; ok {
		if e.badID = !isID(raw); !e.badID {
			e.id = raw
		}
	}
	e.method = m["method"] != nil
	e.answer = !e.method && (m["result"] != nil || m["error"] != nil)
	return e
}

// The id at both ends of a message: before what may be long, or behind it.
var (
	firstID = regexp.MustCompile(`\A\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]`)
	lastID  = regexp.MustCompile(`[}\]"]\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*\z`)
)

// idOf returns the id of a message of which both ends are known, nil where it is
// at neither.
func idOf(ends []byte) json.RawMessage {
	for _, form := range []*regexp.Regexp{firstID, lastID} {
		if m := form.FindSubmatch(ends); m != nil && isID(m[1]) && json.Valid(m[1]) {
			return m[1]
		}
	}
	return nil
}

// isID reports whether a JSON value is an id that survives a round trip: a string,
// or a whole number that a float64 holds exactly.
func isID(raw json.RawMessage) bool {
	if len(raw) == 0 {
		return false
	}
	if raw[0] == '"' {
		return true
	}
	digits := strings.TrimPrefix(string(raw), "-")
	return len(digits) <= 15 && strings.Trim(digits, "0123456789") == ""
}

// checkKeys refuses valid JSON with a duplicate key in an object, a NUL in a key,
// or nesting that is too deep.
func checkKeys(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var stack []map[string]bool // keys of the enclosing objects; nil for an array
	key := false                // whether the next string is a key
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch v := t.(type) {
		case json.Delim:
			switch v {
			case '{':
				stack = append(stack, map[string]bool{})
			case '[':
				stack = append(stack, nil)
			default:
				stack = stack[:len(stack)-1]
			}
			if len(stack) > maxDepth {
				return fmt.Errorf("nested deeper than %d levels", maxDepth)
			}
		case string:
			if key {
				keys := stack[len(stack)-1]
				if keys[v] {
					return fmt.Errorf("key %q occurs twice in one object", v)
				}
				if strings.ContainsRune(v, 0) {
					return fmt.Errorf("key %q holds a NUL", v)
				}
				keys[v] = true
				key = false
				continue
			}
		}
		key = len(stack) > 0 && stack[len(stack)-1] != nil
	}
}
