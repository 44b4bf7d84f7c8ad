package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// TestSources holds which files imports take names from.
func TestSources(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		from  string // whose imports are asked about
		want  string
	}{
		"a module of Rust is the file that it names, not the one that declares it": {map[string]string{
			"Cargo.toml": "[package]\nname = \"a\"\n", "src/lib.rs": "pub mod names;\npub mod inside { pub fn own() {} }\nmod user;\n", "src/names.rs": "pub fn given() {}\n",
			"src/user.rs": "use crate::names::*;\nuse crate::names as other;\nuse crate::names::given;\nuse crate::inside;\n",
		}, "src/user.rs", "1 src/names.rs, 2 src/names.rs, 3 src/names.rs, 4 src/lib.rs"},
		"what a macro of Rust declares is in the module that is named": {map[string]string{
			"Cargo.toml": "[package]\nname = \"a\"\n", "src/lib.rs": "pub mod events;\nmod user;\n", "src/events.rs": "made! { Made }\n",
			"src/user.rs": "use crate::events::Made;\nuse std::fmt;\n",
		}, "src/user.rs", "1 src/events.rs, 2"},
	} {
		t.Run(name, func(t *testing.T) {
			c := index(t, tt.files)
			q := resolve.New(c).Ask()
			f, ok := c.Find(tt.from)
			if !ok {
				t.Fatal("no such file")
			}
			var got []string
			for i := range q.File(f).NumImports() {
				m := q.File(f).Import(i)
				line := fmt.Sprint(m.Line)
				for _, id := range q.Source(corpus.Ref{File: f, Index: int32(i)}).Files {
					line += " " + c.Path(id)
				}
				got = append(got, line)
			}
			if all := strings.Join(got, ", "); all != tt.want {
				t.Errorf("got %s, want %s", all, tt.want)
			}
		})
	}
}
