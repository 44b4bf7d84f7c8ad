package show

import "espy/internal/grep/scan"

// Begin begins a search.
func (p *Printer) Begin() bool { return p.o.MaxCount != 0 }

// Binary notes a NUL byte.
func (p *Printer) Binary(at int) { p.binary = at }

// Gap prints what stands between lines that are not neighbours.
func (p *Printer) Gap() {
	if p.o.Kind == Standard && p.o.ContextSeparator != nil {
		p.write([]byte(*p.o.ContextSeparator))
		p.write(newline)
	}
}

// Matched prints lines that match.
func (p *Printer) Matched(l *scan.Lines) bool {
	switch p.o.Kind {
	case Standard, JSON:
		return p.match(l)
	}
	return p.summed(l)
}

// match prints lines, and reports whether more may come.
func (p *Printer) match(l *scan.Lines) bool {
	if p.matched++; p.o.MaxCount >= 0 && p.matched > p.o.MaxCount {
		p.after = max(p.after-1, 0)
	} else {
		p.after = p.o.After
	}
	if p.o.Kind == JSON {
		p.begin()
	}
	p.locate(l)
	if p.o.Stats || p.o.Kind == JSON {
		p.stats.Matches += len(p.ranges)
		p.stats.Lines += lineCount(l.Bytes())
	}
	if p.o.Kind == JSON {
		p.line(l, "match")
		return !p.full()
	}
	if p.nul == scan.Convert && p.binary >= 0 {
		return false
	}
	p.print(l, false)
	return !p.full()
}

// full reports whether as many lines as are wanted were told.
func (p *Printer) full() bool {
	return p.failed || p.o.MaxCount >= 0 && p.matched >= p.o.MaxCount && p.after == 0
}

// Context prints lines round those that match.
func (p *Printer) Context(l *scan.Lines) bool {
	if p.o.Kind != Standard && p.o.Kind != JSON {
		return true
	}
	p.ranges, p.replaced, p.origins = p.ranges[:0], false, 0
	if l.After {
		p.after = max(p.after-1, 0)
	}
	if p.o.Kind == JSON {
		p.begin()
	}
	if p.o.Invert {
		p.locate(l)
	}
	if p.o.Kind == JSON {
		p.line(l, "context")
		return !p.full()
	}
	if p.nul == scan.Convert && p.binary >= 0 {
		return false
	}
	p.print(l, true)
	return !p.full()
}

// Finish ends a search.
func (p *Printer) Finish(e *scan.Ending) {
	switch p.o.Kind {
	case Standard:
		if p.binary >= 0 {
			p.binaryMessage()
		}
	case JSON:
		p.end(e)
		return
	}
	p.count(e)
	if p.o.Kind != Standard {
		p.sum(e)
	}
}
