package report_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"espy/internal/ranked/report"
)

// TestDigest holds what of a long log is read: how it begins and ends, traces and
// failures wherever they stand, and what a loop printed once.
func TestDigest(t *testing.T) {
	const size = 10_000
	var b strings.Builder
	b.WriteString("the shop loses orders at night\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "2026-01-02 10:%02d:%02d worker-%d took order %x\n", i/60%60, i%60, i%7, 1<<40+i)
		switch i {
		case 1000:
			b.WriteString("\x1b[31mERROR\x1b[0m the shelf is empty\n\tat com.shop.Cart.add(Cart.java:17)\n\tat com.shop.Main.main(Main.java:4)\n")
		case 2000:
			b.WriteString("the till was opened by hand\n")
		}
		if i > 1500 && i < 2900 {
			fmt.Fprintf(&b, "retry %d failed: lease %d is lost\n", i, i)
		}
	}
	b.WriteString("process ended with status 3\n")
	got, note := report.Digest(b.String(), size)
	for _, want := range []string{
		"the shop loses orders at night\n2026-01-02", "ERROR the shelf is empty\n\tat com.shop.Cart.add(Cart.java:17)\n\tat com.shop.Main", "the till was opened by hand\n", "process ended with status 3\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the digest lacks %q:\n%s", want, got)
		}
	}
	for _, once := range []string{"took order", "is lost"} {
		if n := strings.Count(got, once); n != 1 {
			t.Errorf("%q stands in the digest %d times", once, n)
		}
	}
	if want := fmt.Sprintf("of %d bytes in 4405 lines %d bytes in 8 lines were read:", b.Len(), len(got)); !strings.HasPrefix(note, want) {
		t.Errorf("note %q, want %q", note, want)
	}
}

// TestDigestRoom holds that a digest keeps its bound whatever the text is, is the same
// each time, and that a text within the bound stays as it is.
func TestDigestRoom(t *testing.T) {
	const size = 10_000
	lines := func(form string) string {
		var b strings.Builder
		for i := 0; b.Len() < 100_000; i++ {
			fmt.Fprintf(&b, form+"\n", strings.Repeat(string(rune('a'+i%26)), 1+i/26%40))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"lines that all differ":    lines("shop %s closes"),
		"failures that all differ": lines("error: shop %s is lost"),
		"one line":                 strings.Repeat(`{"level":"info","message":"closed"},`, 3000),
		"one word":                 strings.Repeat("x", 100_000),
		"blank lines":              strings.Repeat("\n \t\n", 30_000),
		"bad bytes":                strings.Repeat("\xff\xfe\x00 \xc3\n", 20_000),
		"wide letters":             strings.Repeat("購物車是空的", 6_000),
	} {
		t.Run(name, func(t *testing.T) {
			got, note := report.Digest(text, size)
			if again, _ := report.Digest(text, size); again != got || len(got) > size || !utf8.ValidString(got) || note == "" {
				t.Errorf("%d bytes of %d, valid %v, the same again %v, note %q", len(got), len(text), utf8.ValidString(got), again == got, note)
			}
		})
	}
	if got, note := report.Digest("a\n\na", 4); got != "a\n\na" || note != "" {
		t.Errorf("a short text became %q, note %q", got, note)
	}
}
