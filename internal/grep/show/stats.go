package show

import (
	"bytes"
	"fmt"
)

// Stats are the counts of one search, or of several.
type Stats struct {
	Matches, Lines, Searches, WithMatch, Printed, Searched int
	Nanoseconds                                            int64
	Hidden                                                 int // lines in which secrets were hidden
}

// Add adds the counts of another search.
func (s *Stats) Add(o *Stats) {
	s.Matches += o.Matches
	s.Lines += o.Lines
	s.Searches += o.Searches
	s.WithMatch += o.WithMatch
	s.Printed += o.Printed
	s.Searched += o.Searched
	s.Nanoseconds += o.Nanoseconds
	s.Hidden += o.Hidden
}

func lineCount(text []byte) int {
	n := bytes.Count(text, newline)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// append appends the counts as JSON.
func (s *Stats) append(b []byte) []byte {
	b = append(b, `{"elapsed":`...)
	b = appendTime(b, s.Nanoseconds)
	return fmt.Appendf(b, `,"searches":%d,"searches_with_match":%d,"bytes_searched":%d,"bytes_printed":%d,"matched_lines":%d,"matches":%d}`,
		s.Searches, s.WithMatch, s.Searched, s.Printed, s.Lines, s.Matches)
}

func appendTime(b []byte, ns int64) []byte {
	return fmt.Appendf(b, `{"secs":%d,"nanos":%d,"human":"%.6fs"}`, ns/1e9, ns%1e9, float64(ns)/1e9)
}

// Summary is the last message of all, with the time that all took.
func (s *Stats) Summary(ns int64) []byte {
	b := append([]byte(nil), `{"data":{"elapsed_total":{"human":"`...)
	b = fmt.Appendf(b, `%.6fs","nanos":%d,"secs":%d},"stats":{`, float64(ns)/1e9, ns%1e9, ns/1e9)
	b = fmt.Appendf(b, `"bytes_printed":%d,"bytes_searched":%d,"elapsed":{"human":"%.6fs","nanos":%d,"secs":%d},`, s.Printed, s.Searched, float64(s.Nanoseconds)/1e9, s.Nanoseconds%1e9, s.Nanoseconds/1e9)
	return fmt.Appendf(b, `"matched_lines":%d,"matches":%d,"searches":%d,"searches_with_match":%d}},"type":"summary"}`+"\n", s.Lines, s.Matches, s.Searches, s.WithMatch)
}

// Text is the counts as --stats prints them.
func (s *Stats) Text(ns int64) []byte {
	return fmt.Appendf(nil, "\n%d matches\n%d matched lines\n%d files contained matches\n%d files searched\n%d bytes printed\n%d bytes searched\n%.6f seconds spent searching\n%.6f seconds\n",
		s.Matches, s.Lines, s.WithMatch, s.Searches, s.Printed, s.Searched, float64(s.Nanoseconds)/1e9, float64(ns)/1e9)
}
