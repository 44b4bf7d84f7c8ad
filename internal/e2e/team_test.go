package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/postgrestest"
)

// teamFiles are those of a repository that is on another machine, so that both stores
// answer without its files.
var teamFiles = map[string]string{
	"go.mod":            "module example.test/shop\n\ngo 1.22\n",
	"cart/cart.go":      "// Package cart holds what is bought.\npackage cart\n\n// Cart is what one customer buys.\ntype Cart struct{ items []Item }\n\n// Item is one thing.\ntype Item struct {\n\tName  string\n\tPrice int\n}\n\n// Add puts an item into the cart.\nfunc (c *Cart) Add(i Item) { c.items = append(c.items, i) }\n\n// Total sums the prices.\nfunc (c *Cart) Total() (sum int) {\n\tfor _, i := range c.items {\n\t\tsum += i.Price\n\t}\n\treturn sum\n}\n",
	"cart/cart_test.go": "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tvar c Cart\n\tc.Add(Item{\"pen\", 3})\n\tif c.Total() != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	"main.go":           "package main\n\nimport \"example.test/shop/cart\"\n\nfunc main() {\n\tvar c cart.Cart\n\tc.Add(cart.Item{Name: \"pen\", Price: 3})\n\tprintln(c.Total())\n}\n",
	"README.md":         "# Shop\n\nA cart knows its total; prices are whole numbers.\n",
}

// teamQuestions need no files, no history and no time.
var teamQuestions = [][]string{
	{"search", "sum of the prices in a cart"}, {"search", "--mode", "literal", "c.items"}, {"search", "--mode", "regex", `func \(c \*Cart\) \w+`},
	{"search", "--mode", "semantic", "adding up what things cost"}, {"symbol", "Total"}, {"references", "Cart"}, {"calls", "Total"},
	{"outline", "cart/cart.go"}, {"outline"}, {"read", "cart/cart.go:3-9"}, {"files"}, {"dependencies", "cart"},
	{"hierarchy", "Cart"}, {"context", "how is the total made"}, {"similar", "cart/cart.go:17-22"}, {"search", "nowhere-to-be-found"}, {"read", "no/such.go"},
}

// machine is a data folder with settings: one computer of a team.
type machine struct {
	t   *testing.T
	env []string
}

func newMachine(t *testing.T, settings ...string) *machine {
	return &machine{t: t, env: append(settings, "ESPY_DATA_DIR="+t.TempDir(), "HOME="+t.TempDir())}
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := command(m.t, m.t.TempDir(), args...)
	cmd.Env = append(cmd.Environ(), m.env...)
	return cmd
}

// ask returns what a command prints, with its exit code.
func (m *machine) ask(args ...string) string {
	var out, errs strings.Builder
	cmd := m.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	code := exitOf(cmd.Run())
	return fmt.Sprintf("%s%sexit %d\n", out.String(), errs.String(), code)
}

func (m *machine) must(args ...string) string {
	m.t.Helper()
	said := m.ask(args...)
	if !strings.HasSuffix(said, "exit 0\n") {
		m.t.Fatalf("espy %s: %s", strings.Join(args, " "), said)
	}
	return said
}

// call has tools called over MCP, one after the other, and returns what they answer.
func (m *machine) call(calls [][2]string) (answers []string) {
	m.t.Helper()
	cmd := m.command("mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"team","version":"1"}}}`)
	readLine(m.t, lines)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for n, c := range calls {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", n+1, c[0], c[1])
		for {
			line := readLine(m.t, lines)
			var a struct {
				ID int `json:"id"`
			}
			if json.Unmarshal([]byte(line), &a) == nil && a.ID == n+1 {
				answers = append(answers, line)
				break
			}
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		m.t.Error(err)
	}
	return answers
}

// chance is what differs by it: identities of repositories, and times.
var chance = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|"took_ms":[0-9.]+`)

// TestTeam holds that a program with an empty data folder answers from the database
// byte for byte as one that has indexed the repository itself.
func TestTeam(t *testing.T) {
	t.Parallel()
	database := "ESPY_DATABASE_URL=" + postgrestest.Database(t).String()
	remotes := t.TempDir()
	work := tree(t, teamFiles)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "begin"}, {"branch", "next"}, {"clone", "-q", "--bare", ".", filepath.Join(remotes, "shop.git")},
	} {
		git := exec.Command("git", args...)
		git.Dir = work
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	server, err := gitServer(remotes, ca)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	trust := []string{"ESPY_CLONE_CA_FILE=" + ca, "ESPY_CLONE_PRIVATE=true"}
	url := server.URL + "/shop.git"
	alone, worker, cold := newMachine(t, trust...), newMachine(t, append(trust, database)...), newMachine(t, database)
	if said := cold.ask("search", "cart", "--repo", "shop"); !strings.Contains(said, "no repository") {
		t.Errorf("before anything is published: %s", said)
	}
	alone.must("index", url)
	worker.must("index", url)
	for _, q := range teamQuestions {
		for _, form := range []string{"--color=never", "--json"} {
			t.Run(strings.Join(append(q, form), " "), func(t *testing.T) {
				args := append(append([]string{}, q...), "--repo", "shop", form)
				want, got := alone.ask(args...), cold.ask(args...)
				if diff := cmp.Diff(chance.ReplaceAllString(want, "*"), chance.ReplaceAllString(got, "*")); diff != "" {
					t.Errorf("-embedded +shared\n%s", diff)
				}
			})
		}
	}
	t.Run("tools", func(t *testing.T) {
		calls := [][2]string{
			{"search", `{"repo":"shop","query":"sum of the prices in a cart"}`}, {"symbol", `{"repo":"shop","name":"Total"}`}, {"references", `{"repo":"shop","name":"Cart"}`},
			{"calls", `{"repo":"shop","name":"Total"}`}, {"outline", `{"repo":"shop","path":"cart/cart.go"}`}, {"read", `{"repo":"shop","path":"cart/cart.go"}`},
			{"files", `{"repo":"shop"}`}, {"context", `{"repo":"shop","query":"how is the total made"}`},
		}
		want, got := alone.call(calls), cold.call(calls)
		for n, c := range calls {
			if diff := cmp.Diff(chance.ReplaceAllString(want[n], "*"), chance.ReplaceAllString(got[n], "*")); diff != "" || strings.Contains(want[n], `"isError":true`) {
				t.Errorf("%s: -embedded +shared\n%s\n%s", c[0], diff, want[n])
			}
		}
	})
	t.Run("not here", func(t *testing.T) {
		for _, tt := range []struct{ args, says string }{
			{"history README.md --repo shop", "holds no history"}, {"blame README.md --repo shop", "git blame"}, {"search cart --repo shop@next", "published are main"}, {"changes --ref main..next --repo shop", "#REF"},
		} {
			if said := cold.ask(strings.Fields(tt.args)...); !strings.Contains(said, tt.says) {
				t.Errorf("espy %s: %s", tt.args, said)
			}
		}
		outside := cold.command("search", "cart")
		outside.Dir = work
		if out, err := outside.CombinedOutput(); err == nil || !strings.Contains(string(out), "espy index") {
			t.Errorf("in a folder that is not published: %v, %s", err, out)
		}
	})
	t.Run("branches", func(t *testing.T) {
		worker.must("index", url+"#next")
		for _, ref := range []string{"next", "main", "HEAD"} {
			if said := cold.must("search", "c.items", "--mode", "literal", "--repo", "shop@"+ref); !strings.Contains(said, "3 of 3 lines") && !strings.Contains(said, "2 of 2 lines") {
				t.Errorf("at %s: %s", ref, said)
			}
		}
		if said := cold.must("read", "main.go", "--repo", "shop@next"); !strings.Contains(said, "func main") {
			t.Errorf("read at next: %s", said)
		}
		if said := cold.ask("changes", "--ref", "main..next", "--repo", "shop"); !strings.Contains(said, "0 files changed") {
			t.Errorf("changes between the same: %s", said)
		}
	})
	if left, err := os.ReadDir(filepath.Join(dataOf(cold), "team", "cache")); err != nil || len(left) != 2 {
		t.Errorf("the cache holds %v, %v", left, err)
	}
}

func dataOf(m *machine) string {
	for _, v := range m.env {
		if dir, ok := strings.CutPrefix(v, "ESPY_DATA_DIR="); ok {
			return dir
		}
	}
	return ""
}
