package progress

import (
	"fmt"
	"testing"
	"time"
)

func TestRates(t *testing.T) {
	p := Report{Bytes: 3 << 20, TotalBytes: 9 << 20, Elapsed: 2 * time.Second}
	if p.Rate() != 1.5*(1<<20) || p.Left() != 4*time.Second {
		t.Errorf("Rate = %v, Left = %v", p.Rate(), p.Left())
	}
	for _, p := range []Report{{}, {Bytes: 5}, {Bytes: 5, TotalBytes: 5, Elapsed: time.Second}, {TotalBytes: 5, Elapsed: time.Second}} {
		t.Run(fmt.Sprintf("nothing left of %d of %d", p.Bytes, p.TotalBytes), func(t *testing.T) {
			if p.Left() != 0 {
				t.Errorf("Left of %+v = %v", p, p.Left())
			}
		})
	}
}
