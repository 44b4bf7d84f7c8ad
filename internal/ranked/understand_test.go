package ranked

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/store"
)

const maxTerms = 128 // that score.Telling keeps of a report

// understood returns what a text asks for, of all files of the snapshots.
func understood(t *testing.T, snaps []*store.Snapshot, text string) *question {
	t.Helper()
	q, err := New(hit.Request{Query: text})
	if err != nil {
		t.Fatal(err)
	}
	r, err := filter.Compile(&q.req, q.Filters())
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over(snaps)
	if err != nil {
		t.Fatal(err)
	}
	asked, _, err := understand(q.query, corpus.New(f), f.Snaps)
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

func TestTermsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "server handles client%d request\n", i)
	}
	q := understood(t, sample.GoSnapshot(t), b.String())
	if n := len(q.words.Terms); n == 0 || n > maxTerms {
		t.Errorf("%d terms, want 1 to %d", n, maxTerms)
	}
}

func TestTheRarestTermsAreKept(t *testing.T) {
	var query strings.Builder
	files := map[string]string{}
	for i := range 2 * maxTerms {
		word := fmt.Sprintf("rare%c%ck", 'a'+i/26, 'a'+i%26)
		if i >= maxTerms {
			word = "more" + word[4:] + "often"
		}
		query.WriteString(word + " ")
		files[fmt.Sprintf("own%d.txt", i)] = word + "\n"
		if i >= maxTerms {
			files[fmt.Sprintf("again%d.txt", i)], files[fmt.Sprintf("third%d.txt", i)] = word+"\n", word+"\n"
		}
	}
	q := understood(t, []*store.Snapshot{sample.Repository(t, "words", files)}, query.String())
	for _, term := range q.words.Terms {
		if !strings.HasPrefix(term.Text, "rare") {
			t.Errorf("%s is kept, of which there are three, before one that is there once", term.Text)
		}
	}
	if len(q.words.Terms) != maxTerms {
		t.Errorf("%d terms, want %d", len(q.words.Terms), maxTerms)
	}
}
