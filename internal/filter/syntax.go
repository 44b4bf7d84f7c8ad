package filter

import (
	"fmt"

	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// WithFacts calls do with what a file was parsed to, which is good until do
// returns, and reports whether that is known. Damaged facts count as unknown:
// what do has done by then must not matter.
func (f *Segment) WithFacts(file int, do func(*syn.File)) (known bool) {
	ok := f.WithSyntax(func(r *syn.Reader) {
		if known = r.State(file) == syn.Parsed; known {
			r.Look(file, do)
		}
	})
	return ok && known
}

// WithSyntax calls do with the syntax part of the segment and reports whether
// there is one without damage where do has looked.
func (f *Segment) WithSyntax(do func(*syn.Reader)) bool {
	if f.syntax == nil || f.damage.Load() != nil {
		return false
	}
	err := segment.Guard(func() error { do(f.syntax); return nil })
	if err != nil {
		f.damage.Store(&err)
	}
	return err == nil
}

// Unnamed tells where symbols are not known for damage.
func (f *Filter) Unnamed() (notes []string) {
	for _, s := range f.Segments {
		if err := s.damage.Load(); err != nil {
			notes = append(notes, fmt.Sprintf("%s: symbols of some files are not known: %v", s.Snap.Name, *err))
		}
	}
	return notes
}
