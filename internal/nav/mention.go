package nav

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// mention is a place in a text where the name of a symbol appears outside of code.
type mention struct {
	file corpus.FileID
	at   uint32
}

// mentions answers with the places where the name appears in comments, strings,
// documentation and files without a grammar: everywhere but where code
// declares or uses it.
func (a *ask) mentions(res *References, r *ReferencesRequest, group []corpus.Ref) error {
	if len(group) == 0 {
		return nil
	}
	name := a.Symbol(group[0]).Name
	var all []mention
	inCode := map[corpus.FileID]map[uint32]bool{}
	err := a.corpus.Mentions(name, func(f corpus.FileID, at uint32) bool {
		if inCode[f] == nil {
			inCode[f] = a.codeAt(f, name)
		}
		if !inCode[f][at] {
			all = append(all, mention{f, at})
		}
		if a.late() {
			res.Left++ // at least: the text behind is not read
			return false
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y mention) int { return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.at, y.at)) })
	res.Possible = len(all)
	for _, m := range page(all, r.Offset, r.Limit, defaultReferences) {
		text, err := a.text(m.file)
		if err != nil {
			return err
		}
		ref := Reference{
			Line: bytes.Count(text[:m.at], []byte("\n")) + 1, Column: int(m.at) - bytes.LastIndexByte(text[:m.at], '\n'),
			Name: name, Confidence: facts.Possible, Reason: "mentioned", Text: lineAt(text, m.at),
		}
		if in := a.File(m.file).Enclosing(m.at); in != facts.None {
			ref.In = a.id(corpus.Ref{File: m.file, Index: int32(in)})
		}
		res.Maybe = addReference(res.Maybe, a.corpus.Path(m.file), ref)
	}
	return nil
}

// codeAt are the bytes of a file where code declares or uses a name.
func (a *ask) codeAt(f corpus.FileID, name string) map[uint32]bool {
	at := map[uint32]bool{}
	file := a.File(f)
	for i := range file.SymbolsNamed(name) {
		at[a.Symbol(corpus.Ref{File: f, Index: int32(i)}).At] = true
	}
	for i := range file.UsesNamed(name) {
		at[a.Use(f, i).At] = true
	}
	for i := range file.NumImports() {
		at[file.Import(i).At] = true
	}
	return at
}

// addReference appends a reference to those of its file.
func addReference(files []FileReferences, path string, ref Reference) []FileReferences {
	if n := len(files); n == 0 || files[n-1].Path != path {
		files = append(files, FileReferences{Path: path})
	}
	last := &files[len(files)-1]
	last.References = append(last.References, ref)
	return files
}
