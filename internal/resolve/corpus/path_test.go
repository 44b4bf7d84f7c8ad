package corpus

import "testing"

func TestJoin(t *testing.T) {
	tests := []struct {
		folder, rel, want string
		ok                bool
	}{
		{"", "a", "a", true},
		{"a", "./b", "a/b", true},
		{"a/b", "../c", "a/c", true},
		{"a", "..", "", true},
		{"a", "../..", "..", false},
		{"a", "../../b", "../b", false},
		{"a", "..b", "a/..b", true},
		{"", "/a", "/a", false},
	}
	for _, tt := range tests {
		t.Run(tt.folder+" "+tt.rel, func(t *testing.T) {
			if got, ok := Join(tt.folder, tt.rel); got != tt.want || ok != tt.ok {
				t.Errorf("Join(%q, %q) = %q, %v, want %q, %v", tt.folder, tt.rel, got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestFolder(t *testing.T) {
	for path, want := range map[string]string{"a": "", "a/b": "a", "a/b/c": "a/b", "": ""} {
		t.Run(path, func(t *testing.T) {
			if got := Folder(path); got != want {
				t.Errorf("Folder(%q) = %q, want %q", path, got, want)
			}
			if got := Child(Folder(path), "x"); got != Child(want, "x") {
				t.Errorf("Child = %q", got)
			}
		})
	}
}

func TestLastName(t *testing.T) {
	for owner, want := range map[string]string{"": "", "A": "A", "a::B": "B", "a::B::C": "C", "a:b": "a:b"} {
		t.Run(owner, func(t *testing.T) {
			if got := LastName(owner); got != want {
				t.Errorf("LastName(%q) = %q, want %q", owner, got, want)
			}
		})
	}
}
