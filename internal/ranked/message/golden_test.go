package message

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func checkGolden(t *testing.T, name string, got []string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(got, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSuffix(string(want), "\n"), "\n"), got); diff != "" {
		t.Errorf("make golden writes it anew (-want +got):\n%s", diff)
	}
}

// parts are what random code is made of: words, stop words among them, and what
// opens, closes and fills literals in some language.
var parts = strings.Fields("server closed request timeout Über cannot find the is not shelf item " +
	`" " " ' ' ` + "` `" + ` f' b" don't it's \" \\ \n %s %d %-5.2f %(name)s %% %( 100% {} {name} ${x.y} { } + ( ) , x_1 7 => ;`)

// TestFitsStay writes down how random texts agree with random code: literals of
// all kinds, and what is filled into them (make golden).
func TestFitsStay(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 0))
	var rows []string
	for range 500 {
		code := randomCode(random)
		text := randomText(random, code)
		fit := New(text).Best([]byte(code), "")
		rows = append(rows, fmt.Sprintf("%q in %q: %s, message %v, in documentation %v", text, code, describe(fit), fit.IsMessage(false), fit.IsMessage(true)))
	}
	checkGolden(t, "testdata/fits.golden", rows)
}

func describe(f Fit) string {
	return fmt.Sprintf("line %d, %d words, %d quoted, share %.3f, literal %.3f, value %.3f", f.Line, f.Words, f.Quoted, f.Share, f.Literal, f.Value)
}

// randomCode is some lines of parts, most of them with a literal of many words.
func randomCode(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(4) {
		quote := []string{`"`, "'", "`", ""}[random.IntN(4)]
		b.WriteString([]string{"call(", "", "x", "f"}[random.IntN(4)] + quote)
		for range 2 + random.IntN(12) {
			word := parts[random.IntN(12)]
			if random.IntN(4) == 0 {
				word = parts[random.IntN(len(parts))]
			}
			b.WriteString(word + " "[random.IntN(8)/7:])
		}
		if random.IntN(4) > 0 {
			b.WriteString(quote + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// randomText is some of the words of code, most in order, and others between them.
func randomText(random *rand.Rand, code string) string {
	var words []string
	for _, w := range word.FindAllString(code, -1) {
		if random.IntN(6) > 0 {
			words = append(words, w)
		}
		if random.IntN(8) == 0 {
			words = append(words, parts[random.IntN(12)])
		}
	}
	from := random.IntN(len(words)/2 + 1)
	return strings.Join(words[from:min(len(words), from+4+random.IntN(14))], " ")
}

var word = regexp.MustCompile(`[\pL\d_']+`)

var literal = regexp.MustCompile(`"[^"\\]{20,}"`)

// TestPlacesStay writes down which chunks the messages of a dependency lead to,
// and how they fit there: as they stand in its code, with values, logged, cut,
// and asked for in other words (make golden).
func TestPlacesStay(t *testing.T) {
	files := sample.Module(t, "github.com/spf13/cobra")
	var first, second = map[string]string{}, map[string]string{}
	var texts []string
	for i, p := range slices.Sorted(maps.Keys(files)) {
		part := []map[string]string{first, second}[i%2]
		part[p] = files[p]
		if strings.HasSuffix(p, ".go") {
			for k, m := range literal.FindAllString(files[p], 5) {
				texts = append(texts, variant(m, i+k))
			}
		}
	}
	s := sample.Repository(t, "cobra", first, second)
	in := corpusOf(t, s)
	var rows []string
	for _, text := range texts {
		left := math.MaxInt
		places, err := Places(text, in, &left)
		if err != nil {
			t.Fatal(err)
		}
		row := fmt.Sprintf("%q:", text)
		for _, p := range places {
			c := p.Segment.Chunk(p.Chunk)
			code, err := p.Segment.TextRange(p.File(), int(c.Start), int(c.End), nil)
			if err != nil {
				t.Fatal(err)
			}
			row += fmt.Sprintf("\n\t%s:%d %d pairs, sum %.3f: %s", p.Segment.Path(p.File()), c.StartLine, p.pairs, p.sum, describe(New(text).Best(code, "")))
		}
		rows = append(rows, strings.Split(row, "\n")...)
	}
	checkGolden(t, "testdata/places.golden", rows)
}

// variant returns a literal as a program may have printed it.
func variant(literal string, i int) string {
	text := strings.NewReplacer("%s", "left", "%q", `"a b"`, "%d", "17", "%v", "nil", `\n`, " ").Replace(strings.Trim(literal, `"`))
	words := strings.Fields(text)
	switch i % 6 {
	case 0:
		return "2026-11-22T17:13:50Z error main: " + text
	case 1:
		return strings.Join(words[:max(1, len(words)*2/3)], " ")
	case 2:
		return strings.ReplaceAll(text, ":", "")
	case 3:
		return text + ": connection refused"
	case 4:
		return "where is " + strings.Join(words[len(words)/2:], " ")
	}
	return text
}

func corpusOf(t *testing.T, snaps ...*store.Snapshot) *corpus.Corpus {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over(snaps)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.New(f)
}
