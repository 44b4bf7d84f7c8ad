package shebe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// documented is what the reference says of each parameter, in the order of its
// chapters: name, type, ! for required, default, then limits.
const documented = `
search_code: query string ! minLength=1 maxLength=500; session string ! pattern=^[a-zA-Z0-9_-]+$; k integer default=10 minimum=1 maximum=100; literal boolean default=false
list_sessions:
get_session_info: session string ! pattern=^[a-zA-Z0-9_-]+$
index_repository: path string !; session string ! minLength=1 maxLength=64 pattern=^[a-zA-Z0-9][a-zA-Z0-9-_]{0,63}$; include_patterns array default=[**/*]; exclude_patterns array default=[**/target/**,**/node_modules/**,**/.git/**,**/dist/**,**/build/**,**/*.pyc,**/__pycache__/**,**/.venv/**,**/venv/**]; chunk_size integer default=512 minimum=100 maximum=2000; overlap integer default=64 minimum=0; force boolean default=false
get_server_info:
get_config: detailed boolean default=false
list_dir: session string ! pattern=^[a-zA-Z0-9_-]+$; limit integer default=100 minimum=1 maximum=500; sort string default=alpha enum=[alpha,size,indexed]; cursor string
read_file: session string ! pattern=^[a-zA-Z0-9_-]+$; file_path string ! minLength=1; max_size_kb integer default=1024 minimum=1 maximum=10240; offset integer default=0 minimum=0; length integer default=20000 minimum=1 maximum=20000
delete_session: session string ! pattern=^[a-zA-Z0-9_-]+$; confirm boolean !
find_file: session string ! pattern=^[a-zA-Z0-9_-]+$; pattern string ! minLength=1; pattern_type string default=glob enum=[glob,regex]; limit integer default=100 minimum=1 maximum=10000
find_references: symbol string ! minLength=2 maxLength=200; session string ! pattern=^[a-zA-Z0-9_-]+$; symbol_type string default=any enum=[function,type,variable,constant,any]; defined_in string; include_definition boolean default=false; context_lines integer default=2 minimum=0 maximum=10; max_results integer default=50 minimum=1 maximum=200
preview_chunk: session string ! pattern=^[a-zA-Z0-9_-]+$; file_path string ! minLength=1; chunk_index integer ! minimum=0; context_lines integer default=10 minimum=0 maximum=100
reindex_session: session string ! pattern=^[a-zA-Z0-9_-]{1,64}$; chunk_size integer minimum=100 maximum=2000; overlap integer minimum=0 maximum=500; force boolean default=false
upgrade_session: session string ! pattern=^[a-zA-Z0-9_-]{1,64}$
`

// TestSchemas compares the published schemas with the reference.
func TestSchemas(t *testing.T) {
	sheet.Proves(t, "rpc.list rpc.schema")
	c := newClient(t, nil, nil)
	list, err := c.Session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(documented), "\n")
	if len(list.Tools) != len(lines) {
		t.Fatalf("%d tools, want %d", len(list.Tools), len(lines))
	}
	for i, line := range lines {
		name, rest, _ := strings.Cut(line, ":")
		tool := list.Tools[i]
		if tool.Name != name || tool.Annotations != nil || tool.Description == "" {
			t.Errorf("tool %d is %s with %v, want %s", i, tool.Name, tool.Annotations, name)
			continue
		}
		schema := tool.InputSchema.(map[string]any)
		properties := schema["properties"].(map[string]any)
		required := fmt.Sprint(schema["required"])
		var want []string
		for _, p := range strings.Split(rest, ";") {
			words := strings.Fields(p)
			if len(words) == 0 {
				continue
			}
			want = append(want, words[0])
			if !sheet.Has(name, words[0]) && !sheet.Has("Shared", words[0]) {
				t.Errorf("the sheet says nothing of %s %s", name, words[0])
			}
			property, ok := properties[words[0]].(map[string]any)
			if !ok {
				t.Errorf("%s has no parameter %s", name, words[0])
				continue
			}
			if got, documented := describe(property), strings.Join(words[1:], " "); got != strings.ReplaceAll(documented, "! ", "") && got+" !" != documented {
				t.Errorf("%s %s is %q, want %q", name, words[0], got, documented)
			}
			needed := slices.Contains(strings.Fields(strings.Trim(required, "[]")), words[0])
			if needed != slices.Contains(words, "!") {
				t.Errorf("%s %s: required is %v", name, words[0], needed)
			}
		}
		if len(properties) != len(want) {
			t.Errorf("%s has %d parameters, want %q", name, len(properties), want)
		}
	}
}

// describe writes a property as documented does.
func describe(p map[string]any) string {
	words := []string{fmt.Sprint(p["type"])}
	for _, key := range []string{"default", "minLength", "maxLength", "minimum", "maximum", "pattern", "enum"} {
		if v, ok := p[key]; ok {
			words = append(words, key+"="+strings.ReplaceAll(fmt.Sprint(v), " ", ","))
		}
	}
	return strings.Join(words, " ")
}
