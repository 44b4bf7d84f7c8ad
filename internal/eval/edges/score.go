package edges

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Score is how the calls of a repository agree with the truth.
type Score struct {
	Repo      string   `json:"repo"`
	Functions int      `json:"functions"`         // whose calls were compared
	Unknown   []string `json:"unknown,omitempty"` // callers of the truth at whose place nothing is declared; they are left out
	Callees   Share    `json:"callees"`           // what the functions call
	Callers   Share    `json:"callers"`           // which of the functions call what they call by the truth
}

// Share is one direction of a Score.
type Share struct {
	Said   int        `json:"said"`             // edges of the graph
	Found  int        `json:"found"`            // edges of the truth that are among them, optional ones aside
	Missed []Mismatch `json:"missed,omitempty"` // edges of the truth that are not
	Wrong  []Mismatch `json:"wrong,omitempty"`  // edges of the graph that the truth lacks
}

// Mismatch is an edge that only one side has.
type Mismatch struct {
	Caller string `json:"caller"`
	Callee string `json:"callee"`
	Proof  string `json:"proof,omitempty"` // of one that the graph has: what it is called, and the line that proves it
}

func (s *Share) miss(caller, callee string) {
	s.Missed = append(s.Missed, Mismatch{Caller: caller, Callee: callee})
}

func (s *Share) wrong(caller, callee, proof string) {
	s.Wrong = append(s.Wrong, Mismatch{caller, callee, proof})
}

// precision is the share of the edges of the graph that are right, 1 of none.
func (s *Share) precision() float64 { return part(s.Said-len(s.Wrong), s.Said) }

// recall is the share of the edges of the truth that the graph has, 1 of none.
func (s *Share) recall() float64 { return part(s.Found, s.Found+len(s.Missed)) }

func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Text returns the figures for a terminal.
func (s *Score) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "calls of %d functions of %s, compared with the truth\n", s.Functions, s.Repo)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "\tprecision\trecall\tsaid\twrong\texpected\tmissed")
	for _, d := range []struct {
		name string
		*Share
	}{{"callees", &s.Callees}, {"callers", &s.Callers}} {
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%d\t%d\t%d\t%d\n", d.name, d.precision(), d.recall(), d.Said, len(d.Wrong), d.Found+len(d.Missed), len(d.Missed))
	}
	w.Flush()
	if len(s.Unknown) > 0 {
		fmt.Fprintf(&b, "left out: %d callers of the truth where nothing is declared\n", len(s.Unknown))
	}
	return b.String()
}
