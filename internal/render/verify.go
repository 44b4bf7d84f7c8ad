package render

import (
	"fmt"
	"strings"

	"espy/internal/place"
	"espy/internal/workspace"
)

// Verify writes what a check of an index found.
func Verify(name string, r *workspace.VerifyReport, o Options) string {
	var b strings.Builder
	checked := fmt.Sprintf("%s with %s, %s", count(r.Segments, "segment"), count(r.Files, "file"), size(r.Bytes))
	if len(r.Problems) == 0 {
		return fmt.Sprintf("%s is sound: %s checked\n", place.Name(name), checked)
	}
	fmt.Fprintf(&b, "%s is damaged: %s in %s\n", place.Name(name), count(len(r.Problems), "problem"), checked)
	for _, p := range r.Problems {
		b.WriteString("  " + Clean(p) + "\n")
	}
	b.WriteString("next: " + o.call("index", arg{"path", name}, arg{"force", true}) + " builds it anew\n")
	return b.String()
}

type verifyJSON struct {
	Name     string   `json:"name"`
	OK       bool     `json:"ok"`
	Segments int      `json:"segments"`
	Files    int      `json:"files"`
	Bytes    int64    `json:"bytes"`
	Problems []string `json:"problems"`
}

// VerifyJSON returns the JSON form of a check.
func VerifyJSON(name string, r *workspace.VerifyReport) any {
	problems := r.Problems
	if problems == nil {
		problems = []string{}
	}
	return verifyJSON{Name: name, OK: len(problems) == 0, Segments: r.Segments, Files: r.Files, Bytes: r.Bytes, Problems: problems}
}
