package framework

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// Bounds of what is read round a word, in bytes, and of a file that is read by
// lines.
const (
	maxStatement = 400
	maxLines     = 256 << 10
)

// eachStated adds the links of a rule about words: the pattern must match from the
// line of the word on, and the word be in the match. A rule about known keys is asked
// for the keys themselves, which are fewer: a name of the rule must stand before one.
func (f *finder) eachStated(r *rules.Rule) error {
	if r.In != corpus.NoFamily && (!f.Has(r.In) || !f.MayBeUsed(r)) {
		return nil
	}
	words, before := r.Names, 0
	if r.Known {
		words, before = slices.Sorted(maps.Keys(f.known(r.Kind))), maxStatement
	}
	for _, word := range words {
		var failed error
		err := f.Corpus.Mentions(word, func(id corpus.FileID, at uint32) bool {
			if !matches(r.Files, f.Corpus.Path(id)) || r.In != corpus.NoFamily && f.Corpus.Family(id) != r.In {
				return !f.Late()
			}
			text, err := f.Text(id)
			if err != nil {
				failed = err
				return false
			}
			if r.Known && !slices.Contains(r.Names, strings.ToLower(written.WordBefore(text, int(at)))) {
				return !f.Late()
			}
			start := written.LineStart(text, max(0, int(at)-before))
			if r.Known {
				start = max(start, int(at)-2*maxStatement) // of a long line
			}
			f.states(r, id, text, start, int(at))
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

// states adds the links of what matches in a text behind a byte and holds another,
// which must begin the key of a rule about known keys.
func (f *finder) states(r *rules.Rule, id corpus.FileID, text []byte, start, at int) {
	end := start + maxStatement
	if r.Known {
		end = at + maxStatement
	}
	for _, p := range append([]pattern.Pattern{r.Pattern}, r.Also...) {
		for _, m := range p().FindAllSubmatchIndex(text[start:min(len(text), end)], -1) {
			found := written.Match{Pattern: p(), Start: start, Groups: m}
			from, to := found.Span("")
			if key, _ := found.Span("key"); from <= at && at < to && (!r.Known || key == at) {
				f.state(r, id, &found, text)
			}
		}
	}
}

// eachLine adds the links of a rule about the lines of some files.
func (f *finder) eachLine(r *rules.Rule) error {
	return f.eachText(r, func(id corpus.FileID, text []byte) {
		for start := 0; start < len(text); {
			end := written.LineEnd(text, start, len(text))
			if m := r.Pattern().FindSubmatchIndex(text[start:end]); m != nil {
				f.state(r, id, &written.Match{Pattern: r.Pattern(), Start: start, Groups: m}, text)
			}
			start = end + 1
		}
	})
}

// eachPage adds the links of a rule about the texts of some files.
func (f *finder) eachPage(r *rules.Rule) error {
	add := f.state
	if r.Target == rules.File {
		add = f.load
	}
	return f.eachText(r, func(id corpus.FileID, text []byte) {
		for _, m := range r.Pattern().FindAllSubmatchIndex(text, -1) {
			add(r, id, &written.Match{Pattern: r.Pattern(), Groups: m}, text)
		}
	})
}

// load adds the links of a file that a page loads, by a match in the text of the page.
// Their key is the path of that file; what the repository does not hold has none.
func (f *finder) load(r *rules.Rule, id corpus.FileID, m *written.Match, text []byte) {
	at, end := m.Span("key")
	if at == end {
		return
	}
	for _, to := range f.loaded(id, string(text[at:end])) {
		f.links = append(f.links, edge.Link{
			Kind: r.Kind, Key: f.Corpus.Path(to.Ref.File), Role: r.Role, By: r.By[0].Name, Confidence: to.Confidence, Reason: "a file of that path",
			At: corpus.Ref{File: id, Index: int32(f.File(id).Enclosing(uint32(at)))}, To: to.Ref,
			Line: 1 + bytes.Count(text[:at], []byte("\n")),
		})
	}
}

// loaded are the files that an address in a page may mean: the one at that path from
// the folder of the page or from the root, else those whose paths end in it, for the
// folder that is served stands before these.
func (f *finder) loaded(page corpus.FileID, address string) (to []site.Target) {
	if strings.Contains(address, ":") || strings.HasPrefix(address, "//") { // of another host, or data
		return nil
	}
	rooted := strings.HasPrefix(address, "/")
	end := strings.TrimLeft(path.Clean("/"+address), "/")
	from := corpus.Folder(f.Corpus.Path(page))
	if rooted {
		from = ""
	}
	if p, ok := corpus.Join(from, strings.TrimPrefix(address, "/")); ok {
		if id, ok := f.Corpus.Find(p); ok {
			return []site.Target{{Ref: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely}}
		}
	}
	for _, id := range f.assetsNamed(path.Base(end)) {
		if written.EndsIn(f.Corpus.Path(id), end) {
			to = append(to, site.Target{Ref: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely})
		}
	}
	if len(to) > 1 {
		for i := range to {
			to[i].Confidence = facts.Possible
		}
	}
	return to[:min(len(to), site.MaxTargets)]
}

// assetsNamed are the files of a name that a page can load.
func (f *finder) assetsNamed(base string) []corpus.FileID {
	if f.assets == nil {
		f.assets = map[string][]corpus.FileID{}
		for id := range corpus.FileID(f.Corpus.NumFiles()) {
			switch name := path.Base(f.Corpus.Path(id)); path.Ext(name) {
			case ".js", ".mjs", ".ts", ".tsx", ".jsx", ".css", ".scss", ".less":
				f.assets[name] = append(f.assets[name], id)
			}
		}
	}
	return f.assets[base]
}

// eachText reads the files of a rule, as far as maxLines.
func (f *finder) eachText(r *rules.Rule, read func(corpus.FileID, []byte)) error {
	for id := range f.Corpus.NumFiles() {
		id := corpus.FileID(id)
		if !matches(r.Files, f.Corpus.Path(id)) {
			continue
		}
		text, err := f.Text(id)
		if err != nil {
			return err
		}
		read(id, text[:min(len(text), maxLines)])
	}
	return nil
}

// verbOf is the method of HTTP that a match names before or after its key.
func verbOf(m *written.Match, text []byte) string {
	for _, group := range []string{"verb", "after"} {
		if from, to := m.Span(group); from < to {
			return strings.ToUpper(string(text[from:to]))
		}
	}
	return "GET"
}

// matches reports whether the name of a file matches a glob.
func matches(glob, p string) bool {
	if glob == "" {
		return true
	}
	ok, err := path.Match(glob, path.Base(p))
	return err == nil && ok
}

// state adds the link of a match in the text of its file.
func (f *finder) state(r *rules.Rule, id corpus.FileID, m *written.Match, text []byte) {
	at, end := m.Span("key")
	key := string(text[at:end])
	if key == "" || r.Known && !f.known(r.Kind)[key] {
		return
	}
	if r.Kind == edge.Route {
		key = verbOf(m, text) + " " + written.JoinPath("", key)
	}
	l := edge.Link{
		Kind: r.Kind, Key: key, Role: r.Role, By: r.By[0].Name, Confidence: facts.Likely,
		At: corpus.Ref{File: id, Index: int32(f.File(id).Enclosing(uint32(at)))}, To: corpus.Ref{File: id, Index: facts.None},
		Line: 1 + bytes.Count(text[:at], []byte("\n")),
	}
	if r.Target == rules.Grouped {
		from, to := m.Span("to")
		for i := range f.File(id).SymbolsNamed(string(text[from:to])) {
			l.To.Index = int32(i)
			break
		}
	}
	f.links = append(f.links, l)
}

// known are the keys of a kind that what was found so far declares, or reads where
// they are settings.
func (f *finder) known(k edge.Kind) map[string]bool {
	if f.keysOf[k] == nil {
		f.keysOf[k] = map[string]bool{}
		for _, l := range f.links {
			if l.Kind == k && (l.Role == edge.Declares || k == edge.Setting && l.Role == edge.Reads) {
				f.keysOf[k][l.Key] = true
			}
		}
	}
	return f.keysOf[k]
}
