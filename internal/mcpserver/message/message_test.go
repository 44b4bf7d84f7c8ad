package message

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestCheck(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for _, tt := range []struct {
		name, in string
		want     string // "call", "notification", "answer", "nothing" or the error answer
	}{
		{"call", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "call"},
		{"call with a string id", `{"jsonrpc":"2.0","id":"a","method":"ping"}`, "call"},
		{"spaces and CR round it", " \t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", "call"},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "notification"},
		{"answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, "answer"},
		{"empty", "", "nothing"},
		{"spaces", " \t\r", "nothing"},
		{"error that answers nothing", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, "nothing"},
		{"no JSON", `hello`, `{"error":{"code":-32700,"message":"not JSON: invalid character 'h' looking for beginning of value"},"id":null,"jsonrpc":"2.0"}`},
		{"half a message", `{"jsonrpc":"2.0","id":1,`, `{"error":{"code":-32700,"message":"not JSON: unexpected end of JSON input"},"id":null,"jsonrpc":"2.0"}`},
		{"two messages", `{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, `{"error":{"code":-32700,"message":"not JSON: invalid character '{' after top-level value"},"id":null,"jsonrpc":"2.0"}`},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", `{"error":{"code":-32700,"message":"not UTF-8"},"id":null,"jsonrpc":"2.0"}`},
		{"NUL", "\x00", `{"error":{"code":-32700,"message":"not JSON: invalid character '\\x00' looking for beginning of value"},"id":null,"jsonrpc":"2.0"}`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"error":{"code":-32600,"message":"batches are not supported: send each message on its own"},"id":null,"jsonrpc":"2.0"}`},
		{"number", `7`, `{"error":{"code":-32600,"message":"a message is a JSON object"},"id":null,"jsonrpc":"2.0"}`},
		{"no version", `{"id":4,"method":"ping"}`, `{"error":{"code":-32600,"message":"invalid message version tag \"\"; expected \"2.0\""},"id":4,"jsonrpc":"2.0"}`},
		{"key twice", `{"jsonrpc":"2.0","id":"x","id":"y","method":"ping"}`, `{"error":{"code":-32600,"message":"key \"id\" occurs twice in one object"},"id":"y","jsonrpc":"2.0"}`},
		{"argument twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"a":[{"b":1}],"a":2}}}`, `{"error":{"code":-32600,"message":"key \"a\" occurs twice in one object"},"id":1,"jsonrpc":"2.0"}`},
		{"NUL in a key", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a\u0000":1}}`, `{"error":{"code":-32600,"message":"key \"a\\x00\" holds a NUL"},"id":1,"jsonrpc":"2.0"}`},
		{"same key in two objects", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"a":"a"},"b":["a","a",{"a":1}]}}`, "call"},
		{"NUL in a value", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\u0000"}}`, "call"},
		{"deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep + `}`, `{"error":{"code":-32600,"message":"nested deeper than 100 levels"},"id":1,"jsonrpc":"2.0"}`},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, fmt.Sprintf(badID, "null")},
		{"id of a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, fmt.Sprintf(badID, "1.5")},
		{"id beyond exactness", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, fmt.Sprintf(badID, "9007199254740993")},
		{"id of nanoseconds", `{"jsonrpc":"2.0","id":1764396000123456789,"method":"ping"}`, fmt.Sprintf(badID, "1764396000123456789")},
		{"id of microseconds", `{"jsonrpc":"2.0","id":1764396000123456,"method":"ping"}`, "call"},
		{"answer to a bad id", `{"jsonrpc":"2.0","id":1.5,"result":{}}`, "nothing"},
		{"id beyond float64", `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, "error"},
		{"id of an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "error"},
		{"method of a number", `{"jsonrpc":"2.0","id":1,"method":7}`, "error"},
		{"neither method nor answer", `{"jsonrpc":"2.0"}`, "error"},
		{"error of a string", `{"jsonrpc":"2.0","id":1,"error":"x"}`, "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msg, bad := Check([]byte(tt.in))
			got := "nothing"
			switch m := msg.(type) {
			case *jsonrpc.Request:
				got = "notification"
				if m.IsCall() {
					got = "call"
				}
			case *jsonrpc.Response:
				got = "answer"
			}
			if bad != nil {
				got = strings.TrimSuffix(string(bad.Answer()), "\n")
			}
			if tt.want == "error" && bad != nil && bad.Code == jsonrpc.CodeInvalidRequest {
				return
			}
			if got != tt.want {
				t.Fatalf("Check(%.200q)\n got %s\nwant %s", tt.in, got, tt.want)
			}
		})
	}
}

const badID = `{"error":{"code":-32600,"message":"the id of a request is a string or a whole number of less than 2^53"},"id":%s,"jsonrpc":"2.0"}`

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"", "[]", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"a":1,"a":2}`, "{\"\\u0000\":1}", `{"jsonrpc":"2.0","id":1e999}`, strings.Repeat("[", 200)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		msg, bad := Check(text)
		if msg != nil && bad != nil {
			t.Fatalf("Check(%q) gives both a message and an error", text)
		}
		if bad != nil {
			if _, again := Check(bad.Answer()); again != nil {
				t.Fatalf("the answer to %q is no message itself: %s", text, bad.Answer())
			}
		}
	})
}

func TestIsID(t *testing.T) {
	for in, want := range map[string]bool{`"a"`: true, `""`: true, "1": true, "-7": true, "999999999999999": true, "1000000000000000": true, "9007199254740991": true, "-9007199254740991": true, "9007199254740992": false, "99999999999999999999": false, "1.0": false, "1e3": false, "null": false, "true": false, "{}": false, "": false} {
		t.Run(in, func(t *testing.T) {
			if got := isID([]byte(in)); got != want {
				t.Errorf("isID(%s) = %v, want %v", in, got, want)
			}
		})
	}
}
