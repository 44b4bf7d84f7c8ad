package frugal

import (
	"context"
	"runtime/metrics"
	"testing"
	"testing/synctest"
	"time"
)

// TestRest holds that what a process no longer uses is the system's again when the
// process has rested, and not while it works.
func TestRest(t *testing.T) {
	held := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64() + sample[1].Value.Uint64() + sample[2].Value.Uint64()
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		go Rest(ctx)
		const pieces = 64
		work := func() {
			for i := range pieces {
				kept[i] = make([]byte, 1<<20)
				for k := 0; k < len(kept[i]); k += 4096 {
					kept[i][k] = 1
				}
			}
			kept = [pieces][]byte{}
		}
		work()
		working := held()
		time.Sleep(restTime + time.Second)
		if now := held(); now+pieces<<19 < working {
			t.Errorf("%d bytes are held after an interval with work, %d with it: they were given back before it rested", now, working)
		}
		time.Sleep(restTime)
		if now := held(); now+pieces<<19 > working {
			t.Errorf("%d bytes are held at rest, %d at work", now, working)
		}
		stop()
	})
}

var kept [64][]byte
