package listing

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"
)

func tree(files ...string) *Tree {
	t := &Tree{Looked: 7}
	for i := 0; i < len(files); i += 2 {
		t.Leaves = append(t.Leaves, Leaf{Path: files[i], Hash: xxh3.Hash128([]byte(files[i+1])).Bytes(), Stat: Stat{Size: int64(len(files[i+1]))}})
	}
	Sort(t.Leaves)
	return t
}

// TestJoin shows what is yielded of a list and of entries that may repeat.
func TestJoin(t *testing.T) {
	for _, tt := range []struct{ list, others, want string }{
		{"", "", ""},
		{"ab", "", "a- b-"},
		{"", "ab", "-a -b"},
		{"abc", "abc", "aa bb cc"},
		{"ac", "bd", "a- -b c- -d"},
		{"bd", "ac", "-a b- -c d-"},
		{"b", "abbbc", "-a bb bb bb -c"},
		{"ab", "aa", "aa aa b-"},
		{"abd", "bbcd", "a- bb bb -c dd"},
	} {
		t.Run(tt.list+" with "+tt.others, func(t *testing.T) {
			t.Parallel()
			others := func(yield func(*byte) bool) {
				for i := range len(tt.others) {
					c := tt.others[i]
					if !yield(&c) {
						return
					}
				}
			}
			name := func(c *byte) string {
				if c == nil {
					return "-"
				}
				return string(*c)
			}
			var got []string
			for a, b := range Join([]byte(tt.list), others, func(a, b *byte) int { return int(*a) - int(*b) }) {
				got = append(got, name(a)+name(b))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("Join = %s, want %s", got, tt.want)
			}
			for range Join([]byte(tt.list), others, func(a, b *byte) int { return int(*a) - int(*b) }) {
				break // which Join must take
			}
		})
	}
}

func TestRacy(t *testing.T) {
	const ms = int64(time.Millisecond)
	const s = int64(time.Second)
	tests := []struct {
		name          string
		ctime, looked int64
		want          bool
	}{
		{"long before the look", 100*s + 1, 200 * s, false},
		{"just before the clock's tick", 100*s + 1, 100*s + 1 + 20*ms, false},
		{"within the clock's tick", 100*s + 1, 100*s + 20*ms, true},
		{"at the look", 100*s + 5, 100*s + 5, true},
		{"after the look", 100*s + 6, 100*s + 5, true},
		{"whole seconds, the same one", 100 * s, 100*s + 900*ms, true},
		{"whole seconds, the one before", 100 * s, 101*s + 900*ms, true},
		{"whole seconds, two before", 100 * s, 102 * s, false},
		{"the clock stood behind the files", 500*s + 1, 100 * s, true},
		{"no stat and no look", 0, 0, true},
		{"before the epoch", -5*s + 1, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (Stat{CTime: tt.ctime}).Racy(tt.looked); got != tt.want {
				t.Errorf("Racy(%d, %d) = %v, want %v", tt.ctime, tt.looked, got, tt.want)
			}
			if got := (Stat{MTime: tt.ctime}).Racy(tt.looked); got != tt.want {
				t.Errorf("where no change time is told: Racy(%d, %d) = %v, want %v", tt.ctime, tt.looked, got, tt.want)
			}
		})
	}
}

func TestEncodeDecode(t *testing.T) {
	want := tree("a\xffb", "1", "dir/x", "2", "dir/y\n", "3")
	want.Leaves = append(want.Leaves,
		Leaf{Path: "node_modules", Dir: true, Reason: "ignored", Detail: ".gitignore:1", Count: 3},
		Leaf{Path: "z.bin", Reason: "binary", Read: true, Stat: Stat{Size: 5, MTime: -3, CTime: 9, Inode: 1 << 63}})
	Sort(want.Leaves)
	want.Folders = []Folder{{Names: 4, Stat: Stat{MTime: 5, CTime: 4, Inode: 3}}, {Path: "dir", Names: 2}}
	got, err := Decode(want.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded tree (-want +got):\n%s", diff)
	}
}

// TestDecodeFirstVersion reads a tree as version 1 wrote it, without folders.
func TestDecodeFirstVersion(t *testing.T) {
	want := tree("a", "1", "dir/x", "2")
	first := want.Encode()
	first = first[:len(first)-8-1] // the sum, and that there are no folders
	first[len(magic)] = 1
	got, err := Decode(appendSum(first))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded tree (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	whole := tree("a", "1", "dir/x", "2").Encode()
	for i := range whole {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x10
		if _, err := Decode(bad); !errors.Is(err, errCorrupt) {
			t.Errorf("byte %d changed: error %v, want errCorrupt", i, err)
		}
		if _, err := Decode(whole[:i]); !errors.Is(err, errCorrupt) {
			t.Errorf("cut at %d: error %v, want errCorrupt", i, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	folders := tree("a", "1", "dir/x", "2")
	folders.Folders = []Folder{{Names: 2}, {Path: "dir", Names: 1, Stat: Stat{CTime: 1}}}
	f.Add(folders.Encode())
	f.Fuzz(func(t *testing.T, p []byte) {
		if len(p) > 8 { // a right checksum, so that the fields are reached
			p = appendSum(p[:len(p)-8])
		}
		tr, err := Decode(p)
		if err != nil {
			return
		}
		again, err := Decode(tr.Encode())
		if err != nil {
			t.Fatalf("decoding what was encoded: %v", err)
		}
		if diff := cmp.Diff([]any{tr.Leaves, tr.Folders}, []any{again.Leaves, again.Folders}); diff != "" {
			t.Fatalf("round trip (-want +got):\n%s", diff)
		}
	})
}
