package store

import "espy/internal/segment/syn"

// OldSyntax returns the version of the syntax parts that the generation has and
// this program cannot use, 0 where it has none.
func (s *Snapshot) OldSyntax() int {
	for _, ref := range s.manifest.Segments {
		if ref.Syntax != nil && ref.Syntax.Analysis != Syntax {
			return ref.Syntax.Analysis
		}
	}
	return 0
}

// SyntaxState says what is known of the syntax of a file.
func (s *Snapshot) SyntaxState(seg, file int) syn.State {
	if s.Segments[seg].Syntax == nil {
		return syn.Absent
	}
	return s.Segments[seg].Syntax.State(file)
}

// SyntaxPending is the number of live files that were not parsed yet.
func (s *Snapshot) SyntaxPending() int {
	s.pendingOnce.Do(func() {
		for seg, l := range s.Segments {
			if l.Syntax != nil && l.Syntax.Stats().Pending() == 0 {
				continue
			}
			for f := range l.NumFiles() {
				if l.Alive(f) && s.SyntaxState(seg, f) == syn.Absent {
					s.pending++
				}
			}
		}
	})
	return s.pending
}

// SyntaxKey returns the key of a file.
func (s *Snapshot) SyntaxKey(seg, file int) SyntaxKey {
	return syntaxKey(s.Segments[seg].Reader, file)
}
