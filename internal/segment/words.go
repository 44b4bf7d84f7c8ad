package segment

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"espy/internal/segment/arena"
	"espy/internal/segment/dict"

	"github.com/zeebo/xxh3"
)

// wordTable numbers distinct words of text from 0 in the order in which they
// come. Most words are found with one look at the memory: a slot holds the
// whole word.
type wordTable struct {
	slots   []wordSlot
	used    int
	touched uint32 // what touch read, which is of no use but to have been read
}

// wordSlot is a word and what there is to know of each of its occurrences.
type wordSlot struct {
	key       wordKey
	id        uint32 // number plus one, 0 where the slot is free
	terms     uint8  // compound included
	positions uint8
}

func (s *wordSlot) number() uint32 { return s.id - 1 }

// wordKey holds the bytes of a word of up to 15 bytes, zeros behind them, and
// their number, or 15 bytes of the hash of a longer one and the byte 0xff.
type wordKey struct{ lo, hi uint64 }

const (
	maxWordKey   = 15
	longWord     = 0xff << 56
	wordSlotSize = 24
)

// wordKeyMasks keep the first bytes of 16.
var wordKeyMasks = func() (m [maxWordKey + 1]wordKey) {
	for n := range m {
		m[n].lo = 1<<(8*min(n, 8)) - 1
		m[n].hi = 1<<(8*max(n-8, 0)) - 1
	}
	return m
}()

func wordKeyOf(text []byte, start, end int) wordKey {
	n := end - start
	if n > maxWordKey {
		h := xxh3.Hash128(text[start:end])
		return wordKey{h.Lo, h.Hi | longWord}
	}
	var tail [16]byte
	b := tail[:]
	if start+len(b) <= len(text) {
		b = text[start : start+len(b)]
	} else {
		copy(b, text[start:end])
	}
	mask := &wordKeyMasks[n]
	lo, hi := binary.LittleEndian.Uint64(b)&mask.lo, binary.LittleEndian.Uint64(b[8:])&mask.hi
	return wordKey{lo, hi | uint64(n)<<56}
}

// wordSeeds differ from process to process, so that no text can be made whose
// words all meet in one place. Nothing but time depends on them.
var wordSeeds = wordKey{rand.Uint64(), rand.Uint64()}

func (k wordKey) hash() uint64 {
	hi, lo := bits.Mul64(k.lo^wordSeeds.lo, k.hi^wordSeeds.hi)
	return hi ^ lo
}

// find returns the slot of a word, and whether it is new. The slot is valid
// until the next call.
func (t *wordTable) find(key wordKey) (slot *wordSlot, fresh bool) {
	if 4*t.used >= 3*len(t.slots) {
		t.grow()
	}
	slot = t.slot(key)
	if slot.id != 0 {
		return slot, false
	}
	t.used++
	slot.key, slot.id = key, uint32(t.used)
	return slot, true
}

// touch reads the slots where words may be found, so that the processor waits
// for the memory of many of them at once.
func (t *wordTable) touch(words []wordSpot) {
	slots, mask := t.slots, uint64(len(t.slots)-1)
	if len(slots) == 0 {
		return
	}
	sum := uint32(0)
	for i := range words {
		sum += slots[words[i].key.hash()&mask].id
	}
	t.touched = sum
}

// slot returns the slot of a key, or a free one for it.
func (t *wordTable) slot(key wordKey) *wordSlot {
	mask := uint64(len(t.slots) - 1)
	for i := key.hash() & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.key == key || s.id == 0 {
			return s
		}
	}
}

func (t *wordTable) grow() {
	old := t.slots
	t.slots = make([]wordSlot, max(2*len(old), 1<<10))
	for _, s := range old {
		if s.id != 0 {
			*t.slot(s.key) = s
		}
	}
}

// reset forgets all words.
func (t *wordTable) reset() {
	clear(t.slots)
	t.used = 0
}

func (t *wordTable) memory() int64 { return int64(len(t.slots)) * wordSlotSize }

// termTable numbers distinct terms as a wordTable does words, and keeps them.
type termTable struct {
	names arena.Names
	table wordTable
}

func (t *termTable) id(term string) uint32 {
	var buf [dict.MaxTerm]byte
	s := append(buf[:0], term...)
	slot, fresh := t.table.find(wordKeyOf(s, 0, len(s)))
	if fresh {
		t.names.Append(s)
	}
	return slot.number()
}

// reset forgets all terms.
func (t *termTable) reset() {
	t.table.reset()
	t.names = arena.Names{}
}

func (t *termTable) memory() int64 { return t.table.memory() + t.names.Memory() }

// wordLog is a row of numbers of words. As the common ones come early, most have
// less than 16 bits.
type wordLog struct {
	blocks [][]uint16
	last   []uint16 // block that is being filled
}

const (
	wordLogBlock = 64 << 10 // numbers of 16 bits
	wideWord     = 1<<16 - 1
)

func (l *wordLog) add(id uint32) {
	if len(l.last)+3 > cap(l.last) {
		l.grow()
	}
	if id < wideWord {
		l.last = append(l.last, uint16(id))
		return
	}
	l.last = append(l.last, wideWord, uint16(id), uint16(id>>16))
}

func (l *wordLog) grow() {
	if len(l.last) > 0 {
		l.blocks = append(l.blocks, l.last)
	}
	l.last = make([]uint16, 0, min(max(2*cap(l.last), 1<<10), wordLogBlock))
}

// each calls visit with the numbers in order.
func (l *wordLog) each(visit func(id uint32)) {
	for _, block := range append(l.blocks[:len(l.blocks):len(l.blocks)], l.last) {
		for i := 0; i < len(block); i++ {
			id := uint32(block[i])
			if id == wideWord {
				id = uint32(block[i+1]) | uint32(block[i+2])<<16
				i += 2
			}
			visit(id)
		}
	}
}

func (l *wordLog) memory() int64 { return int64(len(l.blocks))*2*wordLogBlock + int64(cap(l.last))*2 }
