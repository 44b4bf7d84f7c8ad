package shebe

import (
	"fmt"
	"strings"
	"testing"
)

// TestSecretsAreNotShown holds the one change to what stands in files: Shebe shows
// keys, the profile does not.
func TestSecretsAreNotShown(t *testing.T) {
	token := "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq"
	body := strings.Repeat("MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n", 24)
	c := newClient(t, map[string]string{
		"deploy.go": "package deploy\n\nfunc Deploy() { use(deployToken) }\n\nconst deployToken = \"" + token + "\"\n" + strings.Repeat("// use deployToken\n", 100),
		"setup.md":  "deploy key:\n\n-----BEGIN RSA " + "PRIVATE KEY-----\n" + body + "-----END RSA " + "PRIVATE KEY-----\n\ndeploy\n",
	}, nil)
	c.index("site", object{"chunk_size": 100, "overlap": 20})
	calls := []struct {
		tool string
		args object
	}{
		{"search_code", object{"query": "deployToken", "k": 100}},
		{"search_code", object{"query": token[:20], "literal": true, "k": 100}},
		{"search_code", object{"query": "M2bS1GB4t7NXp98C3SC6dVM", "literal": true, "k": 100}},
		{"read_file", object{"file_path": "deploy.go"}},
		{"read_file", object{"file_path": "setup.md", "offset": 700, "length": 200}},
		{"find_references", object{"symbol": "deployToken", "context_lines": 10}},
	}
	for i := range 12 {
		calls = append(calls, struct {
			tool string
			args object
		}{"preview_chunk", object{"file_path": "setup.md", "chunk_index": i, "context_lines": 3}})
	}
	for _, call := range calls {
		t.Run(fmt.Sprint(call.tool, call.args), func(t *testing.T) {
			call.args["session"] = "site"
			text := c.on(t).Call(call.tool, call.args)
			_, results, _ := strings.Cut(text, "\n")
			if strings.Contains(results, token[:20]) || strings.Contains(results, "M2bS1GB4t7NX") || !strings.Contains(results, "[secret: ") {
				t.Error(text)
			}
		})
	}
}
