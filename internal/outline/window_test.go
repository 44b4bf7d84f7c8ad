package outline

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWindows(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    Windowing
		want []string
	}{
		{"0123456789ABCDEFGHIJ", Windowing{10, 2}, []string{"0123456789", "89ABCDEFGH", "GHIJ"}},
		{"0123456789ABCDEFGHIJ", Windowing{10, 3}, []string{"0123456789", "789ABCDEFG", "EFGHIJ"}},
		{"x", Windowing{10, 2}, []string{"x"}},
		{"0123456789", Windowing{10, 0}, []string{"0123456789"}},
		{"0123456789", Windowing{10, 2}, []string{"0123456789", "89"}}, // a tail of overlap alone
		{"", Windowing{10, 2}, nil},
		{"aé世😀b", Windowing{2, 1}, []string{"aé", "é世", "世😀", "😀b", "b"}},
		{"ab", Windowing{1, 0}, []string{"a", "b"}},
		{"\xff\xfea", Windowing{2, 0}, []string{"\xff\xfe", "a"}},
	} {
		var got []string
		for _, w := range tt.w.Append(nil, []byte(tt.text)) {
			got = append(got, tt.text[w.Start:w.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v of %q: %q, want %q", tt.w, tt.text, got, tt.want)
		}
		if n := tt.w.Count([]byte(tt.text)); n != len(tt.want) {
			t.Errorf("%v counts %d windows of %q, want %d", tt.w, n, tt.text, len(tt.want))
		}
	}
}

func TestWindowingValidate(t *testing.T) {
	for w, ok := range map[Windowing]bool{{512, 64}: true, {1, 0}: true, {0, 0}: false, {10, 10}: false, {10, -1}: false} {
		if err := w.Validate(); (err == nil) != ok {
			t.Errorf("%v: %v", w, err)
		}
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("hello 世界 "+strings.Repeat("ab", 40), 10, 3)
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		w := Windowing{size, overlap}
		if w.Validate() != nil || size > 1000 {
			return
		}
		windows := w.Append(nil, []byte(text))
		if len(windows) != w.Count([]byte(text)) {
			t.Fatalf("%d windows, counted %d", len(windows), w.Count([]byte(text)))
		}
		for i, x := range windows {
			n := utf8.RuneCountInString(text[x.Start:x.End])
			last := x.End == len(text)
			if n > size || !last && n != size || i > 0 && utf8.RuneCountInString(text[windows[i-1].Start:x.Start]) != size-overlap {
				t.Fatalf("window %d of %d is %v with %d characters", i, len(windows), x, n)
			}
		}
	})
}
