package impact

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"espy/internal/diff"
	"espy/internal/facts"
	"espy/internal/impact/lined"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// changed finds in the index what changes.
func (f *finder) changed() error {
	if f.req.What != "" {
		if err := f.what(); err != nil {
			return err
		}
	}
	if len(f.trees) > 0 {
		f.compared()
	}
	for _, d := range f.differ {
		f.differing(d)
	}
	slices.SortStableFunc(f.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	for i := range f.changes {
		f.answer.Changed = append(f.answer.Changed, f.changes[i].Changed)
	}
	return nil
}

// what finds what the request names: a file, lines of one, or else a symbol.
func (f *finder) what() error {
	at, hasLines := place.Parse(f.req.What)
	for _, p := range []place.Place{{Path: place.ParseName(f.req.What)}, at} {
		if id, ok := f.ask.Corpus.Find(path.Clean(p.Path)); ok {
			if err := f.isClear(id, p.Path); err != nil {
				return err
			}
			return f.lines(id, p)
		}
	}
	if hasLines {
		return &usage.Error{Arg: "what", Value: f.req.What, Msg: at.Path + " is not in the index", Hint: f.ask.NearestPath(at.Path)}
	}
	return f.named(place.ParseName(f.req.What))
}

// isClear refuses the path of a file that several repositories have, and with packages
// one of the repository.
func (f *finder) isClear(id corpus.FileID, p string) error {
	all := f.ask.Corpus.All(path.Clean(p))
	switch {
	case f.deep && f.isHere(id):
		return &usage.Error{Arg: "what", Value: p, Msg: "is of the repository, not of a package that it uses", Hint: "leave scope out; nothing of a package uses it"}
	case len(all) < 2:
		return nil
	}
	var names []string
	for _, one := range all {
		names = append(names, f.ask.Corpus.Path(one))
	}
	return &usage.Error{Arg: "what", Value: p, Msg: "several repositories have that file", Hint: "name the one that changes: " + some(names)}
}

// named finds the symbol of a name.
func (f *finder) named(name string) error {
	f.answer.About = place.Symbol(name)
	meant, err := f.ask.Meant(locate.Target{Name: name})
	groups := f.inPackages(meant.Groups)
	groups, f.answer.Namesakes = f.ask.Program(groups)
	switch {
	case err != nil:
		return err
	case len(groups) == 0:
		if f.answer.Outlined, err = f.ask.Outlined(name); err != nil {
			return err
		}
		if f.answer.Outlined != "" {
			return f.addLined(lined.Named(f.ask, name))
		}
		if strings.Contains(name, "/") {
			return &usage.Error{Arg: "what", Value: name, Msg: "neither a file of the index nor a symbol", Hint: f.ask.NearestPath(name)}
		}
		f.answer.Near = f.ask.Near(name)
	case len(groups) == 1:
		f.add(groups[0][0], Asked)
	default:
		for _, g := range groups {
			d, err := f.ask.Definition(g[0], false)
			if err != nil {
				return err
			}
			f.answer.Candidates = append(f.answer.Candidates, d)
		}
	}
	return nil
}

// lines finds what a file, or some lines of it, declare.
func (f *finder) lines(id corpus.FileID, p place.Place) error {
	f.answer.About = place.Name(f.ask.Corpus.Path(id))
	starts, err := f.ask.LineStarts(id)
	if err != nil {
		return err
	}
	most := len(starts) - 1
	first, last := max(p.First, 1), min(p.Last, most)
	switch {
	case p.Last == 0 && p.First == 0:
		last = most
	case first > most:
		return &usage.Error{Arg: "what", Value: f.req.What, Msg: fmt.Sprintf("the file has %d lines", most), Hint: "name lines of it"}
	case p.Last == 0:
		last = most
		fallthrough
	default:
		last = max(first, last)
		f.answer.About += fmt.Sprintf(":%d-%d", first, last)
	}
	text, err := f.ask.Text(id)
	if err != nil {
		return err
	}
	if err := f.addLined(lined.In(f.ask, id, text, first, last, maxDeclared)); err != nil {
		return err
	}
	if len(f.changes) == 0 || last-first+1 == most {
		f.within(id, text, uint32(starts[first-1]), uint32(starts[last]))
	}
	return nil
}

// addLined adds definitions without a grammar: who mentions them, and who imports their
// file, is all that is known.
func (f *finder) addLined(all []lined.Definition, err error) error {
	for _, d := range all[:min(len(all), maxDeclared)] {
		p := f.ask.Corpus.Path(d.File)
		what := Changed{What: Asked, Path: p, ID: p + "#" + d.Name, Name: d.Name, Kind: d.Kind, Line: int(d.Line)}
		one := change{Changed: what, ref: corpus.Ref{File: noFile, Index: facts.None}, words: true, importers: d.Importers, doubt: d.InDoubt}
		switch {
		case d.InDoubt && len(d.Importers) == 0:
			one.left = "other files declare its name too, and no grammar tells whose is used"
		case d.InDoubt:
			one.left = "other files declare its name too: only files that import this one were looked at"
		}
		f.changes = append(f.changes, one)
		f.answer.Outlined = cmp.Or(f.answer.Outlined, f.ask.Corpus.Where(d.Outlined))
	}
	return err
}

// within adds what declares something in a stretch of a file: the innermost symbols
// that are listed; the file itself where some of it stands outside of all.
func (f *finder) within(id corpus.FileID, text []byte, from, to uint32) {
	file := f.ask.File(id)
	var all []int
	told := map[int32]uint32{} // up to where symbols tell of all code in another
	for i := range file.NumSymbols() {
		s := f.ask.Symbol(corpus.Ref{File: id, Index: int32(i)})
		if s.Start >= to || s.End <= from || !locate.IsListed(s) {
			continue
		}
		all = append(all, i)
		if at := max(told[s.Parent], from); text != nil && (s.Start <= at || isBlank(text[at:s.Start])) {
			told[s.Parent] = max(at, s.End)
		}
	}
	for _, i := range all {
		at, holds := told[int32(i)]
		if !holds || at < to && !isBlank(text[at:to]) {
			f.add(corpus.Ref{File: id, Index: int32(i)}, Asked)
		}
	}
	if len(all) == 0 {
		f.addFile(id, f.ask.Corpus.Path(id), f.whatOf(id))
	}
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// whatOf says what changes where no symbol does.
func (f *finder) whatOf(id corpus.FileID) What {
	if f.ask.File(id).NumSymbols() == 0 {
		return Contents
	}
	return Outside
}

// compared takes over what the work trees differ in.
func (f *finder) compared() {
	var about []string
	total := 0
	for i := range f.trees {
		t := &f.trees[i]
		total += t.Total
		if text := t.about(); !f.several {
			about = append(about, text)
		} else if t.Total > 0 {
			about = append(about, t.prefix+" "+text)
		}
		f.takeOver(t)
	}
	if f.several && len(about) == 0 {
		about = []string{fmt.Sprintf("0 changed files in %d repositories", len(f.trees))}
	}
	f.answer.About = strings.Join(about, "; ")
	if total == 0 {
		f.answer.Notes = append(f.answer.Notes, "nothing differs: name a symbol or a file, or another commit with since")
	}
}

// about says what differs.
func (t *tree) about() string {
	if t.Total == 1 {
		return fmt.Sprintf("1 changed file, %s to %s", t.From.Name, t.To.Name)
	}
	return fmt.Sprintf("%d changed files, %s to %s", t.Total, t.From.Name, t.To.Name)
}

// takeOver takes over what one work tree differs in.
func (f *finder) takeOver(c *tree) {
	for _, n := range c.Notes {
		if f.several {
			n = strings.TrimSuffix(c.prefix, ":") + ": " + n
		}
		f.answer.Notes = append(f.answer.Notes, n)
	}
	if c.Pending+c.Left > 0 {
		f.answer.Left += c.Pending + c.Left
		f.answer.Notes = append(f.answer.Notes, fmt.Sprintf("%d changed files were not compared in time", c.Pending+c.Left))
	}
	if c.Total > len(c.Files) {
		f.answer.Notes = append(f.answer.Notes, fmt.Sprintf("the first %d changed files were looked at", len(c.Files)))
	}
	for i := range c.Files {
		file := &c.Files[i]
		if file.Counted && file.Added+file.Removed == 0 && len(file.Symbols) == 0 && file.Old == "" { // its mode
			continue
		}
		f.differing(differing{
			path: c.prefix + file.Path, old: c.prefix + cmp.Or(file.Old, file.Path), prefix: c.prefix,
			newer: true, git: c.Source.ByContent(), symbols: file.Symbols, lines: file.Lines,
		})
	}
}

var whats = map[diff.Kind]What{
	diff.Removed: Removed, diff.Signature: Signature, diff.Moved: Moved, diff.Added: Added, diff.Body: Body, diff.Doc: Doc,
}

// differing adds the symbols of a file that differ.
func (f *finder) differing(d differing) {
	f.texts[d.path] = d.lines
	switch id, ok := f.ask.Corpus.Find(d.path); {
	case len(d.symbols) > 0:
	case d.old != d.path: // who takes it in by its old name
		f.addPath(d.old, Moved)
	case ok && f.ask.File(id).NumSymbols() > 0 && len(f.trees) > 0 && !d.git: // all of it may differ
		f.within(id, nil, 0, math.MaxUint32)
	default:
		f.addPath(d.path, Contents)
	}
	for i := range d.symbols {
		c := &d.symbols[i]
		what, s, p := whats[c.Kind], c.Symbol, d.path
		if !d.newer && c.Kind != diff.Added || c.Kind == diff.Removed {
			s, p = c.Old, d.old
			if c.OldPath != "" {
				p = d.prefix + c.OldPath
			}
		}
		if s.ID == diff.Outside {
			if what == Doc {
				continue
			}
			f.addPath(p, Outside)
			continue
		}
		one := change{Changed: Changed{What: what, Path: p, ID: p + "#" + s.ID, Name: s.Name, Kind: s.Kind, Line: s.Line}, ref: corpus.Ref{File: noFile, Index: facts.None}}
		if c.Kind == diff.Moved && d.newer { // users of the name as it was
			one.Name = c.Old.Name
		}
		if d.newer && c.Kind != diff.Removed || !d.newer && c.Kind != diff.Added {
			var ok bool
			if one.ref, ok = f.ask.ByID(one.ID); !ok {
				one.ref.File, one.words = noFile, !f.isParsed(p)
			}
		}
		f.changes = append(f.changes, one)
	}
}

// isParsed reports whether a grammar shows what a file of the index declares.
func (f *finder) isParsed(p string) bool {
	id, ok := f.ask.Corpus.Find(p)
	return ok && f.ask.File(id).NumSymbols() > 0
}

// add adds a symbol of the index.
func (f *finder) add(r corpus.Ref, what What) {
	s := f.ask.Symbol(r)
	f.changes = append(f.changes, change{Changed: Changed{What: what, Path: f.ask.Corpus.Path(r.File), ID: f.ask.ID(r), Name: s.Name, Kind: s.Kind, Line: int(s.Line)}, ref: r})
}

// addPath adds a file by its path.
func (f *finder) addPath(p string, what What) {
	id, ok := f.ask.Corpus.Find(p)
	if !ok {
		id = noFile
	}
	f.addFile(id, p, what)
}

func (f *finder) addFile(id corpus.FileID, p string, what What) {
	if slices.ContainsFunc(f.changes, func(c change) bool { return c.ID == "" && c.Path == p }) {
		return
	}
	f.changes = append(f.changes, change{Changed: Changed{What: what, Path: p}, ref: corpus.Ref{File: id, Index: facts.None}})
}
