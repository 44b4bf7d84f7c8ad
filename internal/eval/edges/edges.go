// Package edges measures calls: are those that the graph of a repository has the ones
// that a compiler or a language server says are made?
//
// The truth is a file of lines in JSON, an Edge each. Functions and what they call are
// named by the places where they are declared, so that it does not matter how either
// side writes their names. What a caller is said to call is all that it calls in the
// repository.
package edges

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Edge is one line of the truth: a function, and one that it calls. Both are places,
// PATH:LINE:COLUMN or PATH:LINE, of the names where they are declared.
type Edge struct {
	Caller   string `json:"caller"`
	Callee   string `json:"callee,omitempty"`   // empty for a function that calls nothing, or nothing more
	Optional bool   `json:"optional,omitempty"` // it is called, but nobody is expected to say so: right where it is found, not missed elsewhere
}

// maxLine bounds the bytes of a line of the truth.
const maxLine = 1 << 20

// Read reads a file of edges. A line that is none is a *usage.Error.
func Read(path string) (all []Edge, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		var e Edge
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, bad(path, n, err.Error())
		}
		for _, p := range []string{e.Caller, e.Callee} {
			if p != "" && !place.IsPosition(p) {
				return nil, bad(path, n, "not a place: "+p)
			}
		}
		if e.Caller == "" {
			return nil, bad(path, n, "no caller")
		}
		all = append(all, e)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read edges %s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, &usage.Error{Arg: "calls", Value: path, Msg: "no edges in it", Hint: hint}
	}
	return all, nil
}

const hint = `a line is {"caller":"PATH:LINE:COLUMN","callee":"PATH:LINE:COLUMN"}`

func bad(path string, line int, why string) error {
	return &usage.Error{Arg: "calls", Value: fmt.Sprintf("%s:%d", path, line), Msg: why, Hint: hint}
}

// Compare compares the calls of a repository with the truth, after indexing it.
func Compare(ctx context.Context, r *workspace.Repo, truth []Edge) (s *Score, err error) {
	if _, err := r.Index(ctx, workspace.IndexOptions{}); err != nil {
		return nil, err
	}
	snap, err := r.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	x, err := nav.Open(snap)
	if err != nil {
		return nil, err
	}
	s = &Score{Repo: r.Name()}
	if err := x.Run(comparison(s, truth)); err != nil {
		return nil, err
	}
	return s, nil
}
