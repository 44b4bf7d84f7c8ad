package render

import (
	"fmt"

	"espy/internal/progress"
)

// pace writes the bytes done, the rate, and the time left.
func pace(p progress.Report) string {
	if p.TotalBytes == 0 {
		return ""
	}
	text := fmt.Sprintf("; %s of %s", size(p.Bytes), size(p.TotalBytes))
	if rate := p.Rate(); rate > 0 {
		text += fmt.Sprintf(", %s/s", size(int64(rate)))
	}
	if left := p.Left(); left > 0 {
		text += fmt.Sprintf(", about %.0f s left", max(1, left.Seconds()))
	}
	return text
}

// by names the process that does the work, if it is known.
func by(process int) string {
	if process == 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d)", process)
}
