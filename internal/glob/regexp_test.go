package glob

import (
	"runtime"
	"strings"
	"testing"
)

// TestRegexpMemory holds that what is compiled takes little memory, and what is
// refused hardly any.
func TestRegexpMemory(t *testing.T) {
	const refused = 64 << 10
	for _, tt := range []struct {
		name, pattern, err string
		most               uint64 // bytes
	}{
		{"plain", "a" + strings.Repeat("b", maxRegexpBytes-1), "", 8 << 20},
		{"alternatives", strings.Repeat("ab|cd|", maxRegexpBytes/6), "", 8 << 20},
		{"classes", strings.Repeat(`\pL`, maxRegexpClasses), "", 16 << 20},
		{"too many classes", strings.Repeat(`\pL`, 3000), "a regular expression of 3000 Unicode classes; the limit is 500", refused},
		{"repeated", "(abcdefghij){1000}", "", 8 << 20},
		{"repeated too often", "(" + strings.Repeat("abcdefghij", 10) + "){1000}", "a regular expression of 102000 steps; the limit is 20000: repeat less often", refused},
		{"nested", "(((" + strings.Repeat("abcdefghij", 10) + "){10}){10}){10}", "steps; the limit is 20000", refused},
		{"too long", strings.Repeat("a", 1_000_000), "a regular expression of 1000000 bytes; the limit is 10000", refused},
		{"bad", "a(", "missing closing )", refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := CompileRegexp(tt.pattern)
			runtime.ReadMemStats(&after)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > tt.most {
				t.Errorf("%d bytes of memory, want at most %d", n, tt.most)
			}
		})
	}
}
