package index

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"espy/internal/segment"
	"espy/internal/store"
)

// A build lives on buffers that it fills again and again, so that collecting
// garbage costs it little, about 1 % of its time, and letting the memory grow
// much before each collection buys nothing: of 1 GB of source with four workers
// up to 227 MB are in use.
const buildGCPercent = 33

// A parser makes garbage of about 10 times the text: each collection is to free
// parseGarbage where the memory in use is small, which bounds both. Go parses a
// seventh faster than with 24 MB. While a pass commits, when several times as
// much is in use, it asks for buildGCPercent: so 1 GB of source takes 339 MB
// instead of 416, and would take 374 MB with 96.
const (
	parseGarbage   = 64 << 20
	parseGCPercent = 800 // at most
)

// frugal is what the builds of this process ask of the one garbage collector:
// it runs as soon as any of them wants.
var frugal struct {
	sync.Mutex
	builds map[*memory]bool
	before int // the percentage outside builds
}

// memory is what one build asks for.
type memory struct{ percent int }

// saveMemory makes the collector run sooner until the last build that asked
// for it ends, unless somebody chose another percentage than the default.
func saveMemory() (end func()) { return newMemory(buildGCPercent).end }

// A comparison of manyFiles files or more holds enough, about 700 bytes for
// each, to be worth collecting sooner, and it goes on holding most of it.
const (
	manyFiles     = 200_000
	lookGCPercent = 20
)

// saveMemoryFor makes the collector run sooner, as saveMemory does, for a look
// at the files of a large snapshot.
func saveMemoryFor(s *store.Snapshot) (end func()) {
	files := 0
	if s != nil {
		err := segment.Guard(func() error { files = s.Stats().Files; return nil })
		if err != nil {
			files = 0 // the comparison meets the same damage, and says so
		}
	}
	if files < manyFiles {
		return func() {}
	}
	return newMemory(lookGCPercent).end
}

func newMemory(percent int) *memory {
	m := &memory{percent: percent}
	frugal.Lock()
	defer frugal.Unlock()
	if len(frugal.builds) == 0 {
		frugal.before = debug.SetGCPercent(100)
		debug.SetGCPercent(frugal.before)
		frugal.builds = map[*memory]bool{}
	}
	frugal.builds[m] = true
	applyFrugalLocked()
	return m
}

func (m *memory) end() {
	frugal.Lock()
	defer frugal.Unlock()
	delete(frugal.builds, m)
	applyFrugalLocked()
}

// suit chooses the percentage that frees parseGarbage. It is cheap where the
// memory in use is about what it was.
func (m *memory) suit() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(1, int(sample[0].Value.Uint64()))
	m.set(min(max(parseGarbage*100/live, buildGCPercent), parseGCPercent))
}

// set asks for another percentage, if that is another by much.
func (m *memory) set(percent int) {
	frugal.Lock()
	defer frugal.Unlock()
	if d := percent - m.percent; 4*max(d, -d) > m.percent {
		m.percent = percent
		applyFrugalLocked()
	}
}

func applyFrugalLocked() {
	if frugal.before != 100 {
		return // somebody's choice
	}
	percent := 0
	for m := range frugal.builds {
		if percent == 0 || m.percent < percent {
			percent = m.percent
		}
	}
	if percent == 0 {
		percent = frugal.before
	}
	debug.SetGCPercent(percent)
}
