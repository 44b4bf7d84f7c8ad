package shaktiman

import (
	"math"
	"time"
)

// recent is what changed in the last days, as far as it still counts for scores.
type recent struct {
	state string // of the repository when it was looked at
	at    map[string]time.Time
	lines map[string]int
}

// signal is how much and how lately a file changed, 0 to 1.
func (r *recent) signal(path string, now time.Time) float64 {
	at, ok := r.at[path]
	if !ok {
		return 0
	}
	hours := max(0, now.Sub(at).Hours())
	return math.Exp(-0.05*hours) * min(float64(r.lines[path])/50, 1)
}
