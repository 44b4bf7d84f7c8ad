package windows

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWindows(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    Cut
		want []string
	}{
		{"0123456789ABCDEFGHIJ", Cut{10, 2}, []string{"0123456789", "89ABCDEFGH", "GHIJ"}},
		{"0123456789ABCDEFGHIJ", Cut{10, 3}, []string{"0123456789", "789ABCDEFG", "EFGHIJ"}},
		{"x", Cut{10, 2}, []string{"x"}},
		{"0123456789", Cut{10, 0}, []string{"0123456789"}},
		{"0123456789", Cut{10, 2}, []string{"0123456789", "89"}}, // a tail of overlap alone
		{"", Cut{10, 2}, nil},
		{"aé世😀b", Cut{2, 1}, []string{"aé", "é世", "世😀", "😀b", "b"}},
		{"ab", Cut{1, 0}, []string{"a", "b"}},
		{"\xff\xfea", Cut{2, 0}, []string{"\xff\xfe", "a"}},
	} {
		t.Run(fmt.Sprintf("%v of %q", tt.w, tt.text), func(t *testing.T) {
			var got []string
			for _, w := range tt.w.Append(nil, []byte(tt.text)) {
				got = append(got, tt.text[w.Start:w.End])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v of %q: %q, want %q", tt.w, tt.text, got, tt.want)
			}
		})
	}
}

func TestCutValidate(t *testing.T) {
	for w, ok := range map[Cut]bool{{512, 64}: true, {1, 0}: true, {0, 0}: false, {10, 10}: false, {10, -1}: false} {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			if err := w.Validate(); (err == nil) != ok {
				t.Errorf("%v: %v", w, err)
			}
		})
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("hello 世界 "+strings.Repeat("ab", 40), 10, 3)
	f.Fuzz(func(t *testing.T, text string, size, overlap int) {
		w := Cut{size, overlap}
		if w.Validate() != nil || size > 1000 {
			return
		}
		windows := w.Append(nil, []byte(text))
		if step := size - overlap; len(windows) != (utf8.RuneCountInString(text)+step-1)/step {
			t.Fatalf("%d windows of %d characters", len(windows), utf8.RuneCountInString(text))
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
