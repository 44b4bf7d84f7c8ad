package windows

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"espy/internal/ascii"
	"espy/internal/sample"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/token"
	"espy/internal/windows/plain"
	"espy/internal/windows/win"
)

// withWindows adds windows to a snapshot, in parts of so many files.
func withWindows(t testing.TB, s *store.Snapshot, by Cut, files int) *store.Snapshot {
	t.Helper()
	b := win.NewBuilder()
	flush := func() {
		var out bytes.Buffer
		if _, err := b.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		w, err := win.Open(out.Bytes(), "test.win")
		if err != nil {
			t.Fatal(err)
		}
		if err := segment.Guard(func() error { return w.Check(nil) }); err != nil {
			t.Fatal(err)
		}
		s.Windows = append(s.Windows, w)
		b = win.NewBuilder()
	}
	s.Each(func(seg, file int) bool {
		text, err := s.Segments[seg].Text(file, nil)
		if err == nil {
			err = b.Add(&win.File{Segment: seg, File: file, Path: s.Segments[seg].Path(file), Text: text, Windows: by.Append(nil, text)})
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Len() == files {
			flush()
		}
		return true
	})
	if b.Len() > 0 {
		flush()
	}
	return s
}

// reference answers a request from nothing but the texts: what Windows must find.
type reference struct {
	t       *testing.T
	leaves  []leaf
	ids     map[Expr]int
	windows []referenceWindow
}

type referenceWindow struct {
	hit  Hit
	tfs  []int
	path string
}

func newReference(t *testing.T, s *store.Snapshot, by Cut, e Expr) *reference {
	q := leavesOf(e)
	p := &reference{t: t, leaves: q.list, ids: q.ids}
	s.Each(func(seg, file int) bool {
		text, err := s.Segments[seg].Text(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.add(s.Segments[seg].Path(file), text, by.Append(nil, text))
		return true
	})
	return p
}

func (p *reference) add(path string, text []byte, windows []win.Window) {
	first := len(p.windows)
	for i, w := range windows {
		p.windows = append(p.windows, referenceWindow{
			hit: Hit{Path: path, Index: i, Start: w.Start, End: w.End, Text: string(text[w.Start:w.End])}, tfs: make([]int, len(p.leaves)), path: "/" + path,
		})
	}
	for j := range p.leaves {
		p.leaves[j].each(content{text, ascii.AppendLower(nil, text)}, func(start, end int) {
			if p.leaves[j].text != nil {
				end = start + 1
			}
			for i, w := range windows {
				if w.Start <= start && end <= w.End {
					p.windows[first+i].tfs[j]++
				}
			}
		})
	}
}

func (p *reference) holds(e Expr, w *referenceWindow) bool {
	holds := func(x Expr) bool { return p.holds(x, w) }
	switch e := e.(type) {
	case *All:
		return true
	case *Path:
		if e.Whole {
			return w.path == e.Text
		}
		return strings.Contains(strings.ToLower(w.path), strings.ToLower(e.Text))
	case *Bool:
		return !slices.ContainsFunc(e.Must, func(x Expr) bool { return !holds(x) }) && !slices.ContainsFunc(e.Not, holds) &&
			(len(e.Must) > 0 || len(e.Should) == 0 || slices.ContainsFunc(e.Should, holds))
	}
	return w.tfs[p.ids[e]] > 0
}

func (p *reference) answer(e Expr, limit int) *Result {
	tokens := 0
	df := make([]int, len(p.leaves))
	for i := range p.windows {
		tokens += plain.Count([]byte(p.windows[i].hit.Text))
		for j, tf := range p.windows[i].tfs {
			df[j] += min(tf, 1)
		}
	}
	n := float64(len(p.windows))
	average := float64(tokens) / float64(max(1, len(p.windows)))
	res := &Result{}
	for i := range p.windows {
		w := &p.windows[i]
		if !p.holds(e, w) {
			continue
		}
		for j, tf := range w.tfs {
			l := &p.leaves[j]
			if tf == 0 || !l.scored || l.phrase == nil {
				continue
			}
			boost := cmp.Or(l.phrase.Boost, 1)
			idf := float64(boost * math.Log(1+(n-float64(df[j])+0.5)/(float64(df[j])+0.5)))
			norm := float64(1.2 * (1 - 0.75 + float64(0.75*float64(plain.Count([]byte(w.hit.Text)))/max(average, 1))))
			w.hit.Score += float64(idf * float64(float64(float64(tf)*(1.2+1))/(float64(tf)+norm)))
		}
		if w.hit.Score == 0 {
			w.hit.Score = 1
		}
		res.Hits = append(res.Hits, w.hit)
	}
	res.Total = len(res.Hits)
	slices.SortStableFunc(res.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	res.Hits = res.Hits[:min(len(res.Hits), limit)]
	return res
}

// dice makes texts and queries of few words, so that they meet.
type dice struct{ *rand.Rand }

func (d dice) pick(from ...string) string { return from[d.IntN(len(from))] }

func (d dice) word() string {
	return d.pick("a", "aa", "foo", "Foo", "FOO", "bar", "Bar", "getFoo", "getFooBar", "HTTPServer", "httpServer", "httpserver", "aAaA", "AaA",
		"v2", "v2x", "foo2bar", "12", "straße", "STRAßE", "Über", "ÜBER", "世界", "x世", "K\u212a", "İstanbul", "é", "½", "𝐀b", "a𝐀",
		strings.Repeat("x", 41), strings.Repeat("aB", 40), strings.Repeat("long", 90))
}

func (d dice) text() string {
	var b strings.Builder
	for range d.IntN(60) {
		b.WriteString(d.word() + d.pick(" ", " ", "\n", "_", ".", "", "-> ", "\xff", "…"))
	}
	return b.String()
}

// asked are words of a query, in lower case.
func (d dice) asked() []string {
	words := strings.FieldsFunc(strings.ToLower(d.word()+d.pick("", "", "", "_", "foo")+d.pick("", "", d.word())), func(r rune) bool {
		return token.KindOf(r) == token.KindNone
	})
	return words
}

func (d dice) expr(depth int) Expr {
	switch n := d.IntN(12); {
	case n < 5 || depth == 0 && n > 8:
		return &Phrase{Words: d.asked(), Boost: float64(d.IntN(3))}
	case n == 5:
		return &Phrase{Words: d.asked(), Slop: d.IntN(3), Prefix: d.IntN(2) == 0}
	case n == 6:
		return &Text{Text: d.pick("foo", "Foo ", "aA", "_", "2", "世", "zzz")}
	case n == 7:
		return &Path{Text: d.pick("A", "/d1/", "Ü", "zz", "", "/d1/a.go"), Whole: d.IntN(3) == 0}
	case n == 8:
		return &All{}
	}
	b := &Bool{}
	for _, list := range []*[]Expr{&b.Must, &b.Should, &b.Not} {
		for range d.IntN(3) {
			*list = append(*list, d.expr(depth-1))
		}
	}
	return b
}

// TestWindowsAgainstText compares answers with those of a plain search of the
// texts, to the last bit of the scores.
func TestWindowsAgainstText(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	rounds, queries := 40, 60
	if testing.Short() {
		rounds = 12
	}
	for round := range rounds {
		parts := []map[string]string{{}, {}}
		for i := range d.IntN(9) {
			parts[i%2][fmt.Sprintf("d%d/%s.go", d.IntN(3), d.pick("a", "B", "c", "Über", "a.b"))+strings.Repeat("x", i)] = d.text()
		}
		size := 1 + d.IntN(60)
		by := Cut{Size: size, Overlap: d.IntN(size)}
		s := withWindows(t, sample.Repository(t, "r", parts...), by, 1+d.IntN(4))
		for range queries {
			e := d.expr(2)
			if d.IntN(4) == 0 { // of literal search
				e = &Bool{Must: []Expr{&Text{Text: d.pick("foo", "-> ", "aA", "Bar", "x", "zzz", "\n")}}, Should: []Expr{&Phrase{Words: d.asked()}}}
			}
			limit := d.IntN(40)
			got, err := Search(t.Context(), s, Request{Query: e, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			want := newReference(t, s, by, e).answer(e, limit)
			if diff := gocmp.Diff(want.Hits, got.Hits, cmpopts.EquateEmpty()); diff != "" || !countsAs(got, want) {
				t.Fatalf("round %d, %v, query %s: %d hits, want %d (-want +got)\n%s", round, by, describe(e), got.Total, want.Total, diff)
			}
		}
	}
}

// countsAs reports whether an answer counts what there is, or no more than that
// and at least what it shows where it says so.
func countsAs(got, want *Result) bool {
	if got.Least {
		return len(got.Hits) <= got.Total && got.Total <= want.Total
	}
	return got.Total == want.Total
}

func describe(e Expr) string {
	b, ok := e.(*Bool)
	if !ok {
		return fmt.Sprintf("%+v", e)
	}
	var lists []string
	for _, list := range [][]Expr{b.Must, b.Should, b.Not} {
		var each []string
		for _, x := range list {
			each = append(each, describe(x))
		}
		lists = append(lists, strings.Join(each, ", "))
	}
	return fmt.Sprintf("(must %s; should %s; not %s)", lists[0], lists[1], lists[2])
}

// TestExactTextReadsLittle holds that a search for an exact text that many files
// hold ends when its best windows are sure, and counts what is rare in full.
func TestExactTextReadsLittle(t *testing.T) {
	const files = 1000
	texts := map[string]string{}
	for i := range files {
		texts[fmt.Sprintf("d/%04d.go", i)] = "return the_common->value\n"
	}
	texts["d/0999.go"] = "return the_common->value // rare\n"
	s := withWindows(t, sample.Repository(t, "r", texts), Cut{Size: 100}, files)
	word := func(w string) []Expr { return []Expr{&Phrase{Words: []string{w}}} }
	for _, tt := range []struct {
		name   string
		e      Expr
		counts int
		least  bool
	}{
		{"no words", &Bool{Must: []Expr{&Text{"->"}}}, firstRound, true},
		{"alone", &Text{"->"}, firstRound, true},
		{"words", &Bool{Must: []Expr{&Text{"common->"}}, Should: word("common")}, 10, true},
		{"words that no text has", &Bool{Must: []Expr{&Text{"n->"}}, Should: word("n")}, firstRound, true},
		{"rare", &Bool{Must: []Expr{&Text{"// rare"}}, Should: word("rare")}, 1, false},
		{"rare, its words common", &Bool{Must: []Expr{&Text{"value /"}}, Should: word("value")}, 1, false},
		{"none", &Bool{Must: []Expr{&Text{"#%"}}}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := Search(t.Context(), s, Request{Query: tt.e, Limit: 10})
			if err != nil || res.Total != tt.counts || res.Least != tt.least || len(res.Hits) != min(10, tt.counts) {
				t.Errorf("%+v, %v; want %d counted, more possible: %v", res, err, tt.counts, tt.least)
			}
		})
	}
}
