package ranked_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/eval/pace"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
)

// BenchmarkKeyword reports the median and the 95th percentile of ranked queries
// of all kinds over Go's source tree, in process, excerpts included.
func BenchmarkKeyword(b *testing.B) {
	queries, err := pace.ReadTexts("../eval/pace/questions.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	_, snaps := sample.BenchTree(b)
	var times []time.Duration
	for b.Loop() {
		for _, q := range queries {
			res := searchtest.Must(b, snaps, hit.Request{Query: q, MaxTokens: 2000})
			times = append(times, res.Duration)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100])/1e6, "p95-ms")
	b.ReportMetric(float64(snaps[0].Stats().Chunks), "chunks")
}

// BenchmarkReports reports the median and the worst of reports of about 1,000 words over
// Go's source tree: what its own comments say, a file to a report. All of it stands in the
// tree, which is the worst case.
func BenchmarkReports(b *testing.B) {
	dir, snaps := sample.BenchTree(b)
	files := sample.TreeOf(b, dir, ".")
	var reports []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if text := comments(files[path]); strings.Count(text, " ") > 1000 {
			reports = append(reports, text[:min(len(text), hit.MaxQueryBytes)])
		}
	}
	const asked = 24
	for i := range asked {
		reports[i] = reports[i*len(reports)/asked]
	}
	reports = reports[:asked]
	var times []time.Duration
	for b.Loop() {
		for _, r := range reports {
			times = append(times, searchtest.Must(b, snaps, hit.Request{Query: r, MaxTokens: 2000}).Duration)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(times[len(times)-1])/1e6, "worst-ms")
	b.ReportMetric(float64(snaps[0].Stats().Chunks), "chunks")
}

// comments returns what the comments of a Go file say.
func comments(text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
			all.WriteString(said + "\n")
		}
	}
	return all.String()
}
