package past

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/git"
	"espy/internal/rank"
)

// TestFiles holds which files the words of a question lead to, over the commits whose
// messages have them.
func TestFiles(t *testing.T) {
	many := git.Step{Message: "indent refunds, ledgers and all else"}
	for i := range 50 {
		many.Paths = append(many.Paths, fmt.Sprintf("f%d.go", i))
	}
	log := New([]git.Step{
		{Message: "open the door at nine", Paths: []string{"door.go"}},
		{Message: "give a refund back once\n\nThe ledger had it twice.", Paths: []string{"refund.go", "ledger.go"}},
		{Message: "refund", Paths: []string{"refund.go"}},
		{Message: "close the till\n\nReviewed-by: Refund Ledger <refund@example.com>", Paths: []string{"till.go"}},
		many,
		{Message: "a commit of a refund without files"},
	})
	asked := func(text string) []rank.Term { return rank.Understand(text, "").Terms }
	files := log.files(asked("the refund is in the ledger twice"), 9)
	if len(files) != 2 || files[0].Path != "refund.go" || files[1].Path != "ledger.go" || files[1].Worth <= 0.3*files[0].Worth {
		t.Errorf("files = %v", files)
	}
	if first := log.files(asked("the refund is in the ledger twice"), 1); len(first) != 1 || first[0] != files[0] {
		t.Errorf("the first = %v", first)
	}
	var none *Log
	for name, files := range map[string][]spoken{
		"other words":  log.files(asked("nothing is known of whales"), 9),
		"no log":       none.files(asked("refund"), 9),
		"an empty log": New(nil).files(asked("refund"), 9),
	} {
		t.Run(name, func(t *testing.T) {
			if len(files) != 0 {
				t.Errorf("files = %v", files)
			}
		})
	}
}

// TestBeside holds how often a test was changed with a folder of a changed file, tests
// in it aside.
func TestBeside(t *testing.T) {
	log := New([]git.Step{
		{Paths: []string{"shop/till.go", "shop/door.go", "e2e/shop_test.go"}},
		{Paths: []string{"shop/door_test.go", "e2e/shop_test.go"}},
		{Paths: []string{"shop/door.go"}},
		{Paths: []string{"bank/door.go", "e2e/shop_test.go"}},
	})
	isTest := func(p string) bool { return strings.HasSuffix(p, "_test.go") }
	want := map[string]map[string]Pair{"e2e/shop_test.go": {"shop": {Together: 1, Of: 2, Weight: 1}}}
	if diff := cmp.Diff(want, log.Beside([]string{"shop/new.go"}, isTest)); diff != "" {
		t.Errorf("Beside (-want +got):\n%s", diff)
	}
}

// TestLately holds what counts of the newest commits: how new they are, how many, and how
// much else they changed.
func TestLately(t *testing.T) {
	steps := []git.Step{{Paths: []string{"till.go", "till_test.go"}}, {Paths: []string{"door_test.go"}}, {Paths: []string{"till_test.go"}}}
	many, more := git.Step{Paths: []string{"style_test.go"}}, git.Step{Paths: []string{"all_test.go"}}
	for i := range 60 {
		if i < 30 {
			many.Paths = append(many.Paths, fmt.Sprintf("f%d.go", i))
		}
		more.Paths = append(more.Paths, fmt.Sprintf("f%d.go", i))
	}
	steps = append(steps, many, more)
	for range 400 {
		steps = append(steps, git.Step{Paths: []string{"door.go"}})
	}
	log := New(append(steps, git.Step{Paths: []string{"old_test.go"}}))
	all := log.Lately(func(p string) bool { return strings.HasSuffix(p, "_test.go") })
	ago := map[string]int{}
	for p, r := range all {
		ago[p] = r.Ago
	}
	if diff := cmp.Diff(map[string]int{"till_test.go": 1, "door_test.go": 2, "style_test.go": 4}, ago); diff != "" {
		t.Errorf("Lately (-want +got):\n%s", diff)
	}
	till, door, style := all["till_test.go"].Weight, all["door_test.go"].Weight, all["style_test.go"].Weight
	if !(1 > till && till > door && door > 0.8 && style < 0.25 && style > 0) {
		t.Errorf("till %v, door %v, style %v", till, door, style)
	}
	var none *Log
	if all := none.Lately(func(string) bool { return true }); len(all) != 0 {
		t.Errorf("of no log = %v", all)
	}
}
