package export

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/redact"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// walker reads the files of one run.
type walker struct {
	*locate.Ask
	graph   *graph.Graph
	request *Request
	whole   *whole
	counts  *Tail
	related map[relation]bool             // in the file that is read
	origins map[corpus.Ref]modules.Origin // of imports
}

func newWalker(a *locate.Ask, r *Request, whole *whole, counts *Tail) *walker {
	return &walker{Ask: a, graph: graph.New(a), request: r, whole: whole, counts: counts, origins: map[corpus.Ref]modules.Origin{}}
}

// file reads one file.
func (w *walker) file(id corpus.FileID) (*File, error) {
	file := w.File(id)
	f := &File{ID: id, Path: w.Corpus.Path(id), Language: w.Corpus.Language(id), Package: file.Package(), Class: w.Corpus.Class(id),
		Lines: w.Corpus.Lines(id), State: file.State(), Reason: file.Reason()}
	w.counts.Files++
	if w.Corpus.Family(id) != corpus.NoFamily {
		switch f.State {
		case syn.Failed:
			w.counts.Failed++
		case syn.Absent:
			w.counts.Pending++
		}
	}
	if err := w.symbols(f); err != nil {
		return nil, err
	}
	calls := w.uses(f)
	if err := w.edges(f, calls); err != nil {
		return nil, err
	}
	w.counts.Symbols += len(f.Symbols)
	w.counts.References += len(f.References)
	for i := range f.Edges {
		w.counts.Edges[f.Edges[i].Kind]++
	}
	return f, nil
}

// symbols lists what a file declares.
func (w *walker) symbols(f *File) error {
	if !w.request.wants(Symbols) {
		return nil
	}
	if w.Corpus.Family(f.ID) == corpus.NoFamily {
		return w.outlined(f)
	}
	for i := range int32(w.File(f.ID).NumSymbols()) {
		r := corpus.Ref{File: f.ID, Index: i}
		s := w.Symbol(r)
		local := s.Flags&facts.Local != 0
		if local && !w.request.Locals {
			continue
		}
		d, err := w.Declared(r)
		if err != nil {
			return err
		}
		d.Signature, d.Doc = w.shown(f.Path, d.Signature), w.shown(f.Path, d.Doc)
		one := Symbol{Definition: d, Ref: r, Local: local, Same: w.graph.Node(r)}
		if s.Parent != facts.None {
			one.In = w.ID(corpus.Ref{File: f.ID, Index: s.Parent})
		}
		f.Symbols = append(f.Symbols, one)
	}
	return nil
}

// outlined lists what was found line by line in a file that has no facts.
func (w *walker) outlined(f *File) error {
	all := w.Corpus.Definitions(f.ID)
	if len(all) == 0 {
		return nil
	}
	text, err := w.Text(f.ID)
	if err != nil {
		return err
	}
	lines, none := locate.LinesOf(text), corpus.Ref{File: f.ID, Index: facts.None}
	for i, d := range all {
		f.Symbols = append(f.Symbols, Symbol{Ref: none, Same: none, Definition: locate.Definition{
			Path: f.Path, Line: int(d.Line), Column: 1, EndLine: lines.End(all, i), Name: d.Name, QualifiedName: d.Name, Kind: d.Kind,
			Signature: w.shown(f.Path, lines.Signature(d)),
		}})
	}
	return nil
}

// shown is a text of a file as it is written: with markers in the place of secrets.
func (w *walker) shown(path, text string) string {
	if w.request.ShowSecrets || text == "" {
		return text
	}
	return redact.String(path, text)
}

// uses lists what the uses of a file mean, and returns the calls among them.
func (w *walker) uses(f *File) *calling {
	calls := &calling{walker: w, at: map[call]int{}}
	if !w.request.wants(References) && !w.request.wants(Calls) {
		return calls
	}
	for i := range int32(w.File(f.ID).NumUses()) {
		if w.Late() { // the caller knows by its context
			break
		}
		w.use(f, corpus.Ref{File: f.ID, Index: i}, calls)
	}
	return calls
}

// use adds what one use means.
func (w *walker) use(f *File, use corpus.Ref, calls *calling) {
	told, maybe := w.Tell(use.File, int(use.Index))
	u := w.Use(use.File, int(use.Index))
	switch {
	case maybe:
		w.counts.Possible++
		return
	case len(told) == 0:
		w.elsewhere(f, use)
		return
	}
	at := w.File(use.File).Use(int(use.Index)).Place
	in := w.graph.Holder(use.File, u.In)
	if w.request.wants(Calls) && u.Role != facts.RoleImport {
		calls.add(in, use, told)
	}
	if !w.request.wants(References) {
		return
	}
	first := len(f.References)
	for _, m := range told {
		if !w.request.Locals && w.isLocal(m.Ref) {
			continue
		}
		to := w.graph.Node(m.Ref)
		if slices.ContainsFunc(f.References[first:], func(r Reference) bool { return r.To == to }) {
			continue
		}
		f.References = append(f.References, Reference{Use: *u, Line: int(at.Line), Column: int(at.Column), In: in, To: to, Confidence: m.Confidence, Reason: m.Reason})
		if m.Confidence == facts.Certain {
			w.counts.Certain++
		}
	}
	for i := first; i < len(f.References); i++ {
		f.References[i].Among = len(f.References) - first
	}
}

func (w *walker) isLocal(r corpus.Ref) bool {
	s := w.Symbol(r)
	return s.Flags&facts.Local != 0 && s.Kind != code.KindParam
}

// elsewhere adds a use of what no file declares, as far as an import says where it
// is from.
func (w *walker) elsewhere(f *File, use corpus.Ref) {
	e, ok := w.UsedElsewhere(use)
	if !ok || e.From == "" {
		w.counts.Unknown++
		return
	}
	if !w.request.wants(References) {
		return
	}
	u, at := w.Use(use.File, int(use.Index)), w.File(use.File).Use(int(use.Index)).Place
	r := Reference{Use: *u, Line: int(at.Line), Column: int(at.Column), In: w.graph.Holder(use.File, u.In),
		To: corpus.Ref{File: use.File, Index: facts.None}, Confidence: facts.Certain, Among: 1, Elsewhere: &e}
	if e.Import.Index == facts.None {
		r.Confidence, r.Reason = facts.Likely, "by the type of what it is a member of"
	} else {
		r.Reason, r.Origin = "by an import", w.origin(e.Import)
		w.counts.Certain++
	}
	w.counts.Elsewhere++
	f.References = append(f.References, r)
}

// origin is where an import from elsewhere comes from.
func (w *walker) origin(imported corpus.Ref) modules.Origin {
	o, ok := w.origins[imported]
	if !ok {
		m := w.File(imported.File).Import(int(imported.Index))
		o = w.whole.origins.Of(imported.File, &m)
		w.origins[imported] = o
	}
	return o
}

// byLine orders edges by their kind, place and ends.
func byLine(x, y Edge) int {
	return cmp.Or(cmp.Compare(slices.Index(Kinds, x.Kind), slices.Index(Kinds, y.Kind)), cmp.Compare(x.Line, y.Line),
		cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.Relation, y.Relation), cmp.Compare(x.Key, y.Key))
}
