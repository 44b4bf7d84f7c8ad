package lang

import "testing"

func TestIsDirective(t *testing.T) {
	for line, want := range map[string]bool{
		"#if X": true, "# endif": true, "#pragma once": true, "`ifdef X": true, "`include \"a.svh\"": true, "`endif": true,
		"": false, "#": false, "# Take it": false, "#iffy": false, "#[derive(X)]": false, "  #if X": false, "`shop_error(x)": false, "if x": false,
	} {
		if got := IsDirective(line); got != want {
			t.Errorf("IsDirective(%q) = %v", line, got)
		}
	}
}
