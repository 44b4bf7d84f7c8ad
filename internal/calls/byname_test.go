package calls

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/sample"
)

// TestByName holds that the callers of what only lines tell of are the functions in which
// its name is written like a call, each once, and that these are possible.
func TestByName(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.sol":    "contract Bank {\n    function pay() public {\n        check(1);\n        check(2);\n    }\n\n    function check(uint x) internal {\n        log(check);\n    }\n}\n",
		"b.sol":    "contract Shop is Bank {\n    modifier checked() {\n        check(3); // check(4)\n        _;\n    }\n}\n",
		"c.go":     "package c\n\nfunc tests(b any) {\n\tb.check(1)\n}\n",
		"d.fish":   "check\n",
		"till.erl": "-module(till).\n-export([pay/1]).\n\npay(X) ->\n    X.\n",
		"shop.erl": "-module(shop).\n\nsell(T) ->\n    pay(T),\n    till:pay(T).\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		request Request
		total   int
		want    []string
	}{
		{Request{Target: locate.Target{Name: "check"}}, 3, []string{"a.sol#Bank.pay method 2: a.sol:3 2 times possible", "b.sol#Shop.checked method 2: b.sol:3 1 times possible", "c.go#tests func 3: c.go:4 1 times possible"}},
		{Request{Target: locate.Target{Name: "a.sol#check"}, Limit: 1, Offset: 1}, 3, []string{"b.sol#Shop.checked method 2: b.sol:3 1 times possible"}},
		{Request{Target: locate.Target{Name: "check"}, Direction: Callees}, 0, nil},
		{Request{Target: locate.Target{Name: "till.erl#pay"}}, 1, []string{"shop.erl#sell func 3: shop.erl:5 1 times likely"}},
		{Request{Target: locate.Target{Name: "pay"}, Offset: 7}, 1, nil},
	} {
		a, err := answer(x, tt.request)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range a.Steps {
			got = append(got, fmt.Sprintf("%s %s %d: %s:%d %d times %s", s.ID, s.Kind, s.Line, s.At.Path, s.At.Line, s.Times, s.Confidence))
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" || a.Total != tt.total || a.Outlined == "" {
			t.Errorf("%+v: %d in all, declared at %q (-want +got):\n%s", tt.request, a.Total, a.Outlined, diff)
		}
	}
}
