// Package learn makes the table of package static out of what people say of
// code: the comments in the sources of packages (sources.txt) and of this
// machine. A comment and the code that it stands on, without it, are a pair
// (mine.go, file.go, sentence.go). The name of what is defined is taken out of
// the comment. The terms of both sides have rows in the table, fitted so that
// comments are near their own code and far from that of others (fit.go).
//
// The same sources give the same bytes on machines of one kind: everything runs
// in a fixed order.
package learn

import (
	"context"
	"fmt"

	"espy/internal/embedding/static"
)

// Result is a table, and what is to be known of it.
type Result struct {
	Table  []byte // as static.Read takes it
	Report string // Markdown
}

// Table learns from the sources in a folder, as scripts/embedding-sources lays
// them out. progress is told what was done.
func Table(ctx context.Context, dir string, o Options, progress func(what string)) (*Result, error) {
	sources, err := sourcesIn(dir)
	if err != nil {
		return nil, err
	}
	pairs, err := mine(ctx, sources, o.PerSource)
	if err != nil {
		return nil, err
	}
	progress(fmt.Sprintf("%d pairs of %d sources", len(pairs), len(sources)))
	v := newVocabulary(pairs, o)
	learned, held := v.examples(pairs)
	if len(learned) < o.Batch {
		return nil, fmt.Errorf("learn from %s: %d pairs that say enough, want %d or more", dir, len(learned), o.Batch)
	}
	f := newFitter(o, v.rarity)
	f.steps = o.Epochs * (len(learned) / o.Batch)
	before := f.measure(held)
	for epoch := range o.Epochs {
		loss, err := f.epoch(ctx, learned)
		if err != nil {
			return nil, err
		}
		progress(fmt.Sprintf("pass %d of %d: loss %.4f", epoch+1, o.Epochs, loss))
	}
	rows := make([]static.Row, len(v.terms))
	for id, t := range v.terms {
		rows[id] = static.Row{Term: t, Vector: f.rows[id*o.Dims:][:o.Dims]}
	}
	r := &Result{Table: static.Write(rows)}
	r.Report = report{o, sources, pairs, len(held), len(rows), len(r.Table), before, f.measure(held)}.text()
	return r, nil
}
