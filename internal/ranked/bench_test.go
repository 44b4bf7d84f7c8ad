package ranked_test

import (
	"slices"
	"testing"
	"time"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
)

// BenchmarkKeyword reports the median and the 95th percentile of ranked queries
// of all kinds over Go's source tree, in process, excerpts included.
func BenchmarkKeyword(b *testing.B) {
	queries := []string{
		"how are redirects followed by the http client", "ServeMux", "garbage collector write barrier", "parse url query parameters",
		"tls certificate verification", "escape analysis of closures", "where is max_tokens read", "json decoder error handling",
		"goroutine scheduler work stealing", "regexp backtracking", "symbol:Reader buffer", "map assignment grows buckets",
		"cookie AND jar NOT test", `"connection reset" peer`, "compress deflate huffman tables", "template execution of nested variables",
		"timer heap expiration", "sql connection pool", "unicode normalization tables", "how does select choose a ready channel",
		"os/exec/lp_unix.go", "net.Dialer.DialContext", "build constraints of files", "linker relocation symbols",
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
