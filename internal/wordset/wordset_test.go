package wordset

import (
	"maps"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	got := Of("\n\tand or\u2003not\n\tor ")
	if want := map[string]bool{"and": true, "or": true, "not": true}; !maps.Equal(got, want) {
		t.Errorf("Of = %v, want %v", got, want)
	}
	if none := Of(" \n"); len(none) != 0 {
		t.Errorf("Of a blank text = %v", none)
	}
}
