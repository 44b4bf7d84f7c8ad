package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peer is a process that answers the profile of Shebe, and its client.
type peer struct {
	b   testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func startPeer(b testing.TB, env []string) *peer {
	b.Helper()
	p := &peer{b: b, cmd: exec.Command(espy(b), "mcp", "--profile", "shebe")}
	p.cmd.Env = env
	in, err := p.cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p.ask("initialize", map[string]any{"protocolVersion": "2024-11-05", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"}})
	return p
}

func (p *peer) stop() {
	p.b.Helper()
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		p.b.Fatal(err)
	}
}

// ask sends a request and returns the first text of the answer.
func (p *peer) ask(method string, params any) string {
	p.b.Helper()
	p.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	if err != nil {
		p.b.Fatal(err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		p.b.Fatal(err)
	}
	answer, err := p.out.ReadBytes('\n')
	if err != nil {
		p.b.Fatal(err)
	}
	var m struct {
		Error  json.RawMessage
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(answer, &m); err != nil || m.Error != nil {
		p.b.Fatalf("%s %v: %s, %v", method, params, m.Error, err)
	}
	if len(m.Result.Content) == 0 {
		return ""
	}
	return m.Result.Content[0].Text
}

func (p *peer) call(tool string, args map[string]any) string {
	p.b.Helper()
	return p.ask("tools/call", map[string]any{"name": tool, "arguments": args})
}

// memory returns what the process keeps for itself, and the most that it had
// in memory, files that it maps included, in MB.
func (p *peer) memory() (own, most float64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		kb, _ := strconv.ParseFloat(words[1], 64) //nolint:errcheck // of a line that is no number, and is not asked for
		switch words[0] {
		case "RssAnon:":
			own = kb / 1024
		case "VmHWM:":
			most = kb / 1024
		}
	}
	return own, most
}

// shebeRow is one tool with the figures that Shebe's reference gives for it:
// a latency in ms and the tokens of an answer, 0 where it gives none.
type shebeRow struct {
	tool   string
	ms     float64
	tokens int
	calls  []map[string]any
}

func shebeRows(file string) []shebeRow {
	in := func(list ...map[string]any) []map[string]any {
		for _, args := range list {
			args["session"] = "bench"
		}
		return list
	}
	queries := []string{"error", "retry backoff", `"func main"`, "context AND cancel", "read OR write", "parse NOT test", "file_path:test AND timeout"}
	var searches []map[string]any
	for _, q := range queries {
		searches = append(searches, map[string]any{"query": q})
	}
	return []shebeRow{
		{"search_code", 2, 3200, in(searches...)},
		{"list_sessions", 10, 0, []map[string]any{{}}},
		{"get_session_info", 5, 0, in(map[string]any{})},
		{"get_server_info", 1, 0, []map[string]any{{}}},
		{"get_config", 1, 0, []map[string]any{{"detailed": true}}},
		{"list_dir", 200, 25_000, in(map[string]any{}, map[string]any{"limit": 500, "sort": "size"})},
		{"read_file", 50, 5000, in(map[string]any{"file_path": file}, map[string]any{"file_path": file, "offset": 100})},
		{"find_file", 20, 25_000, in(map[string]any{"pattern": "*test*"}, map[string]any{"pattern": `/[a-m][^/]*\.go$`, "pattern_type": "regex", "limit": 1000})},
		{"find_references", 500, 50 * 210, in(map[string]any{"symbol": "Context"}, map[string]any{"symbol": "Reader", "symbol_type": "type"}, map[string]any{"symbol": "nonexistent_xyz_function_12345"})},
		{"preview_chunk", 15, 0, in(map[string]any{"file_path": file, "chunk_index": 1})},
	}
}

// BenchmarkShebe asks each tool of the profile over standard input and output
// of the program, as a client does, about Go's own source and the folders of
// ESPY_BENCH. doc-ms and doc-tokens are the documented figures of the original
// (of Istio, 5,605 files, or the stated bound), beside ours. No answer may be
// over 25,000 tokens of four characters.
func BenchmarkShebe(b *testing.B) {
	for _, dir := range benchTrees(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			state := b.TempDir()
			env := []string{"HOME=" + b.TempDir(), "SHEBE_STATE_DIR=" + state}
			b.Run("index_repository", func(b *testing.B) { benchIndexing(b, env, dir) })
			file := largestGo(b, dir)
			p := startPeer(b, env)
			p.call("index_repository", map[string]any{"path": dir, "session": "bench", "force": true})
			p.stop()
			b.Run("cold_start", func(b *testing.B) { benchColdStart(b, env) })
			p = startPeer(b, env)
			defer p.stop()
			for _, r := range shebeRows(file) {
				b.Run(r.tool, func(b *testing.B) { r.measure(b, p) })
			}
			b.Run("memory", func(b *testing.B) {
				for b.Loop() {
					p.call("search_code", map[string]any{"session": "bench", "query": "context AND cancel"})
				}
				own, most := p.memory()
				b.ReportMetric(own, "MB")
				b.ReportMetric(most, "MB-most-mapped")
				b.ReportMetric(50, "doc-MB")
			})
			b.Run("reindex_session", func(b *testing.B) {
				for b.Loop() {
					p.call("reindex_session", map[string]any{"session": "bench", "force": true})
				}
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
				b.ReportMetric(30, "doc-s")
			})
			b.Run("upgrade_session", func(b *testing.B) {
				for b.Loop() {
					oldSession(b, state, dir)
					p.call("upgrade_session", map[string]any{"session": "old"})
					p.call("delete_session", map[string]any{"session": "old", "confirm": true})
				}
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
				b.ReportMetric(3, "doc-s")
			})
			b.Run("delete_session", func(b *testing.B) {
				small := filepath.Dir(file)
				var took []time.Duration
				for b.Loop() {
					p.call("index_repository", map[string]any{"path": small, "session": "gone", "force": true})
					began := time.Now()
					p.call("delete_session", map[string]any{"session": "gone", "confirm": true})
					took = append(took, time.Since(began))
				}
				b.ReportMetric(millis(took, 0.5), "ms-p50")
				b.ReportMetric(100, "doc-ms")
			})
		})
	}
}

// oldSession makes a session as an early release of Shebe left it.
func oldSession(b *testing.B, state, dir string) {
	folder := filepath.Join(state, "sessions", "old")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.Fatal(err)
	}
	meta := fmt.Sprintf(`{"id":"old","repository_path":%q,"created_at":"2025-10-21T20:17:19Z","last_indexed_at":"2025-10-21T20:17:19Z",
		"config":{"chunk_size":512,"overlap":64,"include_patterns":["**/*"],"exclude_patterns":["**/.git/**"]},"schema_version":2}`, dir)
	if err := os.WriteFile(filepath.Join(folder, "meta.json"), []byte(meta), 0o644); err != nil {
		b.Fatal(err)
	}
}

// benchTrees are the folders to ask about.
func benchTrees(b *testing.B) []string {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	dirs := []string{filepath.Join(strings.TrimSpace(string(root)), "src")}
	if more := os.Getenv("ESPY_BENCH"); more != "" {
		dirs = append(dirs, strings.Split(more, ":")...)
	}
	return dirs
}

// largestGo returns a Go file that is read whole, of nearly 20,000 bytes.
func largestGo(b *testing.B, dir string) string {
	best, most := "", int64(0)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > most && info.Size() < 20_000 && !strings.Contains(path, "testdata") {
			best, most = path, info.Size()
		}
		return err
	})
	if err != nil || best == "" {
		b.Fatalf("no Go file in %s: %v", dir, err)
	}
	return best
}

// benchIndexing indexes a tree with an empty data folder each time.
func benchIndexing(b *testing.B, env []string, dir string) {
	var files float64
	program := espy(b)
	for b.Loop() {
		cmd := exec.Command(program, "shebe", "--format", "json", "index-repository", dir, "-s", "bench", "--force")
		cmd.Env = append([]string{"SHEBE_INDEX_DIR=" + b.TempDir()}, env...)
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		var answer struct {
			Files float64 `json:"files_indexed"`
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			b.Fatal(err)
		}
		files = answer.Files
	}
	b.ReportMetric(files*float64(b.N)/b.Elapsed().Seconds(), "files/s")
	b.ReportMetric(2000, "doc-files/s")
}

// benchColdStart starts the program and waits for the answer to a first query.
func benchColdStart(b *testing.B, env []string) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		p := startPeer(b, env)
		p.call("search_code", map[string]any{"session": "bench", "query": "retry backoff"})
		took = append(took, time.Since(began))
		p.stop()
	}
	b.ReportMetric(millis(took, 0.5), "ms-p50")
	b.ReportMetric(100, "doc-ms")
}

func (r shebeRow) measure(b *testing.B, p *peer) {
	var took []time.Duration
	tokens, sum := 0, 0
	for b.Loop() {
		for _, args := range r.calls {
			began := time.Now()
			text := p.call(r.tool, args)
			took = append(took, time.Since(began))
			n := len([]rune(text)) / 4
			tokens, sum = max(tokens, n), sum+n
		}
	}
	if tokens > 25_000 {
		b.Errorf("an answer of %d tokens", tokens)
	}
	b.ReportMetric(millis(took, 0.5), "ms-p50")
	b.ReportMetric(millis(took, 0.95), "ms-p95")
	b.ReportMetric(r.ms, "doc-ms")
	b.ReportMetric(float64(sum)/float64(len(took)), "tokens")
	b.ReportMetric(float64(tokens), "tokens-most")
	if r.tokens > 0 {
		b.ReportMetric(float64(r.tokens), "doc-tokens")
	}
	b.ReportMetric(0, "ns/op")
}

// millis returns a quantile in milliseconds.
func millis(took []time.Duration, q float64) float64 {
	took = slices.Sorted(slices.Values(took))
	return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000
}
