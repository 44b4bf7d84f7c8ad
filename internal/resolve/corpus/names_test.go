package corpus

import (
	"fmt"
	"testing"
)

func TestNameCacheIsBounded(t *testing.T) {
	var c nameCache
	n := &named{refs: make([]Ref, maxHeld/4)}
	for i := range 20 {
		name := fmt.Sprint("n", i)
		c.keep(name, n)
		if c.find(name) != n {
			t.Fatalf("find(%q) = %v right after it was kept", name, c.find(name))
		}
		if len(c.all) > 5 {
			t.Fatalf("%d names of a quarter of the bound each are kept", len(c.all))
		}
	}
}
