package pattern_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"espy/internal/pattern"
)

// TestExpressions compiles every expression of the program that is written as one
// text, so that a mistake is found before it is used.
func TestExpressions(t *testing.T) {
	written := regexp.MustCompile("pattern\\.New\\((`[^`]*`|\"(?:[^\"\\\\\\n]|\\\\.)*\")\\)")
	count := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range written.FindAllSubmatch(text, -1) {
			count++
			expression, err := strconv.Unquote(string(m[1]))
			if err == nil {
				_, err = regexp.Compile(expression)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", path, m[1], err)
			}
		}
		return nil
	})
	if err != nil || count < 100 {
		t.Errorf("%d expressions, error %v", count, err)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct {
		name, expression string
		panics           bool
	}{{"right", "a+", false}, {"wrong", "a(", true}} {
		t.Run(tt.name, func(t *testing.T) {
			p := pattern.New(tt.expression)
			defer func() {
				if cause := recover(); (cause != nil) != tt.panics {
					t.Errorf("panic %v", cause)
				}
			}()
			if first := p(); first != p() || !first.MatchString("baab") {
				t.Error("not one expression that matches")
			}
		})
	}
}
