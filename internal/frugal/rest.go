package frugal

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// A process rests when it has allocated less than restBytes in restTime.
	restTime  = 15 * time.Second
	restBytes = 1 << 20

	// So much has been allocated since the last time that looking for what may be
	// given back is worth a collection.
	worthBytes = 8 << 20
)

// Rest collects the garbage of this process and gives the free memory back to the
// system each time that the process rests after work, until ctx ends.
func Rest(ctx context.Context) {
	tick := time.NewTicker(restTime)
	defer tick.Stop()
	last, returned := allocated(), uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := allocated()
		if now-last < restBytes && now-returned >= worthBytes {
			debug.FreeOSMemory()
			returned = now
		}
		last = now
	}
}

// allocated returns how many bytes this process has allocated since it began.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
