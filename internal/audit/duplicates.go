package audit

import (
	"cmp"
	"fmt"
	"slices"

	"espy/internal/lang"
	"espy/internal/resolve/corpus"
	"espy/internal/similar/shingle"
)

// Bounds of duplicates.
const (
	windowTokens  = 40  // a run of so many equal tokens is looked at
	minCopied     = 80  // a run of fewer tokens, or
	minCopiedLine = 8   // of fewer lines, is not listed
	minDistinct   = 16  // one of fewer different tokens is a table
	maxAlike      = 40  // places with one run that are compared
	maxTokens     = 8e6 // of all files; about 800,000 lines
)

// text is the tokens of a file.
type text struct {
	file  corpus.FileID
	exact []uint32
	lines []int32 // of the tokens
}

// copyOf is a run of tokens that stands in two places.
type copyOf struct {
	a, b   int32 // texts
	at, to int32 // first tokens
	length int32
}

// duplicates lists runs of equal tokens in two places, the longest first. Spaces
// and comments do not count; a place that is part of a longer run is not listed again.
func (a *auditor) duplicates() (found []Finding, t Total, err error) {
	texts, whole, err := a.tokens()
	t.AtLeast = !whole
	if err != nil {
		return nil, t, err
	}
	if len(texts) == 0 {
		t.None = "no code to compare"
	}
	runs, all := longest(texts, a.ask.Late)
	t.AtLeast = t.AtLeast || !all
	return a.classes(texts, runs), t, nil
}

// tokens cuts the files that are judged into tokens; whole is false where a bound
// or the end of the time left some out.
func (a *auditor) tokens() (all []text, whole bool, err error) {
	total := 0
	for i, f := range a.under {
		name := a.ask.Corpus.Language(f)
		if name == "" || !lang.IsCode(name) || !a.judges(f) {
			continue
		}
		if a.ask.Late() || total > maxTokens {
			a.Left = max(a.Left, len(a.under)-i)
			return all, false, nil
		}
		source, err := a.ask.Corpus.Text(f)
		if err != nil {
			return nil, false, err
		}
		l, _ := lang.ByName(name)
		tokens := shingle.Tokens(l, source, 1)
		one := text{f, make([]uint32, len(tokens)), make([]int32, len(tokens))}
		for k := range tokens {
			one.exact[k], one.lines[k] = uint32(tokens[k].Exact), tokens[k].Line
		}
		total += len(tokens)
		all = append(all, one)
	}
	return all, true, nil
}

// spot is a window of tokens with its hash.
type spot struct {
	hash uint64
	text int32
	at   int32
}

// windows are the windows that stand for a text: of each run of windows the one
// with the smallest hash (winnowing, Schleimer, Wilkerson, Aiken 2003), so that any
// two runs that are long enough have one in common.
func windows(n int32, exact []uint32) (all []spot) {
	const base = 1_000_003
	if len(exact) < windowTokens {
		return nil
	}
	top := uint64(1)
	for range windowTokens - 1 {
		top *= base
	}
	hash := uint64(0)
	var queue []spot // of the current run, by hash
	for i, x := range exact {
		if i >= windowTokens {
			hash -= top * uint64(exact[i-windowTokens])
		}
		hash = hash*base + uint64(x)
		at := int32(i - windowTokens + 1)
		if at < 0 {
			continue
		}
		mixed := hash * 0x9E3779B97F4A7C15
		for len(queue) > 0 && queue[len(queue)-1].hash >= mixed {
			queue = queue[:len(queue)-1]
		}
		queue = append(queue, spot{mixed, n, at})
		if queue[0].at <= at-windowTokens {
			queue = queue[1:]
		}
		if at >= windowTokens-1 && (len(all) == 0 || all[len(all)-1].at != queue[0].at) {
			all = append(all, queue[0])
		}
	}
	return all
}

// longest finds the runs that stand in two places, as long as they go; all is false
// where late ended it early.
func longest(texts []text, late func() bool) (runs []copyOf, all bool) {
	var spots []spot
	for n := range texts {
		spots = append(spots, windows(int32(n), texts[n].exact)...)
	}
	slices.SortFunc(spots, func(x, y spot) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.text, y.text), cmp.Compare(x.at, y.at))
	})
	seen := map[copyOf]bool{}
	for from := 0; from < len(spots); {
		to := from + 1
		for to < len(spots) && spots[to].hash == spots[from].hash {
			to++
		}
		if late() {
			return runs, false
		}
		alike := spots[from:min(to, from+maxAlike)]
		for i := range alike {
			for k := i + 1; k < len(alike); k++ {
				if run, ok := grow(texts, alike[i], alike[k]); ok && !seen[run] {
					seen[run] = true
					runs = append(runs, run)
				}
			}
		}
		from = to
	}
	return runs, true
}

// grow makes two equal windows as long as they stay equal.
func grow(texts []text, x, y spot) (c copyOf, ok bool) {
	a, b := texts[x.text].exact, texts[y.text].exact
	if !slices.Equal(a[x.at:x.at+windowTokens], b[y.at:y.at+windowTokens]) {
		return c, false
	}
	c = copyOf{x.text, y.text, x.at, y.at, windowTokens}
	for c.at > 0 && c.to > 0 && a[c.at-1] == b[c.to-1] {
		c.at, c.to, c.length = c.at-1, c.to-1, c.length+1
	}
	for int(c.at+c.length) < len(a) && int(c.to+c.length) < len(b) && a[c.at+c.length] == b[c.to+c.length] {
		c.length++
	}
	if x.text == y.text && c.at+c.length > c.to { // a text that repeats itself
		return c, false
	}
	return c, c.length >= minCopied && !isTable(a[c.at:c.at+c.length]) && texts[c.a].span(c.at, c.length) >= minCopiedLine
}

// isTable reports whether a run has few different tokens.
func isTable(exact []uint32) bool {
	different := map[uint32]bool{}
	for _, x := range exact {
		different[x] = true
		if len(different) >= minDistinct {
			return false
		}
	}
	return true
}

// span is how many lines a run of tokens takes.
func (t *text) span(at, length int32) int {
	return int(t.lines[at+length-1]-t.lines[at]) + 1
}

// covered are runs of the tokens of a text that were listed.
type covered map[int32][][2]int32

// has reports whether most of a run was listed.
func (c covered) has(text, at, length int32) bool {
	for _, r := range c[text] {
		if min(r[1], at+length)-max(r[0], at) > length/2 {
			return true
		}
	}
	return false
}

// classes joins the runs that stand in more than two places, the longest first.
func (a *auditor) classes(texts []text, runs []copyOf) (found []Finding) {
	slices.SortFunc(runs, func(x, y copyOf) int {
		return cmp.Or(cmp.Compare(y.length, x.length), cmp.Compare(x.a, y.a), cmp.Compare(x.at, y.at), cmp.Compare(x.b, y.b), cmp.Compare(x.to, y.to))
	})
	listed := covered{}
	at := map[[2]int32]int{} // the finding of a run by its first place
	for _, r := range runs {
		key := [2]int32{r.a, r.at}
		n, same := at[key]
		if listed.has(r.b, r.to, r.length) || !same && listed.has(r.a, r.at, r.length) {
			continue
		}
		if !same {
			n = len(found)
			at[key] = n
			first := a.stretch(&texts[r.a], r.at, r.length)
			listed[r.a] = append(listed[r.a], [2]int32{r.at, r.at + r.length})
			found = append(found, Finding{Report: Duplicates, Path: first.Path, Line: first.Line, EndLine: first.EndLine, Lines: first.EndLine - first.Line + 1, Reason: fmt.Sprintf("%d lines, %d equal tokens", first.EndLine-first.Line+1, r.length)})
		}
		found[n].Places = append(found[n].Places, a.stretch(&texts[r.b], r.to, r.length))
		listed[r.b] = append(listed[r.b], [2]int32{r.to, r.to + r.length})
	}
	slices.SortStableFunc(found, func(x, y Finding) int {
		return cmp.Compare(y.Lines*len(y.Places), x.Lines*len(x.Places))
	})
	return found
}

// stretch is the lines of a run of tokens.
func (a *auditor) stretch(t *text, at, length int32) Place {
	return Place{Path: a.ask.Corpus.Path(t.file), Line: int(t.lines[at]), EndLine: int(t.lines[at+length-1])}
}
