package git

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const id = "0123456789012345678901234567890123456789"

func TestParseChanged(t *testing.T) {
	for _, test := range []struct {
		name, log string
		want      []Changed
		fails     bool
	}{
		{"empty", "", nil, false},
		{"no files", "\x01" + id + "\x00subject\n\nbody\n\x00", []Changed{{ID: id, Message: "subject\n\nbody\n"}}, false},
		{"files", "\x01" + id + "\x00s\n\x00\nM\x00a\nb\x00D\x00c\x00\x00\x01" + id + "\x00t\x00", []Changed{
			{ID: id, Message: "s\n", Entries: []Touched{{'M', "a\nb"}, {'D', "c"}}}, {ID: id, Message: "t"}}, false},
		{"an id too short", "\x0112\x00s\x00", nil, true},
		{"a status without a commit", "M\x00a\x00", nil, true},
		{"an unknown status", "\x01" + id + "\x00s\x00\nR100\x00a\x00b\x00", nil, true},
		{"cut off", "\x01" + id, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseChanged([]byte(test.log))
			if (err != nil) != test.fails {
				t.Errorf("%s: error %v", test.name, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" && !test.fails {
				t.Errorf("%s: differs (-want +got):\n%s", test.name, diff)
			}
		})
	}
}

func FuzzParseChanged(f *testing.F) {
	f.Add([]byte("\x01" + id + "\x00s\n\x00\nM\x00a\x00D\x00c\x00\x00\x01" + id + "\x00t\x00"))
	f.Fuzz(func(t *testing.T, log []byte) {
		changes, err := parseChanged(log)
		for _, c := range changes {
			if err == nil && commitID(c.ID) == "" {
				t.Fatalf("a commit %q", c.ID)
			}
		}
	})
}
