package nav

import (
	"bytes"
	"path"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// Outline lists what a file, the files of a folder, or those of a package
// declare, in the order of their paths and text.
func (x *Index) Outline(r OutlineRequest) (*Outline, error) {
	if err := locate.CheckLimits(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	res := &Outline{Offset: r.Offset, Pending: x.Pending()}
	err := x.run(func(a *ask) error {
		in := outlining{OutlineRequest: r}
		files := a.outlined(r.Path)
		if ref, ok := a.ByID(r.Path); ok && len(files) == 0 {
			files, in.of = []corpus.FileID{ref.File}, &ref
		}
		if len(files) == 0 {
			return &usage.Error{Arg: "path", Value: r.Path, Msg: "not in the index", Hint: a.NearestPath(r.Path)}
		}
		limit := r.Limit
		if limit == 0 {
			limit = defaultOutline
		}
		for i, f := range files {
			if a.Late() {
				res.Left = len(files) - i
				break
			}
			o, err := a.outline(f, &in, res.Total, limit)
			if err != nil {
				return err
			}
			res.Total += o.total
			if o.shown {
				res.Files = append(res.Files, o.FileOutline)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// outlining is an outline that is asked for.
type outlining struct {
	OutlineRequest
	of *corpus.Ref // the symbol whose id the path is, nil for none: it and what it holds
}

// outlined are the files that a path means: itself, those below it, or those of
// a package of that name.
func (a *ask) outlined(p string) []corpus.FileID {
	p = path.Clean(p)
	if p == "." || p == "/" {
		p = ""
	}
	if f, ok := a.Corpus.Find(p); ok {
		return []corpus.FileID{f}
	}
	if files := a.Corpus.Under(p); len(files) > 0 {
		return files
	}
	var files []corpus.FileID
	for f := range a.Corpus.NumFiles() {
		if a.File(corpus.FileID(f)).Package() == p {
			files = append(files, corpus.FileID(f))
		}
	}
	return files
}

// fileOutline is the outline of one file, cut to what the page shows of it.
type fileOutline struct {
	FileOutline
	total int
	shown bool
}

// outline reads one file; before counts the symbols of the files before it.
func (a *ask) outline(f corpus.FileID, r *outlining, before, limit int) (o fileOutline, err error) {
	file := a.File(f)
	o.FileOutline = FileOutline{
		Path: a.Corpus.Path(f), Package: file.Package(), State: file.State().String(), Reason: file.Reason(), Faults: file.Faults(),
	}
	show := func(n int) bool { return before+n >= r.Offset && before+n < r.Offset+limit }
	if a.linesOutlined(f, o.Path == path.Clean(r.Path)) {
		o.Symbols, o.total, err = a.outlineLines(f, show)
		o.ByLine = o.total > 0 || a.isReadByLine(f)
	} else {
		o.Symbols, o.total, err = a.outlineSymbols(f, r, show)
	}
	if err != nil {
		return o, err
	}
	o.shown = len(o.Symbols) > 0 || o.total == 0 && show(0)
	if o.shown && r.Metrics {
		o.Lines, err = a.lines(f)
	}
	return o, err
}

// outlineSymbols lists what a file declares by its facts: those symbols whose
// number in the file show lets through.
func (a *ask) outlineSymbols(f corpus.FileID, r *outlining, show func(n int) bool) (symbols []OutlineSymbol, total int, err error) {
	file := a.File(f)
	depth := make([]int, file.NumSymbols())
	in := make([]bool, file.NumSymbols())
	for i := range file.NumSymbols() {
		ref := corpus.Ref{File: f, Index: int32(i)}
		s := a.Symbol(ref)
		listed := r.Locals || locate.IsListed(s)
		in[i] = r.of == nil || r.of.Index == ref.Index
		if s.Parent != facts.None && in[s.Parent] {
			depth[i], in[i] = depth[s.Parent], true
		}
		if !listed || !in[i] {
			continue
		}
		if show(total) {
			line, err := a.outlineSymbol(ref, s, depth[i], r.Metrics)
			if err != nil {
				return nil, 0, err
			}
			symbols = append(symbols, line)
		}
		total++
		depth[i]++
	}
	return symbols, total, nil
}

// lines counts the lines of a file.
func (a *ask) lines(f corpus.FileID) (int, error) {
	text, err := a.Text(f)
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n, err
}

func (a *ask) outlineSymbol(ref corpus.Ref, s *facts.Symbol, depth int, metrics bool) (OutlineSymbol, error) {
	signature, err := a.Cut(ref.File, s.SigStart, s.SigEnd)
	o := OutlineSymbol{
		ID: a.ID(ref), Name: s.Name, Kind: s.Kind, Depth: depth, Line: int(s.Line), EndLine: int(s.EndLine),
		Signature: outline.OneLine(signature, a.Corpus.Language(ref.File)), Exported: s.Flags&facts.Exported != 0,
	}
	if metrics {
		o.Complexity = int(s.Complexity)
	}
	return o, err
}
