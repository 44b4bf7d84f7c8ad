package index

import (
	"strings"
	"testing"
)

// TestIsClear holds that a text with a secret, or one that is too large to be looked
// through, is not said to have none.
func TestIsClear(t *testing.T) {
	key := "a key AKIA" + "QYLPMN5HFIQR7BLA\n"
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"without secrets": {strings.Repeat("a line\n", 2000), true},
		"with one":        {key, false},
		"too large":       {strings.Repeat("a", maxCleared+1), false},
		"empty":           {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := isClear("a.txt", []byte(tt.text)); got != tt.want {
				t.Errorf("isClear = %v", got)
			}
		})
	}
}
