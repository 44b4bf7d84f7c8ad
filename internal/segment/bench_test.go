package segment

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

// The benchmarks read the source tree of ESPY_BENCH_ROOT, by default that of
// the Go distribution the test runs with.
func benchRoot() string {
	if root := os.Getenv("ESPY_BENCH_ROOT"); root != "" {
		return root
	}
	return filepath.Join(goRoot(), "src")
}

func goRoot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(out))
}

var benchFiles = sync.OnceValues(func() (files []*File, err error) {
	root := benchRoot()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 10<<20 || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		files = append(files, &File{
			Path: rel, Hash: code.Hash(xxh3.Hash128(text).Bytes()), Size: int64(len(text)), Language: filepath.Ext(rel),
			Text: text, Definitions: funcDefinitions(text), Chunks: lineChunks(text, 1300),
		})
		return nil
	})
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return files, err
})

var benchPart = sync.OnceValue(func() []byte {
	files, _ := benchFiles()
	b := NewBuilder()
	for _, f := range files {
		if err := b.Add(f); err != nil {
			panic(err)
		}
	}
	var out bytes.Buffer
	b.WriteTo(&out)
	return out.Bytes()
})

func loadBench(b *testing.B) []*File {
	files, err := benchFiles()
	if err != nil {
		b.Fatal(err)
	}
	return files
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkBuild reports MB of text per CPU second, index bytes and peak
// estimated memory per byte of text. The builder is flushed at 256 MB.
func BenchmarkBuild(b *testing.B) {
	files := loadBench(b)
	runtime.GC()
	var text, index, memory int64
	start := cpuTime()
	for b.Loop() {
		builder := NewBuilder()
		text, index, memory = 0, 0, 0
		for _, f := range files {
			if err := builder.Add(f); err != nil {
				b.Fatal(err)
			}
			text += int64(len(f.Text))
		}
		memory = builder.Memory()
		n, err := builder.WriteTo(io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		index += n
	}
	cpu := (cpuTime() - start).Seconds()
	b.ReportMetric(float64(text)/1e6*float64(b.N)/cpu, "MB/cpu-s")
	b.ReportMetric(float64(index)/float64(text), "index/text")
	b.ReportMetric(float64(memory)/float64(text), "memory/text")
}

// BenchmarkSections reports the bytes of each section per byte of text.
func BenchmarkSections(b *testing.B) {
	loadBench(b)
	r, err := Open(benchPart(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
	}
	text := float64(r.Stats().TextBytes)
	for s, sp := range r.frame.Sections {
		b.ReportMetric(float64(sp.Len)/text, strings.ReplaceAll(section(s).String(), " ", "-")+"/text")
	}
	b.Logf("%+v terms %d trigrams %d", r.Stats(), r.terms, r.trigrams)
}

func benchReader(b *testing.B) *Reader {
	loadBench(b)
	r, err := Open(benchPart(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func BenchmarkOpen(b *testing.B) {
	loadBench(b)
	data := benchPart()
	for b.Loop() {
		if _, err := Open(data, "bench"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	r := benchReader(b)
	b.SetBytes(r.Size())
	for b.Loop() {
		if err := r.Check(nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	r := benchReader(b)
	var terms []string
	n := 0
	for t := r.dict.First(); t != nil; n++ {
		if n%1009 == 0 {
			terms = append(terms, string(t.Term()))
		}
		if !t.Next() {
			t = nil
		}
	}
	i := 0
	for b.Loop() {
		if _, ok, err := r.Lookup(terms[i%len(terms)]); !ok || err != nil {
			b.Fatal(ok, err)
		}
		i += 7
	}
}

// BenchmarkBody reports the rate at which body postings of common terms are
// decoded.
func BenchmarkBody(b *testing.B) {
	r := benchReader(b)
	var terms []Term
	for _, name := range []string{"if", "err", "return", "string", "func", "nil", "int", "test", "for", "byt"} {
		if t, ok, _ := r.Lookup(name); ok {
			terms = append(terms, t)
		}
	}
	var chunks, tfs [128]uint32
	n := 0
	for b.Loop() {
		for _, t := range terms {
			it := t.Body()
			for k := it.NextBlock(chunks[:], tfs[:]); k > 0; k = it.NextBlock(chunks[:], tfs[:]) {
				n += k
			}
		}
	}
	b.ReportMetric(float64(n)/1e6/b.Elapsed().Seconds(), "Mpostings/s")
}

func BenchmarkPositions(b *testing.B) {
	r := benchReader(b)
	t, _, _ := r.Lookup("err")
	var chunks, tfs [128]uint32
	var positions []uint32
	n := 0
	for b.Loop() {
		it := t.Body()
		for k := it.NextBlock(chunks[:], tfs[:]); k > 0; k = it.NextBlock(chunks[:], tfs[:]) {
			for i := range k {
				positions = it.Positions(i, positions[:0])
				n += len(positions)
			}
		}
	}
	b.ReportMetric(float64(n)/1e6/b.Elapsed().Seconds(), "Mpositions/s")
}

func BenchmarkTrigram(b *testing.B) {
	r := benchReader(b)
	var files []uint32
	i := 0
	for b.Loop() {
		t := [...]string{"err", "qzx", "mut", "Han", "ret"}[i%5]
		files, _ = r.AppendTrigram(files[:0], [3]byte([]byte(t)))
		i++
	}
}

func BenchmarkText(b *testing.B) {
	r := benchReader(b)
	b.SetBytes(r.Stats().TextBytes)
	var cache TextCache
	for b.Loop() {
		for i := range r.NumFiles() {
			if _, err := r.Text(i, &cache); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	files := loadBench(b)
	var parts []Live
	for k := range 4 {
		builder := NewBuilder()
		for i := k; i < len(files); i += 4 {
			builder.Add(files[i])
		}
		var out bytes.Buffer
		builder.WriteTo(&out)
		r, err := Open(out.Bytes(), "part")
		if err != nil {
			b.Fatal(err)
		}
		parts = append(parts, Live{Reader: r})
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := float64(0)
	for _, p := range parts {
		text += float64(p.Stats().TextBytes)
	}
	start := cpuTime()
	for b.Loop() {
		if _, err := Merge(io.Discard, parts); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(text/1e6*float64(b.N)/(cpuTime()-start).Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/text, "alloc/text")
}
