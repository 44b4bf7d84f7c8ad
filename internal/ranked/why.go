package ranked

import (
	"fmt"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/report"
	"espy/internal/token"
)

// why says in a few words each what spoke for a place beside the words in it.
func (j *judge) why(s *spot, symbol string) (all []string) {
	add := func(reason string) {
		if reason != "" && !slices.Contains(all, reason) {
			all = append(all, reason)
		}
	}
	m := s.match
	for c := range m.in.clues.Of(m.file) {
		if c.Exact && s.holds(c.Line) {
			add(c.Text())
		}
	}
	frame := 0
	if j.asked.report != nil {
		frame = report.FrameIn(m.path(), j.asked.report.Frames)
	}
	if frame > 0 {
		add(fmt.Sprintf("frame %d of the trace", frame))
	}
	for c := range m.in.clues.Of(m.file) {
		switch {
		case c.Signal == rank.Mentioned && frame == 0:
			add("mentioned by its path")
		case c.Symbol.Name != "" && s.holds(int(c.Symbol.Line)):
			add("declares " + c.Symbol.Name)
		case c.Passes != "" && s.holds(c.Line):
			add("passes on " + c.Passes)
		case c.Definition >= 0 && c.Chunk == s.chunk:
			if d := m.in.seg.Definition(c.Definition); s.holds(int(d.Line)) {
				add("declares " + d.Name)
			}
		}
	}
	add(j.told.Why(m.in.seg.Repo, m.pathText(), m.class()))
	if j.asked.report != nil && symbol != "" && slices.Contains(token.Split(j.asked.report.Texts[report.Title]), symbol) {
		add("named in the title")
	}
	return all
}

// holds reports whether a place has a line.
func (s *spot) holds(line int) bool {
	return s.chunk >= 0 && int(s.lines.StartLine) <= line && line <= int(s.lines.EndLine)
}
