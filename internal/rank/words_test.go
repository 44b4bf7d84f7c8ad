package rank

import "testing"

// TestOpensAsChange holds which texts ask for a change as the subjects of commits do.
func TestOpensAsChange(t *testing.T) {
	for text, want := range map[string]bool{
		"add a flag that hides the help": true, "Fixes the lamp": true, " fix: lamp": true,
		"feat(lamp)!: glow longer": true, "net/http: wait longer": true,
		"how are flags added": false, "where is the lamp fixed": false, "Lamp": false, "": false,
		"what does std::move do": false, "lang:go retry": false, "crash: the lamp": true,
		"error: no such lamp": false, "ValueError: no lamp": false, "[fatal]: no lamp": false, "java.lang.IllegalStateException: no lamp": false, "errors: wrap the lamp": true,
	} {
		t.Run(text, func(t *testing.T) {
			if got := OpensAsChange(text); got != want {
				t.Errorf("OpensAsChange(%q) = %v", text, got)
			}
		})
	}
}
