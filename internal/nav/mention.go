package nav

import (
	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// mentions answers with the places where the name appears in comments, strings,
// documentation and files without a grammar: everywhere but where code
// declares or uses it, and for a union but where that lists it as possible. So the
// union counts as many mentions as it does not list.
func (a *ask) mentions(res *References, r *ReferencesRequest, group []corpus.Ref) error {
	name := r.Name
	if len(group) > 0 {
		name = a.Symbol(group[0]).Name
	} else if !isBare(name) {
		return nil
	}
	var all []located
	err := a.words(name, nil, func(f corpus.FileID, at uint32, s standing) bool {
		if s.isMention() || !r.Union && s.isUse() && s != inImport {
			ref := resolve.Reference{File: f, Use: facts.None, Symbol: facts.None, Confidence: facts.Possible, Reason: reasons[s]}
			all = append(all, located{Reference: ref, at: at, word: name})
		}
		if a.Late() {
			res.Left++ // at least: the text behind is not read
			return false
		}
		return true
	})
	if err != nil {
		return err
	}
	sortPlaces(all)
	res.Apart = apart(a, r.Files, &all, func(p *located) corpus.FileID { return p.File })
	res.Possible = len(all)
	res.Maybe, err = a.byFile(pageOf(all, r.Offset, r.Limit, defaultReferences))
	return err
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
