package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"espy/internal/discover"
	"espy/internal/outline"
	"espy/internal/search"
)

// words asks for words in a row.
func words(w ...string) search.WindowExpr { return &search.WindowPhrase{Words: w} }

func anyOf(e ...search.WindowExpr) search.WindowExpr { return &search.WindowBool{Should: e} }
func allOf(e ...search.WindowExpr) search.WindowExpr { return &search.WindowBool{Must: e} }
func inPath(text string) search.WindowExpr           { return &search.WindowPath{Text: text} }
func butNot(e, not search.WindowExpr) search.WindowExpr {
	return &search.WindowBool{Must: []search.WindowExpr{e}, Not: []search.WindowExpr{not}}
}

// sessionQueries are asked of any tree of Go code.
var sessionQueries = []search.WindowExpr{
	words("config"), words("error"), words("context"), words("name"), words("server"), // common
	words("backoff"), words("authenticate"), words("graceful"), words("virtualservice"), words("zzznowhere"), // rare
	anyOf(words("retry"), words("backoff"), words("timeout")),
	anyOf(words("parse"), words("request"), words("header"), words("value")),
	anyOf(words("how"), words("is"), words("the"), words("cache"), words("invalidated")),
	anyOf(words("tls"), words("certificate"), words("rotation")),
	anyOf(words("http", "server"), words("shutdown"), words("context")),
	words("return", "nil"), words("http", "server"), words("context", "context"), words("if", "err", "nil"), // phrases
	allOf(words("lock"), words("unlock")),
	allOf(words("client"), anyOf(words("connection"), words("stream"))),
	butNot(words("deprecated"), words("test")),
	allOf(words("handler"), inPath("http")),
	allOf(words("type"), words("struct"), words("mutex")),
	anyOf(words("authorization", "policy"), words("new", "client")),
}

// session returns a workspace with a session of the default windows over a
// tree, whose files are followed.
func session(b *testing.B, dir string) *Workspace {
	b.Helper()
	w, err := Open(Options{DataDir: b.TempDir(), Watch: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	if _, err := w.IndexSession(context.Background(), benchSession(dir)); err != nil {
		b.Fatal(err)
	}
	return w
}

func openBench(b *testing.B, w *Workspace) *SessionView {
	b.Helper()
	s, err := w.Session(context.Background(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	v, err := s.Open(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func benchSession(dir string) SessionOptions {
	return SessionOptions{
		Name: "bench", Root: dir, Include: []string{"**/*"},
		Policy:    discover.Policy{Dialect: discover.DialectWild, NoGitignore: true, NoEspyignore: true, SkipHiddenFolders: true, UTF8Only: true},
		Windowing: outline.Windowing{Size: 512, Overlap: 64},
	}
}

// BenchmarkSessionSearch asks queries of one open session. The medians are of
// each query over all rounds: what a busy machine adds is not in them.
func BenchmarkSessionSearch(b *testing.B) {
	for _, dir := range corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			v := openBench(b, session(b, dir))
			defer v.Close()
			var took []time.Duration
			each := make([][]time.Duration, len(sessionQueries))
			for b.Loop() {
				for i, q := range sessionQueries {
					began := time.Now()
					if _, err := v.Search(context.Background(), q, 10); err != nil {
						b.Fatal(err)
					}
					each[i] = append(each[i], time.Since(began))
				}
			}
			var medians []time.Duration
			for _, d := range each {
				took = append(took, d...)
				slices.Sort(d)
				medians = append(medians, d[len(d)/2])
			}
			b.ReportMetric(float64(v.Windows.Windows), "windows")
			b.ReportMetric(quantile(took, .5), "p50-ms")
			b.ReportMetric(quantile(took, .95), "p95-ms")
			b.ReportMetric(quantile(medians, .95), "p95-of-medians-ms")
			b.ReportMetric(quantile(took, 1), "max-ms")
		})
	}
}

// BenchmarkSessionFacts asks for the list of sessions, for what is known of one
// with how many files have changed since, and for its files, as a tool does
// for one answer each. The first two answers walk the tree.
func BenchmarkSessionFacts(b *testing.B) {
	for _, dir := range corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			w := session(b, dir)
			var list, info, files []time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := w.Sessions(context.Background()); err != nil {
					b.Fatal(err)
				}
				list = append(list, time.Since(began))
				began = time.Now()
				v := openBench(b, w)
				if _, err := v.Changed(context.Background()); err != nil {
					b.Fatal(err)
				}
				v.Close()
				info = append(info, time.Since(began))
				began = time.Now()
				v = openBench(b, w)
				if _, err := v.Changed(context.Background()); err != nil {
					b.Fatal(err)
				}
				if _, err := v.FileList(); err != nil {
					b.Fatal(err)
				}
				v.Close()
				files = append(files, time.Since(began))
			}
			for name, took := range map[string][]time.Duration{"list": list, "info": info, "files": files} {
				b.ReportMetric(quantile(took, .5), name+"-p50-ms")
				b.ReportMetric(quantile(took, .95), name+"-p95-ms")
			}
		})
	}
}

// BenchmarkSessionBuild indexes a session beside the ordinary index of a tree.
func BenchmarkSessionBuild(b *testing.B) {
	for _, dir := range corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			floor(b, dir) // warms the page cache
			for b.Loop() {
				w, err := Open(Options{DataDir: b.TempDir()})
				if err != nil {
					b.Fatal(err)
				}
				began := cpu()
				rep, err := w.IndexSession(context.Background(), benchSession(dir))
				took := cpu() - began
				if err != nil {
					b.Fatal(err)
				}
				s, err := w.Session(context.Background(), "bench")
				if err != nil {
					b.Fatal(err)
				}
				v, err := s.Open(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				mb := float64(v.snap.Stats().SourceBytes) / 1e6
				v.Close()
				w.Close()
				b.ReportMetric(mb, "MB")
				b.ReportMetric(mb/took.Seconds(), "MB/cpu-s")
				b.ReportMetric(rep.Duration.Seconds(), "wall-s")
				b.ReportMetric(float64(rep.Bytes)/1e6/mb, "index/text")
				b.ReportMetric(float64(rep.Windows.Windows), "windows")
			}
		})
	}
}
