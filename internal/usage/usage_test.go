package usage

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestError(t *testing.T) {
	tests := []struct {
		name string
		err  Error
		want string
	}{
		{"argument and message", Error{Arg: "query", Msg: "empty"}, "query: empty"},
		{"value is quoted", Error{Arg: "lang", Value: "g\no", Msg: "unknown language"}, `lang "g\no": unknown language`},
		{"hint in parentheses", Error{Arg: "mode", Value: "x", Msg: "unknown", Hint: "did you mean regex?"}, `mode "x": unknown (did you mean regex?)`},
		{"long value is cut", Error{Arg: "q", Value: strings.Repeat("a", 81), Msg: "long"}, `q "` + strings.Repeat("a", 80) + `...": long`},
		{"cut between characters", Error{Arg: "q", Value: strings.Repeat("a", 79) + "éé", Msg: "long"}, `q "` + strings.Repeat("a", 79) + `...": long`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.err.Error(); got != tt.want {
				t.Errorf("Error() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	bad := &Error{Arg: "glob", Value: "[", Msg: "malformed"}
	var got *Error
	if err := Of("path", fmt.Errorf("compile: %w", bad)); !errors.As(err, &got) || got.Arg != "path" || got.Value != "[" {
		t.Errorf("Of(path) = %v, want the error with the argument path", err)
	}
	if bad.Arg != "glob" {
		t.Errorf("Of changed the error that it was given: %v", bad)
	}
	if err := Of("path", io.EOF); !errors.Is(err, io.EOF) {
		t.Errorf("Of(path, EOF) = %v, want EOF", err)
	}
	if err := Of("path", nil); err != nil {
		t.Errorf("Of(path, nil) = %v, want nil", err)
	}
}
