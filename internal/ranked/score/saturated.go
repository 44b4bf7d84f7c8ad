package score

import (
	"espy/internal/rank"
	"espy/internal/segment"
)

// saturated knows the saturated frequencies of terms in texts of chunks: there
// are few different ones, and two divisions cost more than looking one up.
type saturated struct {
	norm  rank.Norm
	table [knownTimes << segment.TokenBits]float32 // by times and tokens
}

// knownTimes is above how often a term of the table occurs in a chunk.
const knownTimes = 8

// prepare fills the table for a norm.
func (s *saturated) prepare(norm rank.Norm) {
	if s.norm == norm {
		return
	}
	s.norm = norm
	for i := range uint32(len(s.table)) {
		s.table[i] = rank.Saturate(norm.Frequency(i>>segment.TokenBits, i&(1<<segment.TokenBits-1)))
	}
}
