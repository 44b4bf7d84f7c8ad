// Package message reads one message of the Model Context Protocol, whichever
// transport brings it, and is stricter than the SDK: no two readers of a message
// can understand it differently.
package message

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// MaxBytes is the size of a message beyond which it is not read.
const MaxBytes = 4 << 20

// maxDepth is how deep arrays and objects of a message may nest.
const maxDepth = 100

// Bad says why a text is not a message, or why a message is refused.
type Bad struct {
	Code int             // of JSON-RPC
	ID   json.RawMessage // of the request, where it can be read
	Text string
	Data json.RawMessage // more about it; nil for none
}

// Answer is the answer to it, a line.
func (b *Bad) Answer() []byte {
	id := b.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	problem := map[string]any{"code": b.Code, "message": b.Text}
	if b.Data != nil {
		problem["data"] = b.Data
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": problem})
	if err != nil {
		panic(fmt.Errorf("message: encode an error answer: %w", err))
	}
	return append(text, '\n')
}

// Refusal is the answer to a refused request. A notification has none.
func Refusal(req *jsonrpc.Request, why *jsonrpc.Error) *Bad {
	if why == nil || !req.IsCall() {
		return nil
	}
	id, err := json.Marshal(req.ID.Raw())
	if err != nil {
		panic(fmt.Errorf("message: encode a request's ID: %w", err))
	}
	return &Bad{Code: int(why.Code), ID: id, Text: why.Message, Data: why.Data}
}

// Check returns the message that a text is, or what is wrong with it. An empty line, and
// an error response that belongs to no request, give neither.
//
// It is stricter than the decoder it calls, so that no two readers of a line can
// understand it differently: duplicate keys, keys with a NUL, and text that is not
// UTF-8 are refused.
func Check(text []byte) (jsonrpc.Message, *Bad) {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) == 0 {
		return nil, nil
	}
	if !utf8.Valid(text) {
		return nil, &Bad{Code: jsonrpc.CodeParseError, Text: "not UTF-8"}
	}
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return nil, &Bad{Code: jsonrpc.CodeParseError, Text: "not JSON: " + err.Error()}
	}
	switch text[0] {
	case '{':
	case '[':
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, Text: "batches are not supported: send each message on its own"}
	default:
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, Text: "a message is a JSON object"}
	}
	e := readEnvelope(text)
	if err := CheckKeys(text); err != nil {
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, ID: e.id, Text: err.Error()}
	}
	if e.answer && (e.id == nil || e.badID) {
		return nil, nil // answering an error with an error could loop forever
	}
	if !e.answer && !e.method {
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, ID: e.id, Text: "a message needs a method, or a result or an error"}
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, ID: e.id, Text: err.Error()}
	}
	if e.badID {
		return nil, &Bad{Code: jsonrpc.CodeInvalidRequest, ID: e.id, Text: "the id of a request is a string or a whole number of less than 2^53"}
	}
	return msg, nil
}

// envelope holds what is known of a message before it is decoded.
type envelope struct {
	id     json.RawMessage // nil if there is none to answer an error to
	badID  bool            // there is an id that no answer but an error can have
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
		if e.badID = !isID(raw); !e.badID || isNumber(raw) {
			e.id = raw
		}
	}
	e.method = m["method"] != nil
	e.answer = !e.method && (m["result"] != nil || m["error"] != nil)
	return e
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
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && -exact < n && n < exact
}

// exact is the first whole number whose neighbour a float64 takes for it.
const exact = 1 << 53

func isNumber(raw json.RawMessage) bool {
	return raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'
}

// CheckKeys refuses valid JSON with a duplicate key in an object, a NUL in a key,
// or nesting that is too deep.
func CheckKeys(text []byte) error {
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
