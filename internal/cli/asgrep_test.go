package cli

import (
	"strings"
	"testing"

	"espy/internal/usage"
)

// TestAsGrep holds that a command that is written as for grep is told what to type.
func TestAsGrep(t *testing.T) {
	for _, tt := range []struct {
		args, err string
		want      string // the end of the hint; "" for the error as it is
	}{
		{"search -rn TODO lib/", `no repository "n"`, "espy grep -n TODO lib/ searches as grep does, subfolders too"},
		{"search -rnw -e TODO lib", `no repository "nw"`, "espy grep -nw -e TODO lib searches as grep does, subfolders too"},
		{"search -nrE a|b lib", "no number", "; as grep does it: espy grep -n 'a|b' lib"},
		{"search -i todo", "means nothing", "; as grep does it: espy grep -i todo"},
		{"search -r nowhere todo", `no repository "nowhere"`, "; as grep does it: espy grep nowhere todo"},
		{"search todo -- -rn", "some error", ""},
		{"search --mode x todo", "some error", ""},
		{"search -Y todo", "some error", ""},
		{"search -rn", "some error", ""},
		{"symbol -n todo", "some error", ""},
	} {
		t.Run(tt.args, func(t *testing.T) {
			p := &program{args: strings.Fields(tt.args)}
			_, hint := usage.Explain(p.asGrep(&usage.Error{Msg: tt.err, Hint: "first hint"}, commandAt(p.args)))
			if tt.want == "" && hint != "first hint" || !strings.HasSuffix(hint, tt.want) {
				t.Errorf("hint %q, want %q", hint, tt.want)
			}
		})
	}
}
