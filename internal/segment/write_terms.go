package segment

import "espy/internal/segment/dict"

// termWriter writes terms in order with their postings.
type termWriter struct {
	dict *dict.Writer
	enc  postingsEncoder
	spreader
	out []byte
}

// newTermWriter begins the postings of a part whose places are given.
func newTermWriter(f *partWriter, at places) *termWriter {
	return &termWriter{dict: dict.NewWriter(f.frame, dictForm), spreader: spreader{places: at}}
}

func (w *termWriter) add(term []byte, p *postings) {
	e := dict.Entry{BodyDF: len(p.chunks), PathDF: len(p.paths), SymbolDF: len(p.symbols)}
	w.out = w.out[:0]
	if e.BodyDF > 0 {
		w.out = w.enc.appendBody(w.out, p)
	}
	body := len(w.out)
	w.out = appendPaths(w.out, p.paths)
	path := len(w.out)
	w.out = appendDistances(w.out, p.symbols, 0)
	e.BodyLen, e.PathLen, e.SymbolLen = uint32(body), uint32(path-body), uint32(len(w.out)-path)
	e.ChunkDF, e.FileDF = w.spread(p)
	w.dict.Add(term, e, w.out)
}
