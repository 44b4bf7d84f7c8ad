package composer

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []Autoload
	}{
		{`{"autoload": {"psr-4": {"A\\": "src/", "B\\C\\": ["one", "./two"]}}}`, []Autoload{{`A\`, "dir/src"}, {`B\C\`, "dir/one"}, {`B\C\`, "dir/two"}}},
		{`{"autoload": {"psr-4": {"A\\": 1}}, "autoload-dev": {"psr-4": {"": "lib"}}}`, []Autoload{{"", "dir/lib"}}},
		{`{"autoload": {"psr-4": []}}`, nil},
		{`{`, nil},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := parse([]byte(tt.text), "dir"); !slices.Equal(got, tt.want) {
				t.Errorf("parse = %v, want %v", got, tt.want)
			}
		})
	}
	if !(Autoload{`A\`, "src"}).Loads(`A\B`, "C", "src/B/C.php") {
		t.Error(`A\B\C is not loaded from src/B/C.php`)
	}
}
