package clue

import (
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/report"
	"espy/internal/token"
	"espy/internal/wordset"
)

// places finds the files that the query mentions by their paths. Of the files
// with the name that a place gives, those count whose paths agree with it in most
// parts.
type places struct{}

// The worth of a file by how its path agrees with a place of the query.
const (
	wholePlace = 1.0 // one is the end of the other
	partsPlace = 0.7 // name and folder
	namePlace  = 0.4 // the name alone
	placeStep  = 0.05
	leastPlace = 0.5 // of a place far down a stack

	everyones = 0.25 // a part of these: in what people report, such a file is their own
)

// isEveryones reports whether a path is one that programs of all kinds have: src/main.rs.
func isEveryones(path string) bool {
	parts := strings.Split(strings.ToLower(path), "/")
	stem, _, _ := strings.Cut(parts[len(parts)-1], ".")
	return everyonesFile[stem] && !slices.ContainsFunc(parts[:len(parts)-1], func(folder string) bool { return !everyonesFolder[folder] })
}

var (
	everyonesFile   = wordset.Of(`main index app lib mod config test tests setup server program cli manage settings __init__ __main__ run example demo hello foo script`)
	everyonesFolder = wordset.Of(`src app lib test tests cmd bin source pages public home`)
)

// mentionEmphasis is the worth of a line that the query mentions.
const mentionEmphasis = 2

// find gives earlier places more weight, but in a Python traceback later ones.
func (places) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	all := q.Words.Places
	last := latestLast(q.Text)
	step := 0
	for i := range all {
		p := all[i]
		if last {
			p = all[len(all)-1-i]
		}
		found, err := filesAt(in, p, bareName(p, q.Text))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		factor := max(leastPlace, 1-placeStep*float64(step))
		if step++; q.Report != nil && !q.Report.Leads && isEveryones(p.Path) {
			factor *= everyones
		}
		for _, f := range found {
			c := newClue(rank.Mentioned, float64(f.value*factor))
			c.Strong = true
			if p.Line > 0 {
				c.Line, c.Shows, c.Emphasis = p.Line, showLine, mentionEmphasis
				c.First = q.Report == nil && isSure(p, found)
			}
			add(f.segment, f.file, c)
		}
	}
	return nil
}

// isSure reports whether a place is a line of the only file that it may mean, by its
// whole path.
func isSure(p rank.Place, found []fileAt) bool {
	return len(found) == 1 && found[0].value == wholePlace && strings.Contains(p.Path, "/") && found[0].segment.ChunkAt(found[0].file, p.Line) >= 0
}

// latestLast reports whether a text is a traceback whose last call stands last.
func latestLast(text string) bool { return strings.Contains(text, "most recent call last") }

// fileAt is a file that a place may mean.
type fileAt struct {
	segment *corpus.Segment
	file    int
	parts   int // of its path that agree
	value   float64
}

// bareName reports whether a place is no more than the name of a file in a text:
// a hint, for many files may have it.
func bareName(p rank.Place, text string) bool {
	return p.Line == 0 && !strings.Contains(p.Path, "/") && strings.Contains(strings.TrimSpace(text), " ")
}

// filesAt returns the files whose paths agree with a place in most parts.
func filesAt(in *corpus.Corpus, p rank.Place, bare bool) ([]fileAt, error) {
	var best []fileAt
	for _, s := range in.Segments {
		err := eachNamed(s, p, func(file int) {
			parts, whole := p.Matches(s.Path(file))
			if parts == 0 || len(best) > 0 && parts < best[0].parts {
				return
			}
			if len(best) > 0 && parts > best[0].parts {
				best = best[:0]
			}
			f := fileAt{s, file, parts, namePlace}
			switch {
			case whole && !bare:
				f.value = wholePlace
			case parts > 1:
				f.value = partsPlace
			}
			best = append(best, f)
		})
		if err != nil {
			return nil, err
		}
	}
	return best, nil
}

// eachNamed calls yield for each live file that may have the name of a place:
// those with a term of it in their stem, or all where it has no term.
func eachNamed(s *corpus.Segment, p rank.Place, yield func(file int)) error {
	term := longestTerm(p.Stem())
	if term == "" {
		for f := range s.NumFiles() {
			if s.Alive(f) {
				yield(f)
			}
		}
		return nil
	}
	t, ok, err := s.Lookup(term)
	if err != nil || !ok {
		return err
	}
	for it := t.Path(); ; {
		file, inStem, _, ok := it.Next()
		if !ok {
			return nil
		}
		if inStem > 0 && s.Alive(file) {
			yield(file)
		}
	}
}

// longestTerm returns the first of the longest terms of a text, "" for none.
func longestTerm(text string) (longest string) {
	for _, w := range token.Words(text) {
		for _, t := range w.Terms {
			if len(t) > len(longest) {
				longest = t
			}
		}
	}
	return longest
}

// diagnostics finds the files that compilers, linters and runs of tests name: whoever
// pastes their output wants these, in its order, wherever they are in this tree.
type diagnostics struct{}

func (diagnostics) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	texts := map[filePlace]string{}
	for n, d := range q.named {
		place := rank.Place{Path: d.Path, Line: d.Line}
		found, err := filesAt(in, place, false)
		if err != nil {
			return err
		}
		for _, at := range named(found, place) {
			line := at.segment.LineIn(at.file, d.Function, d.Line)
			if at.segment.ChunkAt(at.file, line) < 0 {
				continue
			}
			has, err := at.has(d.Code, texts)
			if err != nil {
				return err
			}
			if !has && at.parts < surePath {
				continue
			}
			c := newClue(NoSignal, 1/float64(n+1))
			c.Strong, c.Named = true, n+1
			c.Line, c.Shows, c.Emphasis = line, showLine, mentionEmphasis
			add(at.segment, at.file, c)
		}
	}
	return nil
}

// surePath is how many parts of a path agree where it is that file, though its code has changed since.
const surePath = 4

// Bounds of comparing the code that a tool shows.
const (
	leastCode   = 8       // bytes that are no blanks: less is everywhere
	maxCompared = 1 << 20 // bytes of a file
)

// has reports whether a file has some code, blanks aside: one that has not is another
// file of that name. The texts are those of files that were read, without blanks.
func (f *fileAt) has(code string, texts map[filePlace]string) (bool, error) {
	code = withoutBlanks(code)
	size := f.segment.TextSize(f.file)
	if len(code) < leastCode || size > maxCompared {
		return true, nil
	}
	text, ok := texts[filePlace{f.segment, f.file}]
	if !ok {
		b, err := f.segment.TextRange(f.file, 0, size, nil)
		if err != nil {
			return false, err
		}
		text = withoutBlanks(string(b))
		texts[filePlace{f.segment, f.file}] = text
	}
	return strings.Contains(text, code), nil
}

func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

// diagnostics returns the places that tools name in a query; none in a title.
func (q *Query) diagnostics() []report.Diagnostic {
	if q.Title {
		return nil
	}
	if q.Report != nil {
		return q.Report.Diagnostics
	}
	if !strings.ContainsAny(strings.TrimSpace(q.Text), " \n") {
		return nil
	}
	return report.Diagnostics(q.Text)
}

// named returns which of the files that a place may mean it surely names: the one that has
// all of its path, else those that agree with it from end to end, where they have its line.
// A file of the root agrees with every path that ends in its name: it counts where no
// other is called so.
func named(found []fileAt, p rank.Place) []fileAt {
	found = slices.DeleteFunc(found, func(f fileAt) bool {
		return f.value != wholePlace || p.Line > 0 && f.segment.ChunkAt(f.file, p.Line) < 0 || f.parts == 1 && strings.Contains(p.Path, "/") && len(found) > 1
	})
	for _, f := range found {
		if f.segment.Path(f.file) == p.Path {
			return []fileAt{f}
		}
	}
	if len(found) > maxNamesakes {
		return nil
	}
	return found
}

// frames finds the files that a trace went through. Where a file has changed since, the
// function that a frame names says where in it.
type frames struct{}

// maxNamesakes is the most files that a frame may mean.
const maxNamesakes = 3

// find says of the n-th file from the end of the trace 1/n.
func (frames) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	if q.Title {
		return nil
	}
	type place struct{ segment, file int }
	known := map[place]bool{}
	for _, f := range q.frames() {
		if f.Path == "" || f.Line == 0 && f.Function == "" {
			continue
		}
		found, err := filesAt(in, rank.Place{Path: f.Path, Line: f.Line}, false)
		if err != nil {
			return err
		}
		if len(found) > maxNamesakes {
			continue
		}
		worth := 1 / float64(len(known)+1)
		for _, at := range found {
			p := place{at.segment.Index, at.file}
			line := at.segment.LineIn(at.file, f.Function, f.Line)
			if at.value == namePlace || known[p] || line == 0 {
				continue
			}
			known[p] = true
			c := newClue(NoSignal, worth)
			if f.Line == 0 { // else the text mentions its place
				c = newClue(rank.Mentioned, max(leastPlace, 1-float64(placeStep*float64(len(known)-1))))
			}
			c.Strong, c.Frame = true, worth
			if q.Report == nil && at.value == wholePlace && (at.parts > 1 || len(found) == 1) {
				c.Named = report.MaxDiagnostics + len(known)
			}
			c.Line, c.Shows, c.Emphasis = line, showLine, mentionEmphasis
			add(at.segment, at.file, c)
		}
	}
	if len(known) > 0 {
		return nil
	}
	return called(q, in, add)
}

// called finds the files of the functions that a trace went through where none of its files
// is here: some name none, and what was installed may be one file that was made of many.
// Names of one word are those of other programs too.
func called(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	n := 0
	for _, f := range q.frames() {
		if f.Path != "" && f.Line == 0 || f.Within == "" && partsOf(f.Function) < 2 {
			continue
		}
		found, folded, err := in.Definitions(f.Function)
		if err != nil {
			return err
		}
		if f.Within != "" {
			if found, err = besides(in, found, f.Within, folded || partsOf(f.Function) < 2); err != nil {
				return err
			}
		}
		if folded && f.Within == "" || !inOneFile(in, found) {
			continue
		}
		for i, s := range in.Segments {
			if len(found[i]) == 0 {
				continue
			}
			d := s.Definition(found[i][0])
			if !d.Kind.IsFunc() || s.Class(d.File)&beside != 0 {
				continue
			}
			n++
			c := newClue(NoSignal, 1/float64(n))
			if c.Strong, c.Frame = true, c.Value; q.Report == nil {
				c.Named = report.MaxDiagnostics + n
			}
			c.Line, c.Shows, c.Emphasis = int(d.Line), showLine, mentionEmphasis
			add(s, d.File, c)
		}
	}
	return nil
}

// inOneFile reports whether some definitions, by segment, are of one file: the only one of their name, or
// all of a function that has several forms.
func inOneFile(in *corpus.Corpus, found [][]int) bool {
	files := map[filePlace]bool{}
	for i, s := range in.Segments {
		for _, d := range found[i] {
			files[filePlace{s, s.Definition(d).File}] = true
		}
	}
	return len(files) == 1
}

// besides leaves those of some definitions, by segment, in whose file a module or type is declared. Where
// there are none it leaves all, or none where that must be so.
func besides(in *corpus.Corpus, found [][]int, within string, must bool) ([][]int, error) {
	around, _, err := in.Definitions(within)
	if err != nil {
		return nil, err
	}
	var all [][]int
	for i, s := range in.Segments {
		files := map[int]bool{}
		for _, d := range around[i] {
			files[s.Definition(d).File] = true
		}
		all = append(all, slices.DeleteFunc(slices.Clone(found[i]), func(d int) bool { return !files[s.Definition(d).File] }))
	}
	if !must && len(slices.Concat(all...)) == 0 {
		return found, nil
	}
	return all, nil
}

// partsOf returns how many words a name is made of.
func partsOf(name string) (n int) {
	for _, w := range token.Words(name) {
		n += len(w.Terms)
	}
	return n
}

// frames returns the frames in a query, the innermost first.
func (q *Query) frames() []report.Frame {
	if q.Report != nil {
		return q.Report.Frames
	}
	for _, p := range q.Words.Places {
		if p.Line > 0 {
			return report.Frames(q.Text)
		}
	}
	if strings.Contains(strings.TrimSpace(q.Text), "\n") {
		return report.Frames(q.Text)
	}
	return nil
}
