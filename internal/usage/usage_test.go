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
		{"no argument", Error{Msg: "nothing to do", Value: "x"}, "nothing to do"},
		{"no argument, hint", Error{Msg: "nothing to do", Hint: "go home"}, "nothing to do (go home)"},
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

func TestExplain(t *testing.T) {
	t.Parallel()
	bad := &Error{Arg: "lang", Value: "g", Msg: "unknown", Hint: "did you mean go?"}
	for _, tt := range []struct {
		name          string
		err           error
		problem, hint string
	}{
		{"an error of usage", bad, `lang "g": unknown`, "did you mean go?"},
		{"within another", fmt.Errorf("search: %w", bad), `lang "g": unknown`, "did you mean go?"},
		{"joined", errors.Join(io.EOF, bad), `lang "g": unknown`, "did you mean go?"},
		{"no hint", &Error{Msg: "empty"}, "empty", ""},
		{"another error", fmt.Errorf("read: %w", io.EOF), "read: EOF", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if problem, hint := Explain(tt.err); problem != tt.problem || hint != tt.hint {
				t.Errorf("Explain(%v) = %q, %q, want %q, %q", tt.err, problem, hint, tt.problem, tt.hint)
			}
		})
	}
}
