package stdio

import (
	"strings"
	"testing"
)

// TestOddClients checks that clients which probe in odd ways are answered, and that
// the session goes on.
func TestOddClients(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	const found = `{"jsonrpc":"2.0","id":"found","method":"server/discover","params":{` + meta + `}}` + "\n"
	initializing := func(version string) string {
		return `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n"
	}
	const list = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n"
	type step struct{ send, want string }
	for name, steps := range map[string][]step{
		"an unknown first message":    {{`{"jsonrpc":"2.0","id":1,"method":"hello/there"}` + "\n", `"code":-32600`}, {initializing("2025-11-25"), `"protocolVersion":"2025-11-25"`}},
		"initialize after discover":   {{found, `"supportedVersions"`}, {initializing("2025-06-18"), `"protocolVersion":"2025-06-18","serverInfo":{"name":"test"`}, {list, `"name":"block"`}},
		"of a revision without it":    {{found, `"supportedVersions"`}, {initializing("2026-07-28"), `"protocolVersion":"2025-11-25"`}},
		"and once more":               {{found, `"supportedVersions"`}, {initializing("2025-11-25"), `"id":"hello","result"`}, {initializing("2025-11-25"), `"id":"hello","result"`}},
		"discover after initialize":   {{initializing("2025-11-25"), `"protocolVersion":"2025-11-25"`}, {found, `"supportedVersions"`}, {list, `"name":"block"`}},
		"a call of the newest, then":  {{found, `"supportedVersions"`}, {initializing("2025-11-25"), `"result"`}, {`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{` + meta + `}}` + "\n", `"name":"block"`}},
		"initialize twice is refused": {{initializing("2025-11-25"), `"result"`}, {initializing("2025-11-25"), `duplicate`}, {list, `"name":"block"`}},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, t.Context(), nil, Options{})
			for _, s := range steps {
				c.send(s.send)
				if got := c.answer(); !strings.Contains(got, s.want) {
					t.Errorf("%s got %s\nwant %s", s.send, got, s.want)
				}
			}
		})
	}
}
