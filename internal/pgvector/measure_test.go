package pgvector

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"espy/internal/embedding/static"
	"espy/internal/postgrestest"
	"espy/internal/sample"
	"espy/internal/segment/vec"
)

// TestRecall holds that an index finds at least 95 of 100 of the nearest files among
// 10,000 rows, with filters and without, and logs what it and the exact comparison
// cost; of 100,000 rows with ESPY_SOAK=1.
func TestRecall(t *testing.T) {
	sizes := []int{10_000}
	if os.Getenv("ESPY_SOAK") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, rows := range sizes {
		t.Run(strconv.Itoa(rows), func(t *testing.T) {
			files := rows / perFile
			m := measured{made: makePart(t, "made", 256, files, 1), files: files, chunksOf: chunksOf, filters: [][]vec.Files{filesOf(files, 1), filesOf(files, 2), filesOf(files, 10)}}
			for seed := range uint64(asked) {
				m.queries = append(m.queries, makeQuery(t, 256, 100+seed))
			}
			measure(t, m)
		})
	}
}

// TestRecallOfCode holds the same of the built-in embedding over code: the library of
// the Go that runs the test, asked with the first sentences of its packages.
func TestRecallOfCode(t *testing.T) {
	sizes := []int{10_000}
	if os.Getenv("ESPY_SOAK") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, rows := range sizes {
		t.Run(strconv.Itoa(rows), func(t *testing.T) { measure(t, library(t, rows)) })
	}
}

// library has at least so many rows of the library of Go, or all there are.
func library(t *testing.T, rows int) measured {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := os.DirFS(filepath.Join(strings.TrimSpace(string(goroot)), "src"))
	model, files, lines := static.BuiltIn(), map[string]string{}, 0
	m := measured{}
	err = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || lines > rows*linesPerRow {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		lines += strings.Count(files[path], "\n")
		if says := packageDoc.FindStringSubmatch(files[path]); says != nil && len(m.queries) < asked {
			v, err := model.Query(t.Context(), says[1])
			if err != nil {
				return err
			}
			q, err := vec.NewQuery(v)
			if err != nil {
				return err
			}
			m.queries = append(m.queries, q)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := sample.WithVectors(t, sample.Repository(t, "go", files), model)
	seg := &s.Segments[0]
	m.made, m.chunksOf, m.files = made{"code.vec", seg.VectorsOf(model.Identity())}, seg.ChunksOf, seg.NumFiles()
	for _, part := range []int{1, 2, 10} {
		_, end := seg.ChunksOf(m.files/part - 1)
		m.filters = append(m.filters, []vec.Files{{First: 0, End: m.files / part, Chunks: end}})
	}
	return m
}

// packageDoc is what a package says that it does, without its name.
var packageDoc = regexp.MustCompile(`(?m)^// Package \w+ (.{20,}[^.])\.?$`)

// linesPerRow is how many lines a chunk of the library has, about.
const linesPerRow = 45

// measured are vectors, and what is asked of them.
type measured struct {
	made
	files    int
	chunksOf func(file int) (first, end int)
	queries  []*vec.Query
	filters  [][]vec.Files // all files first
}

func measure(t *testing.T, p measured) {
	s, pool := open(t, postgrestest.Vectors(t))
	rows := p.Stats().Rows
	if _, err := pool.Exec(t.Context(), "INSERT INTO espy.parts (family, name, size) VALUES ($1, $2, 1)", family, p.name); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := s.Put(t.Context(), family, p.name, p.Reader, p.chunksOf); err != nil {
		t.Fatal(err)
	}
	t.Logf("put %d rows: %v", rows, time.Since(begin).Round(time.Millisecond))
	if _, err := pool.Exec(t.Context(), "ANALYZE espy.vectors_1"); err != nil {
		t.Fatal(err)
	}
	exact := timed(t, s, p, p.filters[0])
	if _, err := pool.Exec(t.Context(), "SET maintenance_work_mem = '1GB'"); err != nil {
		t.Fatal(err)
	}
	s.exactRows = 100
	begin = time.Now()
	if err := s.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	var heap, index int64
	if err := pool.QueryRow(t.Context(), "SELECT pg_total_relation_size('espy.vectors_1') - pg_relation_size('espy.vectors_1_near'), pg_relation_size('espy.vectors_1_near')").Scan(&heap, &index); err != nil {
		t.Fatal(err)
	}
	t.Logf("index: %v; table %d bytes a row, index %d", time.Since(begin).Round(time.Millisecond), heap/int64(rows), index/int64(rows))
	t.Logf("exact: %s", exact)
	for i, some := range p.filters {
		near := timed(t, s, p, some)
		s.exactRows = 1 << 30
		all := timed(t, s, p, some)
		s.exactRows = 100
		got := recall(all.best, near.best)
		t.Logf("filter %d: recall %.3f; exact %s; index %s", i, got, all, near)
		if got < 0.95 {
			t.Errorf("filter %d: recall %.3f", i, got)
		}
	}
}

// filesOf is one folder of n.
func filesOf(files, n int) (some []vec.Files) {
	if n == 1 {
		return []vec.Files{{First: 0, End: files, Chunks: files * perFile}}
	}
	for f := 0; f < files; f += n * folder {
		end := min(files, f+folder)
		some = append(some, vec.Files{First: f, End: end, Chunks: (end - f) * perFile})
	}
	return some
}

const (
	asked = 50
	kept  = 10

	folder = 100 // files
)

// times are what questions took, and their answers.
type times struct {
	wall []time.Duration
	cpu  time.Duration // of the server, each
	best [][]vec.Best
}

func (m times) String() string {
	slices.Sort(m.wall)
	return fmt.Sprintf("p50 %v p95 %v, CPU of the server %v", m.wall[len(m.wall)/2].Round(10*time.Microsecond), m.wall[len(m.wall)*95/100].Round(10*time.Microsecond), m.cpu.Round(10*time.Microsecond))
}

func timed(t *testing.T, s *Store, p measured, files []vec.Files) (m times) {
	t.Helper()
	before := serverTime(t, s)
	for _, q := range p.queries {
		wanted := []vec.Wanted{{Part: p.name, Query: q, Files: files}}
		begin := time.Now()
		best, _, err := s.Best(t.Context(), p.Model, wanted, kept)
		if err != nil {
			t.Fatal(err)
		}
		m.wall = append(m.wall, time.Since(begin))
		slices.SortFunc(best, func(a, b vec.Best) int { return int(min(max((b.Cosine-a.Cosine)*1e12, -1), 1)) })
		m.best = append(m.best, best[:min(kept, len(best))])
	}
	m.cpu = (serverTime(t, s) - before) / time.Duration(len(p.queries))
	return m
}

// serverTime is the CPU time of the processes of the server that answer the pool.
func serverTime(t *testing.T, s *Store) (sum time.Duration) {
	t.Helper()
	rows, err := s.pool.Query(context.Background(), "SELECT pid FROM pg_stat_activity WHERE application_name = 'espy'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			t.Fatal(err)
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // where there is no /proc, nothing is said
		}
		fields := strings.Fields(string(stat))
		user, _ := strconv.Atoi(fields[13])
		system, _ := strconv.Atoi(fields[14])
		sum += time.Duration(user+system) * 10 * time.Millisecond
	}
	return sum
}

func recall(want, got [][]vec.Best) float64 {
	hits, n := 0, 0
	for i := range want {
		found := map[int]bool{}
		for _, b := range got[i] {
			found[b.File] = true
		}
		for _, b := range want[i] {
			n++
			if found[b.File] {
				hits++
			}
		}
	}
	return float64(hits) / float64(n)
}
