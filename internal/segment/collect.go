package segment

import (
	"encoding/binary"
	"slices"

	"espy/internal/segment/arena"
	"espy/internal/segment/pack"
)

// trigramCollector gathers the trigrams of regions. It notes each trigram of a
// region once, in a log that it sorts by trigram when it is full, so that the
// lists, which lie all over the memory, grow by many regions at a time.
type trigramCollector struct {
	pool    *arena.Streams
	mark    uint8             // of the region at hand
	marks   []uint8           // of each trigram of ASCII: of the last region that has it
	ascii   []uint32          // of each trigram of ASCII: number in lists plus one
	others  map[uint32]uint32 // places in wide of the other trigrams
	wide    []wideTrigram
	logged  int         // entries of the log that are sorted at once
	log     []uint32    // trigrams of ASCII, and places in wide behind asciiTrigrams
	runs    []regionRun // of the log
	lists   []trigramList
	numbers []uint32 // trigram of each list

	ends, sorted []uint32 // while the log is sorted
}

// wideTrigram is a trigram that is not of ASCII.
type wideTrigram struct{ list, last uint32 } // last region that has it, plus one

// regionRun is what the log has of one region.
type regionRun struct {
	region uint32
	end    int // in the log
}

type trigramList struct {
	stream arena.Stream
	next   uint32 // first region that may follow
	count  uint32
}

const (
	asciiTrigrams = 1 << 21
	trigramStep   = 1 << 15 // bytes of text
)

// defaultLogged is how many entries of the log are sorted at once, give or take a
// region.
const defaultLogged = 1 << 18

// add notes the trigrams of a region, which comes after those before.
func (t *trigramCollector) add(region uint32, text []byte) {
	if len(text) < 3 {
		return
	}
	if t.marks == nil {
		t.marks, t.ascii = make([]uint8, asciiTrigrams), make([]uint32, asciiTrigrams)
		t.others = map[uint32]uint32{}
	}
	if len(t.log) >= t.logged {
		t.flush()
	}
	if t.mark++; t.mark == 0 {
		clear(t.marks)
		t.mark = 1
	}
	ascii := isASCII(text)
	for len(text) >= 3 {
		step := text[:min(trigramStep, len(text))]
		if ascii {
			t.addASCII(step)
		} else {
			t.addBytes(region, step)
		}
		text = text[len(step)-2:]
	}
	t.runs = append(t.runs, regionRun{region, len(t.log)})
}

func isASCII(text []byte) bool {
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// addASCII has no branch that depends on the text: one trigram in ten is new.
func (t *trigramCollector) addASCII(text []byte) {
	marks, mark := (*[asciiTrigrams]uint8)(t.marks), t.mark
	n := len(t.log)
	t.log = slices.Grow(t.log, len(text))
	log := t.log[:cap(t.log)]
	at := uint32(foldByte[text[0]])<<7 | uint32(foldByte[text[1]])
	for _, c := range text[2:] {
		at = (at<<7 | uint32(foldByte[c])) & (asciiTrigrams - 1)
		log[n] = at
		fresh := 0
		if marks[at] != mark {
			fresh = 1
		}
		marks[at] = mark
		n += fresh
	}
	t.log = log[:n]
}

func (t *trigramCollector) addBytes(region uint32, text []byte) {
	at := uint32(foldByte[text[0]])<<8 | uint32(foldByte[text[1]])
	for _, c := range text[2:] {
		at = (at<<8 | uint32(foldByte[c])) & (1<<24 - 1)
		if at&0x808080 != 0 {
			t.addOther(region, at)
			continue
		}
		if slot := asciiSlot(at); t.marks[slot] != t.mark {
			t.marks[slot] = t.mark
			t.log = append(t.log, slot)
		}
	}
}

// asciiSlot is the place of a trigram of ASCII, of seven bits for each byte.
func asciiSlot(trigram uint32) uint32 { return trigram&0x7f | trigram>>1&0x3f80 | trigram>>2&0x1fc000 }

func (t *trigramCollector) addOther(region, trigram uint32) {
	at, ok := t.others[trigram]
	if !ok {
		at = uint32(len(t.wide))
		t.wide = append(t.wide, wideTrigram{list: t.newList(trigram)})
		t.others[trigram] = at
	}
	if w := &t.wide[at]; w.last != region+1 {
		w.last = region + 1
		t.log = append(t.log, asciiTrigrams+at)
	}
}

func (t *trigramCollector) newList(trigram uint32) uint32 {
	t.lists = append(t.lists, trigramList{})
	t.numbers = append(t.numbers, trigram)
	return uint32(len(t.lists) - 1)
}

// flush moves the log to the lists.
func (t *trigramCollector) flush() {
	t.sortLog()
	from := uint32(0)
	for i, end := range t.ends {
		if from == end {
			continue
		}
		list := &t.lists[i]
		list.count += end - from
		for _, region := range t.sorted[from:end] {
			t.pool.Uvarint(&list.stream, region-list.next)
			list.next = region + 1
		}
		from = end
	}
	t.log, t.runs = t.log[:0], t.runs[:0]
}

// sortLog leaves in sorted the regions that the log has of each list, and in
// ends where they end.
func (t *trigramCollector) sortLog() {
	for i, at := range t.log {
		t.log[i] = t.listOf(at)
	}
	t.ends = slices.Grow(t.ends[:0], len(t.lists))[:len(t.lists)]
	clear(t.ends)
	for _, list := range t.log {
		t.ends[list]++
	}
	sum := uint32(0)
	for i, n := range t.ends {
		t.ends[i] = sum
		sum += n
	}
	t.sorted = slices.Grow(t.sorted[:0], len(t.log))[:len(t.log)]
	from := 0
	for _, run := range t.runs {
		for _, list := range t.log[from:run.end] {
			t.sorted[t.ends[list]] = run.region
			t.ends[list]++
		}
		from = run.end
	}
}

func (t *trigramCollector) listOf(at uint32) uint32 {
	if at >= asciiTrigrams {
		return t.wide[at-asciiTrigrams].list
	}
	if t.ascii[at] == 0 {
		t.ascii[at] = 1 + t.newList(at&0x7f|at<<1&0x7f00|at<<2&0x7f0000)
	}
	return t.ascii[at] - 1
}

// writeTo writes all lists.
func (t *trigramCollector) writeTo(w *trigramWriter) {
	t.flush()
	order := make([]uint64, len(t.numbers))
	for i, n := range t.numbers {
		order[i] = uint64(n)<<32 | uint64(i)
	}
	slices.Sort(order)
	var regions []uint32
	var encoded []byte
	for _, o := range order {
		list := &t.lists[uint32(o)]
		encoded = t.pool.AppendTo(encoded[:0], list.stream)
		if list.count < pack.BlockLen && len(encoded) <= w.bitmapSize() {
			w.put(uint32(o>>32), int(list.count), encoded, 0)
			continue
		}
		regions = decodeDistances(regions[:0], encoded)
		w.add(uint32(o>>32), regions)
	}
}

// decodeDistances is the inverse of appendDistances for bytes of our own memory.
func decodeDistances(dst []uint32, b []byte) []uint32 {
	var next uint32
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		next += uint32(v)
		dst = append(dst, next)
		next++
		b = b[n:]
	}
	return dst
}

// reset forgets all regions.
func (t *trigramCollector) reset(p *arena.Streams) {
	for _, n := range t.numbers {
		if n&0x808080 == 0 {
			t.ascii[asciiSlot(n)] = 0
		}
	}
	*t = trigramCollector{
		pool: p, logged: t.logged, mark: t.mark, marks: t.marks, ascii: t.ascii, others: map[uint32]uint32{},
		log: t.log[:0], runs: t.runs[:0], ends: t.ends, sorted: t.sorted,
	}
}

func (t *trigramCollector) memory() int64 {
	const mapEntry = 20 // a guess: key, place and the map's slack
	return int64(len(t.marks)) + int64(len(t.ascii)+cap(t.log)+cap(t.ends)+cap(t.sorted)+cap(t.numbers))*4 +
		int64(cap(t.wide))*8 + int64(cap(t.runs))*16 + int64(cap(t.lists))*20 + int64(len(t.others))*mapEntry
}
