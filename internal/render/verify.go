package render

import (
	"fmt"
	"strings"

	"espy/internal/place"
	"espy/internal/workspace/view"
)

// Verify is the outcome of a check of an index.
type Verify struct {
	Name string // of the repository
	*view.VerifyReport
}

// Text writes the problems, or that there is none.
func (r Verify) Text(o Options) string {
	var b strings.Builder
	checked := fmt.Sprintf("%s with %s, %s", count(r.Segments, "segment"), count(r.Files, "file"), size(r.Bytes))
	if len(r.Problems) == 0 {
		return fmt.Sprintf("%s is sound: %s checked\n", place.Name(r.Name), checked)
	}
	fmt.Fprintf(&b, "%s is damaged: %s in %s\n", place.Name(r.Name), count(len(r.Problems), "problem"), checked)
	for _, p := range r.Problems {
		b.WriteString("  " + clean(p) + "\n")
	}
	b.WriteString("next: " + o.call("index", arg{"path", r.Name}, arg{"force", true}) + " # rebuilds it\n")
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

// JSON writes the problems and how much was checked.
func (r Verify) JSON(Options) []byte {
	problems := r.Problems
	if problems == nil {
		problems = []string{}
	}
	return JSON(verifyJSON{Name: r.Name, OK: len(problems) == 0, Segments: r.Segments, Files: r.Files, Bytes: r.Bytes, Problems: problems})
}
