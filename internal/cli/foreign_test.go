package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestForeignFlags holds that no command is told to take a flag that it lacks.
func TestForeignFlags(t *testing.T) {
	root := (&program{}).root()
	hint := func(path ...string) string {
		cmd, args, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		return flagError(cmd, cmd.ParseFlags(args)).Error()
	}
	for _, tt := range []struct{ line, want string }{
		{"search --max-results 3 x", "--limit says"},
		{"search --passthru x", "espy grep has it"},
		{"search -P x", "rg -P has look-around"},
		{"shaktiman search --max-results 3 x", "see espy shaktiman search --help"},
		{"shaktiman deps --dephts 3 x", "did you mean --depth?"},
		{"calls --glob x y", "see espy calls --help"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			if got := hint(strings.Fields(tt.line)...); !strings.Contains(got, tt.want) {
				t.Errorf("%q lacks %q", got, tt.want)
			}
		})
	}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, f := range foreign {
			for _, name := range strings.Fields(f.names) {
				if h, ok := foreignFlag(cmd, name); ok && strings.Contains(h, "--limit") && cmd.Flag("limit") == nil {
					t.Errorf("%s has no --limit", cmd.CommandPath())
				}
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
}
