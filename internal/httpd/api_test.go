package httpd

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"espy/internal/permit"
)

// TestAPI holds what the JSON API answers.
func TestAPI(t *testing.T) {
	m := newTeam(t)
	token := m.token(t, permit.Read, "shop", "api")
	for name, tt := range map[string]struct {
		request
		status     int
		kind, want string
	}{
		"POST":                 {request{path: "/api/v1/search", body: `{"query":"begins"}`}, 200, "application/json", `"path":"main.go"`},
		"GET":                  {request{method: "GET", path: "/api/v1/search?query=begins&limit=1&path=main.go&path=*.go"}, 200, "application/json", `"path":"main.go"`},
		"text":                 {request{method: "GET", path: "/api/v1/search?query=begins&format=text"}, 200, "text/plain; charset=utf-8", "shop begins here"},
		"no arguments":         {request{path: "/api/v1/status"}, 200, "application/json", `"name":"shop"`},
		"null":                 {request{path: "/api/v1/status", body: "null"}, 400, "application/problem+json", "no JSON object of arguments"},
		"a list":               {request{path: "/api/v1/status", body: "[]"}, 400, "application/problem+json", "no JSON object of arguments"},
		"key twice":            {request{path: "/api/v1/search", body: `{"query":"a","query":"b"}`}, 400, "application/problem+json", "occurs twice"},
		"too deep":             {request{path: "/api/v1/search", body: `{"query":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`}, 400, "application/problem+json", "nested deeper than 100 levels"},
		"text body":            {request{path: "/api/v1/search", body: `{"query":"a"}`, header: map[string]string{"Content-Type": "text/plain"}}, 415, "application/problem+json", "is not application/json"},
		"missing argument":     {request{path: "/api/v1/search", body: "{}"}, 400, "application/problem+json", "query"},
		"unknown argument":     {request{method: "GET", path: "/api/v1/search?query=a&limmit=3"}, 400, "application/problem+json", "did you mean limit?"},
		"argument of a kind":   {request{method: "GET", path: "/api/v1/search?query=a&limit=many"}, 400, "application/problem+json", "limit must be a whole number"},
		"given twice":          {request{method: "GET", path: "/api/v1/search?query=a&query=b"}, 400, "application/problem+json", "query is given 2 times"},
		"unknown tool":         {request{path: "/api/v1/serach", body: "{}"}, 404, "application/problem+json", "did you mean /api/v1/search?"},
		"hidden repository":    {request{path: "/api/v1/search", body: `{"query":"begins","repo":"secret"}`}, 400, "application/problem+json", `repo \"secret\" is not attached`},
		"all repositories":     {request{path: "/api/v1/search", body: `{"query":"begins","repo":"all"}`}, 200, "application/json", "api begins"},
		"not its role":         {request{path: "/api/v1/index", body: `{"path":"shop"}`}, 403, "application/problem+json", "index needs the role index"},
		"a change by GET":      {request{method: "GET", path: "/api/v1/index?path=shop"}, 405, "application/problem+json", "it takes POST"},
		"another method":       {request{method: "DELETE", path: "/api/v1/search"}, 405, "application/problem+json", "it takes GET, POST"},
		"token in the address": {request{method: "GET", path: "/api/v1/status?access_token=x"}, 400, "application/problem+json", "a token does not belong in the address"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.header == nil {
				tt.header = map[string]string{}
			}
			tt.header["Authorization"] = "Bearer " + token
			status, text, h := tt.send(t, m.URL)
			if status != tt.status || h.Get("Content-Type") != tt.kind || !strings.Contains(text, tt.want) || strings.Contains(text, "secret begins") {
				t.Errorf("%d %s %.400s\nwant %d %s %s", status, h.Get("Content-Type"), text, tt.status, tt.kind, tt.want)
			}
			if tt.kind != "text/plain; charset=utf-8" && !json.Valid([]byte(text)) {
				t.Errorf("no JSON: %s", text)
			}
		})
	}
}

// TestOpenAPI checks that the description is valid, and has every tool with the
// schema of its arguments.
func TestOpenAPI(t *testing.T) {
	m := newTeam(t)
	token := m.token(t, permit.Read)
	status, text, _ := request{method: "GET", path: "/api/v1/openapi.json", header: map[string]string{"Authorization": "Bearer " + token}}.send(t, m.URL)
	if status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tool := range m.tools.Tools() {
		t.Run(tool.About.Name, func(t *testing.T) {
			item := doc.Paths.Find("/api/v1/" + tool.About.Name)
			if item == nil || item.Post == nil {
				t.Fatal("it is not described")
			}
			if reads := tool.About.Annotations.ReadOnlyHint; (item.Get != nil) != reads {
				t.Errorf("GET is described: %v", !reads)
			}
			described := item.Post.RequestBody.Value.Content["application/json"].Schema.Value
			for name := range tool.Args.Schema.Properties {
				if described.Properties[name] == nil || item.Get != nil && item.Get.Parameters.GetByInAndName("query", name) == nil {
					t.Errorf("its argument %s is not described", name)
				}
			}
			if len(described.Properties) != len(tool.Args.Schema.Properties) {
				t.Errorf("%d arguments are described, and it has %d", len(described.Properties), len(tool.Args.Schema.Properties))
			}
		})
	}
}
