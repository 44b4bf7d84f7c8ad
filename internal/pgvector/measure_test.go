package pgvector

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"espy/internal/postgrestest"
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
		t.Run(strconv.Itoa(rows), func(t *testing.T) { measure(t, rows, 256) })
	}
}

func measure(t *testing.T, rows, dims int) {
	s, pool := open(t, postgrestest.Vectors(t))
	files := rows / perFile
	p := makePart(t, "made", dims, files, 1)
	begin := time.Now()
	keepPart(t, s, pool, p)
	t.Logf("put %d rows: %v", p.Stats().Rows, time.Since(begin).Round(time.Millisecond))
	if _, err := pool.Exec(t.Context(), "ANALYZE espy.vectors_1"); err != nil {
		t.Fatal(err)
	}
	exact := timed(t, s, p, filesOf(files, 1))
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
	for _, part := range []int{1, 2, 10} {
		some := filesOf(files, part)
		near := timed(t, s, p, some)
		s.exactRows = rows
		all := timed(t, s, p, some)
		s.exactRows = 100
		got := recall(all.best, near.best)
		t.Logf("one folder of %d: recall %.3f; exact %s; index %s", part, got, all, near)
		if got < 0.95 {
			t.Errorf("one folder of %d: recall %.3f", part, got)
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

func timed(t *testing.T, s *Store, p made, files []vec.Files) (m times) {
	t.Helper()
	before := serverTime(t, s)
	for seed := range uint64(asked) {
		wanted := []vec.Wanted{{Part: p.name, Query: makeQuery(t, p.Dims, 100+seed), Files: files}}
		begin := time.Now()
		best, _, err := s.Best(t.Context(), "made", wanted, kept)
		if err != nil {
			t.Fatal(err)
		}
		m.wall = append(m.wall, time.Since(begin))
		slices.SortFunc(best, func(a, b vec.Best) int { return int(min(max((b.Cosine-a.Cosine)*1e12, -1), 1)) })
		m.best = append(m.best, best[:min(kept, len(best))])
	}
	m.cpu = (serverTime(t, s) - before) / asked
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
