package include

import "testing"

func TestCommonFolders(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"a.h", "b.c", 0}, {"b/x.h", "a/x.h", 0}, {"a/x.h", "a/x.h", 1}, {"a/x.h", "a/y.c", 1}, {"a/b/x.h", "a/b/c/y.c", 2}, {"ab/x.h", "ac/y.c", 0}, {"a/bc/x.h", "a/bd/x.h", 1},
	}
	for _, tt := range tests {
		t.Run(tt.a+" "+tt.b, func(t *testing.T) {
			if got := commonFolders(tt.a, tt.b); got != tt.want {
				t.Errorf("commonFolders(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}
