package show

import (
	"strconv"
	"time"

	"espy/internal/grep/scan"
)

// count counts the search.
func (p *Printer) count(e *scan.Ending) {
	if !p.started.IsZero() {
		p.stats.Nanoseconds = time.Since(p.started).Nanoseconds()
	}
	p.stats.Searches = 1
	if p.matched > 0 {
		p.stats.WithMatch = 1
	}
	p.stats.Searched = e.Searched
	p.stats.Printed = p.wrote
}

// summed counts lines that match.
func (p *Printer) summed(l *scan.Lines) bool {
	matches := 1
	counted := p.o.Stats || p.o.Kind == CountMatches
	if counted || p.spans {
		matches = p.countIn(l)
	}
	if p.spans {
		p.matched += matches
	} else {
		p.matched++
	}
	if counted {
		p.stats.Matches += matches
		p.stats.Lines += lineCount(l.Bytes())
	} else if p.o.Kind == With || p.o.Kind == Without || p.o.Kind == Quiet {
		return false
	}
	return p.o.MaxCount < 0 || p.matched < p.o.MaxCount
}

// countIn counts the matches in lines.
func (p *Printer) countIn(l *scan.Lines) (n int) {
	text, end, from := l.Text, l.End, l.Start
	if p.spans {
		text = text[:min(len(text), end+lookAhead)]
	} else {
		text, from = trimEnd(l.Bytes()), 0
		end -= l.Start
	}
	p.f.All(text, from, func(m []int) bool {
		if m[0] >= end {
			return false
		}
		n++
		return true
	})
	return n
}

// sum prints what was counted. A binary file that was not named has no matches.
func (p *Printer) sum(e *scan.Ending) {
	if e.Binary >= 0 && p.nul == scan.Quit {
		p.matched = 0
		return
	}
	switch p.o.Kind {
	case Count, CountMatches:
		n := p.matched
		if p.o.Kind == CountMatches {
			n = p.stats.Matches
		}
		if p.matched > 0 || p.o.IncludeZero {
			p.pathField(colon)
			p.write(strconv.AppendInt(nil, int64(n), 10))
			p.write(newline)
		}
	case With:
		if p.matched > 0 {
			p.nameLine()
		}
	case Without:
		if p.matched == 0 {
			p.nameLine()
		}
	}
}
