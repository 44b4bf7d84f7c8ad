package segment

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// trigramCollector gathers the trigrams of regions. It notes the regions of a
// batch as bits beside each trigram, so that a trigram which many regions hold
// costs one write per batch.
type trigramCollector struct {
	pool    *pool
	first   uint32 // first region of the batch
	ascii   []trigramSlot
	touched []uint32          // slots of ascii with bits in this batch
	others  map[uint32]uint32 // places in wide of the other trigrams
	wide    []trigramSlot
	moved   []uint32 // others with bits in this batch
	lists   []trigramList
	numbers []uint32 // trigram of each list
}

const trigramBatch = 32

type trigramSlot struct {
	regions uint32 // bit per region of the batch
	list    uint32 // number in lists plus one
}

type trigramList struct {
	stream
	next uint32 // first region that may follow
}

const asciiTrigrams = 1 << 21

// add notes the trigrams of a region.
func (t *trigramCollector) add(region uint32, text []byte) {
	if len(text) < 3 {
		return
	}
	if t.ascii == nil {
		t.ascii = make([]trigramSlot, asciiTrigrams)
		t.others = map[uint32]uint32{}
	}
	if region-t.first >= trigramBatch {
		t.flush()
		t.first = region
	}
	bit := uint32(1) << (region - t.first)
	if isASCII(text) {
		t.addASCII(bit, text)
	} else {
		t.addBytes(bit, text)
	}
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

func (t *trigramCollector) addASCII(bit uint32, text []byte) {
	slots := (*[asciiTrigrams]trigramSlot)(t.ascii)
	at := uint32(foldByte[text[0]])<<7 | uint32(foldByte[text[1]])
	for _, c := range text[2:] {
		at = (at<<7 | uint32(foldByte[c])) & (asciiTrigrams - 1)
		if m := slots[at].regions; m&bit == 0 {
			if m == 0 {
				t.touched = append(t.touched, at)
			}
			slots[at].regions = m | bit
		}
	}
}

func (t *trigramCollector) addBytes(bit uint32, text []byte) {
	at := uint32(foldByte[text[0]])<<8 | uint32(foldByte[text[1]])
	for _, c := range text[2:] {
		at = (at<<8 | uint32(foldByte[c])) & (1<<24 - 1)
		if at&0x808080 == 0 {
			slot := at&0x7f | at>>1&0x3f80 | at>>2&0x1fc000
			if m := t.ascii[slot].regions; m&bit == 0 {
				if m == 0 {
					t.touched = append(t.touched, slot)
				}
				t.ascii[slot].regions = m | bit
			}
			continue
		}
		t.addOther(bit, at)
	}
}

func (t *trigramCollector) addOther(bit, trigram uint32) {
	at, ok := t.others[trigram]
	if !ok {
		at = uint32(len(t.wide))
		t.wide = append(t.wide, trigramSlot{})
		t.others[trigram] = at
	}
	if t.wide[at].regions == 0 {
		t.moved = append(t.moved, trigram)
	}
	t.wide[at].regions |= bit
}

// flush moves the bits of the batch to the lists.
func (t *trigramCollector) flush() {
	for _, at := range t.touched {
		t.move(&t.ascii[at], at&0x7f|at<<1&0x7f00|at<<2&0x7f0000)
	}
	for _, trigram := range t.moved {
		t.move(&t.wide[t.others[trigram]], trigram)
	}
	t.touched, t.moved = t.touched[:0], t.moved[:0]
}

func (t *trigramCollector) move(slot *trigramSlot, trigram uint32) {
	if slot.list == 0 {
		t.lists = append(t.lists, trigramList{})
		t.numbers = append(t.numbers, trigram)
		slot.list = uint32(len(t.lists))
	}
	list := &t.lists[slot.list-1]
	for m := slot.regions; m != 0; m &= m - 1 {
		region := t.first + uint32(bits.TrailingZeros32(m))
		t.pool.uvarint(&list.stream, region-list.next)
		list.next = region + 1
	}
	slot.regions = 0
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
		encoded = t.pool.appendTo(encoded[:0], t.lists[uint32(o)].stream)
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
func (t *trigramCollector) reset(p *pool) {
	ascii := t.ascii
	for _, n := range t.numbers {
		if n&0x808080 == 0 {
			ascii[n&0x7f|n>>1&0x3f80|n>>2&0x1fc000] = trigramSlot{}
		}
	}
	for _, at := range t.touched {
		ascii[at] = trigramSlot{}
	}
	*t = trigramCollector{pool: p, ascii: ascii, others: map[uint32]uint32{}}
}

func (t *trigramCollector) memory() int64 {
	const mapEntry = 20 // a guess: key, place and the map's slack
	return int64(len(t.ascii)+cap(t.wide))*8 + int64(cap(t.touched)+cap(t.moved)+cap(t.numbers))*4 + int64(cap(t.lists))*16 + int64(len(t.others))*mapEntry
}
