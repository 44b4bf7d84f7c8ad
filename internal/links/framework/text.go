package framework

import (
	"bytes"
	"path"
	"regexp"

	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Bounds of what is read round a word, in bytes, and of a file that is read by
// lines.
const (
	maxStatement = 400
	maxLines     = 256 << 10
)

// eachStated adds the links of a rule about words: the pattern must match from the
// line of the word on, and the word be in the match.
func (f *finder) eachStated(r *rule) error {
	for _, word := range r.names {
		var failed error
		err := f.Corpus.Mentions(word, func(id corpus.FileID, at uint32) bool {
			if !matches(r.files, f.Corpus.Path(id)) || r.in != corpus.NoFamily && f.Corpus.Family(id) != r.in {
				return !f.Late()
			}
			text, err := f.Text(id)
			if err != nil {
				failed = err
				return false
			}
			start := written.LineStart(text, int(at))
			for _, m := range r.pattern.FindAllSubmatchIndex(text[start:min(len(text), start+maxStatement)], 4) {
				if start+m[0] <= int(at) && int(at) < start+m[1] {
					f.state(r, id, text, start, m)
				}
			}
			return !f.Late()
		})
		if failed != nil {
			return failed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachLine adds the links of a rule about the lines of some files.
func (f *finder) eachLine(r *rule) error {
	for id := range f.Corpus.NumFiles() {
		id := corpus.FileID(id)
		if !matches(r.files, f.Corpus.Path(id)) {
			continue
		}
		text, err := f.Text(id)
		if err != nil {
			return err
		}
		text = text[:min(len(text), maxLines)]
		for start := 0; start < len(text); {
			end := written.LineEnd(text, start, len(text))
			if m := r.pattern.FindSubmatchIndex(text[start:end]); m != nil {
				f.state(r, id, text, start, m)
			}
			start = end + 1
		}
	}
	return nil
}

// matches reports whether the name of a file matches a glob.
func matches(glob, p string) bool {
	if glob == "" {
		return true
	}
	ok, err := path.Match(glob, path.Base(p))
	return err == nil && ok
}

// state adds the link of a match of a pattern in the text behind a byte.
func (f *finder) state(r *rule, id corpus.FileID, text []byte, start int, m []int) {
	key := group(r.pattern, text[start:], m, "key")
	if key == "" || r.known && !f.declared(r.kind, key) {
		return
	}
	at := start + m[2*r.pattern.SubexpIndex("key")]
	l := Link{
		Kind: r.kind, Key: key, Role: r.role, By: r.by[0].name, Confidence: facts.Likely,
		At: corpus.Ref{File: id, Index: int32(f.File(id).Enclosing(uint32(at)))}, To: corpus.Ref{File: id, Index: facts.None},
		Line: 1 + bytes.Count(text[:at], []byte("\n")),
	}
	if r.target == grouped {
		for i := range f.File(id).SymbolsNamed(group(r.pattern, text[start:], m, "to")) {
			l.To.Index = int32(i)
			break
		}
	}
	f.links = append(f.links, l)
}

func group(p *regexp.Regexp, text []byte, m []int, name string) string {
	i := p.SubexpIndex(name)
	if i < 0 || m[2*i] < 0 {
		return ""
	}
	return string(text[m[2*i]:m[2*i+1]])
}

// declared reports whether a key of a kind is declared by what was found so far.
func (f *finder) declared(k Kind, key string) bool {
	if f.keysOf == nil {
		f.keysOf = map[Kind]map[string]bool{}
	}
	if f.keysOf[k] == nil {
		f.keysOf[k] = map[string]bool{}
		for _, l := range f.links {
			if l.Kind == k && l.Role == Declares {
				f.keysOf[k][l.Key] = true
			}
		}
	}
	return f.keysOf[k][key]
}
