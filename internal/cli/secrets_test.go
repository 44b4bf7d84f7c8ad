package cli

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planted are secrets that stand in files and messages of a repository, in parts so
// that this file holds none.
var planted = map[string]string{
	"github-pat":       "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq",
	"aws-access-token": "AKIA" + "QYLPMN5HFIQR7BLA",
	"gitlab-pat":       "glpat-" + "zS7yF1kR3mQe5Xc8Vb2N",
	"private-key":      "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu",
	"npm-access-token": "npm_" + "4fH2kLx9Qz7Wc1Vb5Nm8Rt3Yu6Pa0SdGjKeT",
}

// plantedFiles are the files of that repository.
func plantedFiles() map[string]string {
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n" + planted["private-key"] + "\n-----END RSA " + "PRIVATE KEY-----\n"
	return map[string]string{
		"main.go":       fmt.Sprintf("package main\n\n// Deploy sends the site with %s to the host.\nfunc Deploy() { use(deployToken) }\n\nconst deployToken = %q\n\nfunc use(s string) {}\n", planted["aws-access-token"], planted["github-pat"]),
		"deploy.yaml":   "deploy:\n  account: \"" + planted["aws-access-token"] + "\"\n",
		"docs/setup.md": "# Deploy\n\nWrite the deploy key into a file:\n\n" + pem + "\nThen deploy.\n",
		"notes.ipynb":   `{"cells": [{"cell_type": "code", "source": ["deploy = \"` + planted["npm-access-token"] + `\"\n"]}], "nbformat": 4}` + "\n",
	}
}

func plant(t *testing.T) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "site")
	for path, text := range plantedFiles() {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "deploy with " + planted["gitlab-pat"], "-m", "also " + planted["npm-access-token"]}} {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return root
}

// TestSecretsAreNotShown asks every question that there is about a repository with
// secrets in it.
func TestSecretsAreNotShown(t *testing.T) {
	t.Chdir(plant(t))
	sh := newShell(t)
	questions := map[string][][]string{
		"search": {
			{"deploy"}, {"--mode", "semantic", "deploy the site with a token", "--detail", "full"}, {"deploy", "--detail", "full"}, {"deploy", "--mode", "literal", "-C", "5"}, {"deploy", "-F", "--vimgrep"}, {"deploy", "-F", "--jsonl"}, {"deploy", "--vimgrep"}, {"--mode", "regex", "(?i)deploy|akia"},
			{"--mode", "literal", planted["private-key"][:20]}, {"--mode", "literal", planted["github-pat"]}, {"--mode", "regex", `glpat|npm_\w+`},
			{planted["github-pat"]}, {"--mode", "literal", planted["private-key"][40:], "--detail", "full"},
		},
		"grep":       {{"."}, {"-o", `.*deploy.*`}, {"-o", planted["github-pat"]}, {"-r", "$0 $0", `[\w"]{20,}`}, {"-U", `(?s)deploy.*`}, {"--vimgrep", "-C3", "[a-z]"}, {"--passthru", "x"}, {"-v", "--color=always", "zzz"}},
		"symbol":     {{"deployToken", "--body"}, {"Deploy", "--body"}, {"deployToken"}},
		"symbols":    {{}, {"deploy*"}, {"dploy", "--fuzzy"}, {"--jsonl"}, {"--vimgrep"}, {"--kind", "heading"}},
		"references": {{"deployToken"}, {"deployToken", "--union", "--kind", "mentions"}, {"Deploy"}},
		"context":    {{"deployToken"}, {"how", "is", "the", "site", "deployed"}, {"docs/setup.md:1-9"}, {"docs/setup.md:7"}, {"deploy.yaml:2", "--max-tokens", "4000"}, {"--changes", "HEAD"}, {"notes.ipynb:1"}},
		"outline":    {{"main.go"}, {"main.go", "--metrics"}},
		"read":       {{"main.go"}, {"deploy.yaml"}, {"docs/setup.md"}, {"docs/setup.md:7-7"}, {"notes.ipynb"}},
		"files":      {{}, {"--excluded"}},
		"changes":    {{}, {"--since", "2000-01-31"}},
		"history":    {{}, {"main.go"}},
		"blame":      {{"main.go"}},
		"status":     {{}},
		"impact":     {{"deployToken"}, {"main.go"}, {"deploy.yaml"}, {}},
		"calls":      {{"use"}, {"Deploy", "--callees"}, {"use", "--format", "dot"}},
		"hierarchy":  {{"use"}, {"Deploy"}, {"Token"}},
		"links":      {{}, {"deploy", "--tests"}},
		"overview":   {{}, {"--format", "dot"}}, "dependencies": {{}, {"main.go"}}, "deps": {{}, {"--all"}}, "audit": {{"--complexity", "1", "--lines", "1"}, {"--report", "unused"}},
		"export":  {{"--path", "!*.ipynb"}, {"--path", "!*.ipynb", "--locals"}, {"--path", "!*.ipynb", "--format", "scip", "--output", "-"}},
		"similar": {{"main.go:4-7", "--detail", "full"}, {"main.go#Deploy"}, {"deploy.yaml:1-2", "--detail", "full"}, {"docs/setup.md:3-8", "--detail", "full"}},
	}
	for _, c := range commands() {
		if c.Flag("show-secrets") != nil && c.Name() != "mcp" && c.Name() != "serve" && questions[c.Name()] == nil {
			t.Errorf("no question for %s", c.Name())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(questions)) {
		for _, args := range questions[name] {
			for _, form := range []string{"", "--json"} {
				if form != "" && (name == "export" || slices.Contains(args, "--jsonl") || slices.Contains(args, "--vimgrep")) { // in a form already
					continue
				}
				line := slices.DeleteFunc(append([]string{name, form}, args...), func(s string) bool { return s == "" })
				t.Run(strings.Join(line, " "), func(t *testing.T) {
					text, code := sh.run(line...)
					asked := strings.Join(args, " ")
					for kind, secret := range planted {
						if n := strings.Count(text, secret); n > strings.Count(asked, secret) && code == exitFound || code > exitNothing {
							t.Errorf("exit code %d, shows the %s %d times:\n%s", code, kind, n, text)
						}
					}
				})
			}
		}
	}
}

func TestShownSecrets(t *testing.T) {
	t.Chdir(plant(t))
	sh := newShell(t)
	for _, tt := range []struct {
		args       []string
		kind, line string // of the hidden text
	}{
		{[]string{"search", "--mode", "literal", "const deployToken"}, "github-pat", `6: const deployToken = "[secret: github-pat]"`},
		{[]string{"search", "--mode", "literal", planted["private-key"][4:30]}, "private-key", "7: [secret: private-key]"},
		{[]string{"search", "--mode", "regex", "account", "--path", "*.yaml"}, "aws-access-token", `2:   account: "[secret: aws-access-token]"`},
		{[]string{"search", "deployToken", "--path", "*.go"}, "github-pat", `6: const deployToken = "[secret: github-pat]"`},
		{[]string{"symbol", "deployToken"}, "github-pat", `"[secret: github-pat]"`},
		{[]string{"read", "docs/setup.md:7-7"}, "private-key", "7: [secret: private-key]"},
		{[]string{"read", "notes.ipynb"}, "npm-access-token", `["deploy = \"[secret: npm-access-token]\"\n"]`},
		{[]string{"history"}, "gitlab-pat", "deploy with [secret: gitlab-pat]"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			hidden, _ := sh.run(tt.args...)
			shown, _ := sh.run(append(tt.args, "--show-secrets")...)
			if !strings.Contains(hidden, tt.line) || !strings.Contains(shown, planted[tt.kind]) || strings.Contains(shown, "[secret: ") {
				t.Errorf("answers\n%s\nwith secrets\n%s\nwant %q", hidden, shown, tt.line)
			}
		})
	}
	t.Run("setting", func(t *testing.T) {
		sh.env = append(sh.env, "ESPY_SHOW_SECRETS=true")
		if text, _ := sh.run("read", "deploy.yaml"); !strings.Contains(text, planted["aws-access-token"]) {
			t.Errorf("answers\n%s", text)
		}
	})
}

// TestMatchesOfSecrets holds that what is hidden is still found and counted.
func TestMatchesOfSecrets(t *testing.T) {
	t.Chdir(plant(t))
	sh := newShell(t)
	for _, tt := range []struct{ query, want string }{
		{planted["aws-access-token"], "2 of 2 lines in 2 files"},
		{planted["npm-access-token"], "1 of 1 line in 1 file"},
	} {
		t.Run(tt.query[:4], func(t *testing.T) {
			text, _ := sh.run("search", "--mode", "literal", tt.query)
			asJSON, _ := sh.run("search", "--mode", "literal", tt.query, "--json")
			if !strings.Contains(text, tt.want) || !strings.Contains(asJSON, `"column":`) {
				t.Errorf("answers\n%s\n%s", text, asJSON)
			}
		})
	}
}
