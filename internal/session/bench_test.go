package session

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"espy/internal/discover"
	"espy/internal/filetest"
	"espy/internal/windows"
	"espy/internal/workspace"
)

// words asks for words in a row.
func words(w ...string) windows.Expr { return &windows.Phrase{Words: w} }

func anyOf(e ...windows.Expr) windows.Expr { return &windows.Bool{Should: e} }
func allOf(e ...windows.Expr) windows.Expr { return &windows.Bool{Must: e} }
func inPath(text string) windows.Expr      { return &windows.Path{Text: text} }
func butNot(e, not windows.Expr) windows.Expr {
	return &windows.Bool{Must: []windows.Expr{e}, Not: []windows.Expr{not}}
}

// sessionQueries are asked of any tree of Go code.
var sessionQueries = []windows.Expr{
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

// benchSpace returns sessions, of which one, of the default windows over a tree,
// is indexed and its files are followed.
func benchSpace(b *testing.B, dir string) *space {
	b.Helper()
	s := newSpace(b, nil, workspace.Options{Watch: true})
	if _, err := s.all.Index(context.Background(), benchOptions(dir)); err != nil {
		b.Fatal(err)
	}
	return s
}

func openBench(b *testing.B, all *Sessions) *View {
	b.Helper()
	s, err := all.Find(context.Background(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	v, err := s.Open(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func benchOptions(dir string) Options {
	return Options{
		Name: "bench", Root: dir, Include: []string{"**/*"},
		Policy:    discover.Policy{Dialect: discover.DialectWild, NoGitignore: true, NoEspyignore: true, SkipHiddenFolders: true, UTF8Only: true},
		Windowing: windows.Cut{Size: 512, Overlap: 64},
	}
}

// BenchmarkSessionSearch asks queries of one open session. The medians are of each
// query over all rounds: what a busy machine adds is not in them.
func BenchmarkSessionSearch(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			v := openBench(b, benchSpace(b, dir).all)
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
			b.ReportMetric(filetest.Quantile(took, .5), "p50-ms")
			b.ReportMetric(filetest.Quantile(took, .95), "p95-ms")
			b.ReportMetric(filetest.Quantile(medians, .95), "p95-of-medians-ms")
			b.ReportMetric(filetest.Quantile(took, 1), "max-ms")
		})
	}
}

// BenchmarkSessionFacts asks for the list of sessions, for what is known of one
// with how many files have changed since, and for its files, as a tool does
// for one answer each. The first two answers walk the tree.
func BenchmarkSessionFacts(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			all := benchSpace(b, dir).all
			var list, info, files []time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := all.List(context.Background()); err != nil {
					b.Fatal(err)
				}
				list = append(list, time.Since(began))
				began = time.Now()
				v := openBench(b, all)
				if _, err := v.Changed(context.Background()); err != nil {
					b.Fatal(err)
				}
				v.Close()
				info = append(info, time.Since(began))
				began = time.Now()
				v = openBench(b, all)
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
				b.ReportMetric(filetest.Quantile(took, .5), name+"-p50-ms")
				b.ReportMetric(filetest.Quantile(took, .95), name+"-p95-ms")
			}
		})
	}
}

// BenchmarkSessionBuild indexes a session beside the ordinary index of a tree.
func BenchmarkSessionBuild(b *testing.B) {
	for _, dir := range filetest.Corpora(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			benchSpace(b, dir) // warms the page cache
			for b.Loop() {
				all := newSpace(b, nil, workspace.Options{}).all
				began := filetest.CPU()
				rep, err := all.Index(context.Background(), benchOptions(dir))
				took := filetest.CPU() - began
				if err != nil {
					b.Fatal(err)
				}
				v := openBench(b, all)
				mb := float64(v.snap.Stats().SourceBytes) / 1e6
				v.Close()
				b.ReportMetric(mb, "MB")
				b.ReportMetric(mb/took.Seconds(), "MB/cpu-s")
				b.ReportMetric(rep.Duration.Seconds(), "wall-s")
				b.ReportMetric(float64(rep.Bytes)/1e6/mb, "index/text")
				b.ReportMetric(float64(rep.Windows.Windows), "windows")
			}
		})
	}
}
