package workspace

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/index"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/store"
)

// The benchmarks measure an index of Go's own source tree, and of the folders
// that ESPY_BENCH lists (separated by colons). Each figure stands beside the
// figure it is a ratio of, taken in the same run. CPU seconds are of the whole
// process and its children, user and system.

// floor walks, reads and hashes everything, and no more.
func floor(tb testing.TB, dir string) {
	root, err := roots.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer root.Close()
	list, err := discover.Walk(context.Background(), root, discover.Policy{}, discover.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	reader, err := discover.NewReader(root, discover.Policy{})
	if err != nil {
		tb.Fatal(err)
	}
	defer reader.Close()
	for _, e := range list.Entries {
		if _, _, err := reader.Read(e.Path); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			floor(b, dir) // warms the page cache
			for b.Loop() {
				c0 := filetest.CPU()
				floor(b, dir)
				c1 := filetest.CPU()
				w, err := Open(Options{DataDir: b.TempDir()})
				if err != nil {
					b.Fatal(err)
				}
				r, err := w.Attach(context.Background(), dir, AttachOptions{Exact: true})
				if err != nil {
					b.Fatal(err)
				}
				j, _ := r.startSync(IndexOptions{}) // what is searchable; symbols follow
				if err := j.Wait(context.Background(), nil); err != nil {
					b.Fatal(err)
				}
				c2 := filetest.CPU()
				j, _ = r.parse.Start(r.parseWork())
				if err := j.Wait(context.Background(), nil); err != nil {
					b.Fatal(err)
				}
				c3 := filetest.CPU()
				st, err := r.Status(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				w.Close()
				mb := float64(st.SourceBytes) / 1e6
				b.ReportMetric(mb, "MB")
				b.ReportMetric(mb/(c2-c1).Seconds(), "MB/cpu-s")
				b.ReportMetric((c2-c1).Seconds()/(c1-c0).Seconds(), "x-floor")
				b.ReportMetric(parsedMB(b, dir)/(c3-c2).Seconds(), "syntax-MB/cpu-s")
				b.ReportMetric(float64(st.IndexBytes-st.Syntax.Bytes)/float64(st.TextBytes), "index/text")
				b.ReportMetric(float64(st.Syntax.Bytes)/float64(st.TextBytes), "syntax/text")
				b.ReportMetric(float64(st.Files), "files")
				b.ReportMetric(float64(st.Chunks), "chunks")
			}
		})
	}
}

// parsedMB is how much of a tree this process can parse: Go. The parsers of
// other languages run in a program of their own.
func parsedMB(tb testing.TB, dir string) (mb float64) {
	root, err := roots.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	defer root.Close()
	list, err := discover.Walk(context.Background(), root, discover.Policy{}, discover.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range list.Entries {
		if strings.HasSuffix(e.Path, ".go") {
			mb += float64(e.Size) / 1e6
		}
	}
	return mb
}

// BenchmarkSymbols asks for definitions and references of the names that a tree
// declares, evenly drawn, as the tools do.
func BenchmarkSymbols(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			r := indexedRepo(b, dir)
			s, err := r.Snapshot(context.Background(), Wait{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			x, err := nav.Open(s)
			if err != nil {
				b.Fatal(err)
			}
			ids := declared(b, x)
			for b.Loop() {
				var symbol, references, open []time.Duration
				for _, id := range ids {
					began := time.Now()
					if _, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: id}}); err != nil {
						b.Fatal(err)
					}
					symbol = append(symbol, time.Since(began))
					began = time.Now()
					if _, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: id}}); err != nil {
						b.Fatal(err)
					}
					references = append(references, time.Since(began))
				}
				for range 20 {
					began := time.Now()
					if _, err := nav.Open(s); err != nil {
						b.Fatal(err)
					}
					open = append(open, time.Since(began))
				}
				for name, took := range map[string][]time.Duration{"symbol": symbol, "references": references} {
					b.ReportMetric(filetest.Quantile(took, .5), name+"-p50-ms")
					b.ReportMetric(filetest.Quantile(took, .95), name+"-p95-ms")
					b.ReportMetric(filetest.Quantile(took, 1), name+"-max-ms")
				}
				b.ReportMetric(filetest.Quantile(open, .5), "open-p50-ms")
			}
		})
	}
}

// declared draws 300 of the symbols of a tree that others can see.
func declared(tb testing.TB, x *nav.Index) []string {
	o, err := x.Outline(nav.OutlineRequest{Limit: locate.MaxLimit})
	if err != nil {
		tb.Fatal(err)
	}
	var all, ids []string
	for i := range o.Files {
		for _, s := range o.Files[i].Symbols {
			if s.Exported {
				all = append(all, s.ID)
			}
		}
	}
	for i := range 300 {
		ids = append(ids, all[i*len(all)/300])
	}
	return ids
}

// indexed returns an indexed repository over a tree.
func indexedRepo(b *testing.B, dir string) *Repo {
	b.Helper()
	w, err := Open(Options{DataDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	r, err := w.Attach(context.Background(), dir, AttachOptions{Exact: true})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		b.Fatal(err)
	}
	return r
}

// BenchmarkRanked asks the questions of the file that ESPY_QUESTIONS names, or
// some of its own, of one snapshot.
func BenchmarkRanked(b *testing.B) {
	queries := questions(b)
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			s, err := indexedRepo(b, dir).Snapshot(context.Background(), Wait{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			snaps := []*store.Snapshot{s}
			for b.Loop() {
				var took []time.Duration
				for _, q := range queries {
					began := time.Now()
					if _, err := search.Search(context.Background(), snaps, hit.Request{Query: q, Mode: hit.ModeKeyword, Detail: hit.DetailLocate}, search.Means{}); err != nil {
						b.Fatalf("%s: %v", q, err)
					}
					took = append(took, time.Since(began))
				}
				b.ReportMetric(filetest.Quantile(took, .5), "p50-ms")
				b.ReportMetric(filetest.Quantile(took, .95), "p95-ms")
				b.ReportMetric(filetest.Quantile(took, 1), "max-ms")
			}
		})
	}
}

func questions(tb testing.TB) []string {
	name := os.Getenv("ESPY_QUESTIONS")
	if name == "" {
		return []string{
			"where are request headers parsed", "http server graceful shutdown", "ParseFloat", "sync.Pool",
			"json decoder token stream", "tls handshake client hello", "garbage collector mark phase", "regexp compile",
			"escape analysis", "file system walk", "context deadline exceeded", "gzip reader", "append slice growth",
		}
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var queries []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct {
			Query string `json:"query"`
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			tb.Fatal(err)
		}
		queries = append(queries, q.Query)
	}
	return queries
}

// literals are 30 patterns, from rare to very common in Go code.
var literals = []string{
	"errNotImplemented", "func (s *Server) Serve", "ErrUnexpectedEOF", "sync.Mutex", "http.StatusOK",
	"no such pattern anywhere", "deprecated:", "context.Context", "json.Unmarshal(", "fmt.Errorf(\"%w",
	"unsafe.Pointer", "// TODO", "runtime.GOOS", "x509.Certificate", "time.Duration",
	"os.Getenv(", "strings.Builder", "t.Fatalf(", "bufio.NewReader", "reflect.Value",
	"binary.BigEndian", "switch {", "go func() {", "defer ", "return nil, err",
	"if err != nil {", "err", "for i := range", "package main", "interface{}",
}

// BenchmarkLiteral counts every matching line of each pattern, and has
// ripgrep do so in the same run.
func BenchmarkLiteral(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Fatal("ripgrep is missing: apt-get install ripgrep")
	}
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			s, err := indexedRepo(b, dir).Snapshot(context.Background(), Wait{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for b.Loop() {
				var ours, theirs, ratios []time.Duration
				for _, p := range literals {
					began := time.Now()
					if _, err := search.Search(context.Background(), []*store.Snapshot{s}, hit.Request{Query: p, Mode: hit.ModeLiteral}, search.Means{}); err != nil {
						b.Fatal(err)
					}
					mine := time.Since(began)
					began = time.Now()
					exec.Command(rg, "-F", "-c", "--hidden", "-e", p, dir).Run() // exits 1 where nothing matches
					other := time.Since(began)
					ours, theirs = append(ours, mine), append(theirs, other)
					ratios = append(ratios, time.Duration(float64(time.Second)*mine.Seconds()/other.Seconds()))
				}
				b.ReportMetric(filetest.Quantile(ours, .5), "p50-ms")
				b.ReportMetric(filetest.Quantile(theirs, .5), "rg-p50-ms")
				b.ReportMetric(filetest.Quantile(ours, .5)/filetest.Quantile(theirs, .5), "p50/rg")
				b.ReportMetric(filetest.Quantile(ratios, 1)/1000, "worst/rg")
			}
		})
	}
}

// BenchmarkNoChange looks for changes where there are none, beside a plain walk.
func BenchmarkNoChange(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			r := indexedRepo(b, dir)
			s, err := r.newest()
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			root, err := r.Open()
			if err != nil {
				b.Fatal(err)
			}
			defer root.Close()
			var ours, plain []time.Duration
			for b.Loop() {
				began := time.Now()
				p, err := index.Compare(context.Background(), root, s, r.Options())
				if err != nil || !p.Clean() {
					b.Fatalf("Compare: %v, clean %v", err, p != nil && p.Clean())
				}
				ours = append(ours, time.Since(began))
				began = time.Now()
				filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
					if err == nil {
						_, err = d.Info()
					}
					return err
				})
				plain = append(plain, time.Since(began))
			}
			b.ReportMetric(filetest.Quantile(ours, .5), "p50-ms")
			b.ReportMetric(filetest.Quantile(plain, .5), "walk-p50-ms")
			b.ReportMetric(filetest.Quantile(ours, .5)/filetest.Quantile(plain, .5), "x-walk")
		})
	}
}

// BenchmarkEditThenQuery edits one file and asks for what was written, in a
// folder and in a repository of git.
func BenchmarkEditThenQuery(b *testing.B) {
	for _, kind := range []string{"folder", "git"} {
		b.Run(kind, func(b *testing.B) {
			dir := b.TempDir()
			for i := range 6000 {
				path := filepath.Join(dir, fmt.Sprintf("d%d", i%100), fmt.Sprintf("f%d.go", i))
				os.MkdirAll(filepath.Dir(path), 0o755)
				text := fmt.Sprintf("package p\n\n// F%d is number %d.\nfunc F%d() int {\n\treturn %d\n}\n", i, i, i, i)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			if kind == "git" {
				filetest.Commit(b, dir, "first")
			}
			editThenQuery(b, dir)
		})
	}
}

func editThenQuery(b *testing.B, dir string) {
	r := indexedRepo(b, dir)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		word := "marker" + strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.Itoa(i)) // one word
		if err := os.WriteFile(filepath.Join(dir, "d7/f7.go"), []byte("package p\n\n// "+word+"\n"), 0o644); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		res, err := spaceOf(r).Search(context.Background(), []*Repo{r}, mustCompile(b, hit.Request{Query: word}), Wait{})
		took = append(took, time.Since(began))
		if err != nil || len(res.Hits) != 1 {
			b.Fatalf("search %s: %v, %v", word, res, err)
		}
	}
	b.ReportMetric(filetest.Quantile(took, .5), "p50-ms")
	b.ReportMetric(filetest.Quantile(took, 1), "max-ms")
}

// BenchmarkWhileIndexing asks questions of one repository, idle and while the
// same process builds the index of another from nothing.
func BenchmarkWhileIndexing(b *testing.B) {
	dir := filetest.Corpora(b)[0]
	r := indexedRepo(b, dir)
	s, err := r.Snapshot(context.Background(), Wait{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	w, err := Open(Options{DataDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	other, err := w.Attach(context.Background(), filepath.Join(dir, "cmd"), AttachOptions{Exact: true})
	if err != nil {
		b.Fatal(err)
	}
	queries := questions(b)
	ask := func(until func() bool) (took []time.Duration) {
		for i := 0; !until(); i++ {
			began := time.Now()
			err := r.view.Env.Answer(func() error {
				_, err := search.Search(context.Background(), []*store.Snapshot{s}, hit.Request{Query: queries[i%len(queries)]}, search.Means{})
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		return took
	}
	for b.Loop() {
		n := 0
		idle := ask(func() bool { n++; return n > 500 })
		done := make(chan error, 1)
		go func() {
			_, err := other.Index(context.Background(), IndexOptions{Force: true})
			done <- err
		}()
		busy := ask(func() bool { return len(done) > 0 })
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(filetest.Quantile(idle, .95), "idle-p95-ms")
		b.ReportMetric(filetest.Quantile(busy, .95), "busy-p95-ms")
		b.ReportMetric(filetest.Quantile(busy, .95)/filetest.Quantile(idle, .95), "busy/idle")
	}
}

// BenchmarkColdStart opens an index that exists and answers one question.
func BenchmarkColdStart(b *testing.B) {
	dir, data := filetest.Corpora(b)[0], b.TempDir()
	warm, err := Open(Options{DataDir: data})
	if err != nil {
		b.Fatal(err)
	}
	r, err := warm.Attach(context.Background(), dir, AttachOptions{Exact: true})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		b.Fatal(err)
	}
	warm.Close()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		w, err := Open(Options{DataDir: data})
		if err != nil {
			b.Fatal(err)
		}
		r, err := w.Find(context.Background(), dir)
		if err != nil {
			b.Fatal(err)
		}
		s, err := r.newest() // the check for changes is BenchmarkNoChange
		if err != nil {
			b.Fatal(err)
		}
		if _, err := search.Search(context.Background(), []*store.Snapshot{s}, hit.Request{Query: "http server shutdown"}, search.Means{}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		s.Close()
		w.Close()
	}
	b.ReportMetric(filetest.Quantile(took, .5), "p50-ms")
}

// spaceOf returns a workspace to search a repository in.
func spaceOf(r *Repo) *Workspace { return &Workspace{env: r.view.Env} }
