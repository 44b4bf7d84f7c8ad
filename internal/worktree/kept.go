package worktree

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/replace"
)

// The ids of blobs that were read are kept in a file, so that the next process need not
// read the files again. Those of a tree that was copied, or put back from an image, differ
// from git's index in their stat until git writes that anew, and all of them are read.
//
// The file is a mark, the bytes of an id (1 byte), rows in the order of the hashes of files
// (the hash, the id of the bytes, the id with the line ends that git keeps or zeros), and the
// XXH3 of all that (8 bytes, little-endian). What is damaged is as good as none.

const (
	keptMark  = "espyids1"
	mostKept  = 256 << 20 // bytes of the file
	worthKept = 32        // ids that are read and not kept before the file is written
)

// keptIDs are the ids of a file, by the hashes of what they are of.
type keptIDs struct {
	rows []byte
	id   int // bytes of an id
}

// readKept reads the ids that a file keeps, of so many bytes each; none where it keeps none.
func readKept(path string, id int) keptIDs {
	none := keptIDs{id: id}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostKept {
		return none
	}
	data, err := os.ReadFile(path)
	head := len(keptMark) + 1
	if err != nil || len(data) < head+8 || string(data[:len(keptMark)]) != keptMark || int(data[len(keptMark)]) != id {
		return none
	}
	rows, sum := data[head:len(data)-8], data[len(data)-8:]
	if k := (keptIDs{rows, id}); len(rows)%k.size() == 0 && binary.LittleEndian.Uint64(sum) == xxh3.Hash(data[:len(data)-8]) {
		return k
	}
	return none
}

// size is the bytes of a row.
func (k keptIDs) size() int { return len(code.Hash{}) + 2*k.id }

// find returns the ids of a file that has a hash.
func (k keptIDs) find(hash code.Hash) (ids blobIDs, ok bool) {
	size := k.size()
	i := sort.Search(len(k.rows)/size, func(i int) bool { return bytes.Compare(k.rows[i*size:i*size+len(hash)], hash[:]) >= 0 })
	if i*size == len(k.rows) || !bytes.HasPrefix(k.rows[i*size:], hash[:]) {
		return ids, false
	}
	row := k.rows[i*size+len(hash) : (i+1)*size]
	ids.raw = string(row[:k.id])
	if lines := string(row[k.id:]); strings.Trim(lines, "\x00") != "" {
		ids.lines = lines
	}
	return ids, true
}

// writeKept keeps ids of so many bytes each. What cannot be written is read again.
func writeKept(path string, blobs map[code.Hash]blobIDs, id int) {
	data := append([]byte(keptMark), byte(id))
	for _, hash := range slices.SortedFunc(maps.Keys(blobs), func(a, b code.Hash) int { return bytes.Compare(a[:], b[:]) }) {
		ids := blobs[hash]
		data = append(append(data, hash[:]...), ids.raw...)
		data = append(append(data, ids.lines...), make([]byte, id-len(ids.lines))...)
	}
	data = binary.LittleEndian.AppendUint64(data, xxh3.Hash(data))
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		replace.File(path, data)
	}
}
