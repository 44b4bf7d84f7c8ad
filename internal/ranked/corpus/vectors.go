package corpus

import "espy/internal/segment/vec"

// VectorsOf returns the vectors that a model gives the segment, nil for none, and the
// name of the part where they are kept elsewhere.
func (s *Segment) VectorsOf(model string) (part *vec.Reader, away string) {
	for i := range s.Snap.Segments {
		if of := &s.Snap.Segments[i]; of.Reader == s.Reader {
			if c := of.Away[model]; c != nil {
				away = c.Part
			}
			return of.VectorsOf(model), away
		}
	}
	return nil, ""
}
