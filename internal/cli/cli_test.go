package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/config"
	"espy/internal/hit"
	"espy/internal/usage"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "rewrite the generated reference")

func TestReferenceUpToDate(t *testing.T) {
	const path = "../../docs/cli.md"
	if *update {
		if err := os.WriteFile(path, []byte(reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(reference(), string(got)); diff != "" {
		t.Errorf("%s is out of date, run make golden (-want +got):\n%s", path, diff)
	}
}

// commands lists every command that people see.
func commands() []*cobra.Command {
	var list []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				list = append(list, sub)
				walk(sub)
			}
		}
	}
	walk((&program{}).root())
	return list
}

// unasked are commands without an answer that could be JSON: servers, groups of
// commands, and what writes a file in a form of its own.
var unasked = []string{"mcp", "serve", "worker", "token", "completion", "export", "man"}

func TestEveryCommand(t *testing.T) {
	for _, c := range commands() {
		if !c.HasExample() || c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s needs an example and a short text without a full stop", c.CommandPath())
		}
		switch {
		case c.Name() == "shebe", c.Name() == "shaktiman", c.HasParent() && (c.Parent().Name() == "shebe" || c.Parent().Name() == "shaktiman"):
			if c.Flag("format") == nil {
				t.Errorf("%s has no --format", c.CommandPath())
			}
		case !slices.Contains(unasked, c.Name()) && c.Flags().Lookup("json") == nil:
			t.Errorf("%s has no --json", c.CommandPath())
		}
		if c.Args == nil && c.Name() != "files" {
			t.Errorf("%s takes any arguments", c.CommandPath())
		}
	}
}

// TestBoundFlags holds that every bound flag gives a setting there is.
func TestBoundFlags(t *testing.T) {
	known := map[string]bool{}
	for _, key := range config.Keys() {
		known[key] = true
	}
	bound := 0
	for _, c := range append(commands(), (&program{}).root()) {
		check := func(f *pflag.Flag) {
			for _, key := range f.Annotations[settingKey] {
				if bound++; !known[key] {
					t.Errorf("%s --%s gives the unknown setting %s", c.CommandPath(), f.Name, key)
				}
			}
		}
		c.LocalFlags().VisitAll(check)
	}
	if bound < 6 {
		t.Errorf("%d flags give settings, want at least 6", bound)
	}
}

// TestErrorsAreHarmless prints an error that names a hostile file.
func TestErrorsAreHarmless(t *testing.T) {
	var stderr bytes.Buffer
	p := &program{stderr: &stderr}
	if code := p.report(&usage.Error{Msg: "read a\x1b[31m\u202eb", Hint: "one\ntwo\x07"}); code != exitError {
		t.Errorf("report = %d, want %d", code, exitError)
	}
	want := "espy: read a\\x1b[31m\\u{202E}b\nhint: one\ntwo\\x07\n"
	if stderr.String() != want {
		t.Errorf("report printed %q, want %q", stderr.String(), want)
	}
}

func TestMainConfig(t *testing.T) {
	var stdout, stderr bytes.Buffer
	env := []string{"HOME=/home/me", "ESPY_LIMIT=3", "ESPY_LIMIT=4"}
	if code := Main([]string{"config"}, strings.NewReader(""), &stdout, &stderr, env, nil); code != 0 {
		t.Fatalf("Main = %d, standard error %q", code, stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if words := strings.Fields(line); words[0] == "limit" {
			if diff := cmp.Diff([]string{"limit", "4", "environment", "ESPY_LIMIT"}, words); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
			return
		}
	}
	t.Errorf("config printed\n%swithout limit", stdout.String())
}

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		name           string
		partial, found bool
		want           int
	}{
		{"found", false, true, exitFound},
		{"nothing", false, false, exitNothing},
		{"some of it", true, true, exitPartial},
		{"nothing of what was looked at", true, false, exitPartial},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{stderr: io.Discard}
			if got := p.report(outcome(tt.partial, tt.found)); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

// TestTimeIsOver checks that a question that found nothing in its time has an answer
// that says so, as text and as JSON.
func TestTimeIsOver(t *testing.T) {
	var said, out strings.Builder
	p := &program{stderr: &said, rawStdout: &out, cfg: &config.Config{}}
	cmd := (&program{}).question(&cobra.Command{})
	cmd.SetContext(t.Context())
	p.deadline.begin(cmd, 30*time.Second, func() {})
	p.deadline.written()
	if end, ok := cmd.Context().Deadline(); !ok || time.Until(end) > 30*time.Second {
		t.Errorf("the question ends at %v", end)
	}
	if code := p.report(fmt.Errorf("search: %w", context.DeadlineExceeded)); code != exitPartial || !strings.Contains(said.String(), "partial: the time, 30s, was over") || !strings.Contains(said.String(), "--timeout") || out.Len() > 0 {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
	p.json = true
	if code := p.report(context.DeadlineExceeded); code != exitPartial || !strings.HasPrefix(out.String(), `{"partial":true,"notes":["partial: the time`) {
		t.Errorf("exit code %d, printed %q", code, out.String())
	}
}

// TestOneCommand checks that a command made alone is the one of the whole tree.
func TestOneCommand(t *testing.T) {
	for _, c := range commandList() {
		t.Run(c.name, func(t *testing.T) {
			list := (&program{args: []string{c.name, "--help"}}).commandsOf()
			if len(list) != 1 || list[0].Name() != c.name {
				t.Errorf("%d commands, the first %s", len(list), list[0].Name())
			}
		})
	}
}

// TestRefusedFlags holds that what a mode makes nothing of is refused by the name
// of the flag that was given.
func TestRefusedFlags(t *testing.T) {
	p := &program{cfg: &config.Config{}}
	for name, tt := range map[string]struct {
		flags searchFlags
		want  string
	}{
		"context": {searchFlags{mode: "keyword", scope: "all", context: 2}, "--context means nothing in mode keyword"},
		"before":  {searchFlags{mode: "keyword", scope: "all", before: 2}, "--before-context means nothing in mode keyword"},
		"after":   {searchFlags{mode: "keyword", scope: "all", after: 2}, "--after-context means nothing in mode keyword"},
		"working": {searchFlags{mode: "literal", scope: "all", request: hit.Request{Work: hit.Work{Files: []string{"a.go"}}}}, "--working means nothing in mode literal"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := p.request("needle", &tt.flags); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	since := &hit.Request{Query: "needle", Mode: hit.ModeRegex, Work: hit.Work{Recent: map[string]float64{"a.go": 1}}}
	if err := refuseIgnored(since, &searchFlags{}); err == nil || !strings.HasPrefix(err.Error(), "--changed-since means nothing in mode regex") {
		t.Errorf("error %v of --changed-since", err)
	}
}
