package hit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/usage"
)

func TestRefusedRequests(t *testing.T) {
	for _, c := range []struct {
		req Request
		arg string
	}{
		{Request{Query: "a", Mode: "fuzzy"}, "mode"},
		{Request{Query: "a", Detail: "all"}, "detail"},
		{Request{Query: "a", Scope: "src"}, "scope"},
		{Request{Query: "a", Limit: -1}, "limit"},
		{Request{Query: "a", Limit: MaxLimit + 1}, "limit"},
		{Request{Query: "a", Offset: -1}, "offset"},
		{Request{Query: "a", MaxTokens: -1}, "max_tokens"},
		{Request{Query: "a", Before: -1}, "before"},
		{Request{Query: strings.Repeat("a", MaxQueryBytes+1), Mode: ModeRegex}, "query"},
		{Request{Query: strings.Repeat("a", MaxPastedBytes+1)}, "query"},
	} {
		t.Run(fmt.Sprintf("%.60v", c.req), func(t *testing.T) {
			_, err := c.req.Checked()
			var refused *usage.Error
			if !errors.As(err, &refused) || refused.Arg != c.arg || refused.Hint == "" || len(refused.Error()) > 500 {
				t.Errorf("error %v, want a usage error of %s with a hint", err, c.arg)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct{ req, want Request }{
		{Request{Query: "open file"}, Request{Query: "open file", Mode: ModeKeyword, Detail: DetailLines, Scope: code.ScopeAll, Limit: defaultLimit}},
		{Request{Query: "->"}, Request{Query: "->", Mode: ModeLiteral, Detail: DetailLines, Scope: code.ScopeAll, Limit: defaultLines}},
		{Request{Query: " "}, Request{Query: " ", Mode: ModeKeyword, Detail: DetailLines, Scope: code.ScopeAll, Limit: defaultLimit}},
		{Request{Query: "a", Mode: ModeAuto, Limit: 3}, Request{Query: "a", Mode: ModeKeyword, Detail: DetailLines, Scope: code.ScopeAll, Limit: 3}},
		{Request{Query: "a", Mode: ModeRegex, Detail: DetailFull, Scope: code.ScopeTest}, Request{Query: "a", Mode: ModeRegex, Detail: DetailFull, Scope: code.ScopeTest, Limit: defaultLines}},
	} {
		t.Run(fmt.Sprintf("%q in mode %q", c.req.Query, c.req.Mode), func(t *testing.T) {
			got, err := c.req.Checked()
			if err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%+v, error %v, want %+v", got, err, c.want)
			}
		})
	}
}
