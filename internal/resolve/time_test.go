package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestCountsStay writes down, of the types and functions of the marked files, how
// often they are used, which members they have, and what is found and left where
// the time is over after so many looks at the clock (make golden).
func TestCountsStay(t *testing.T) {
	forEachMarked(t, func(t *testing.T, name string, m *marks) {
		c := index(t, m.files)
		var rows strings.Builder
		err := segment.Guard(func() error {
			q := resolve.New(c).Ask()
			for id := range c.Files() {
				for i := range q.File(id).NumSymbols() {
					r := corpus.Ref{File: id, Index: int32(i)}
					s := q.Symbol(r)
					if !s.Kind.IsType() && !s.Kind.IsFunc() {
						continue
					}
					calls := q.CountUsesOf(s.Name, func(role facts.Role) bool { return role == facts.RoleCall })
					fmt.Fprintf(&rows, "%s:%d %s: %d uses, %d calls", c.Path(id), s.Line, s.Name, q.CountUses(s.Name), calls)
					for _, x := range q.Members(r, "run") {
						fmt.Fprintf(&rows, ", run at %s:%d", c.Path(x.File), q.Symbol(x).Line)
					}
					for _, looks := range []int{0, 1, 4} {
						rows.WriteString(interrupted(c, r, looks))
					}
					rows.WriteByte('\n')
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name+".counts", rows.String())
	})
}

// interrupted counts what is found and left of the references of a symbol where
// the time is over after some looks at the clock.
func interrupted(c *corpus.Corpus, r corpus.Ref, looks int) string {
	q := resolve.New(c).Ask()
	q.Until(func() bool { looks--; return looks < 0 })
	found := q.References(q.Together(r))
	return fmt.Sprintf("; %d found, %d left", len(found), q.Left())
}
