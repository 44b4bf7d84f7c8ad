package symbols

import "testing"

func TestMatcher(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, name, qualified string
		fuzzy                    bool
		distance                 int
		ok                       bool
	}{
		{pattern: "", name: "Get", ok: true},
		{pattern: "get", name: "Get", ok: true},
		{pattern: "get", name: "GetAll", distance: 3, ok: true},
		{pattern: "Get", name: "get"},
		{pattern: "all", name: "GetAll"},
		{pattern: "get*", name: "GetAll", ok: true},
		{pattern: "*all", name: "GetAll", ok: true},
		{pattern: "g?t", name: "get", ok: true},
		{pattern: "get*", name: "forget"},
		{pattern: "a[b]*", name: "a[b]c", ok: true},
		{pattern: "operator/*", name: "operator/=", ok: true},
		{pattern: "**", name: "x", ok: true},
		{pattern: "Backend.get", name: "getAll", qualified: "Backend.getAll", distance: 3, ok: true},
		{pattern: "Backend::get*", name: "getAll", qualified: "store.Backend.getAll", ok: true},
		{pattern: "Backend#get", name: "getAll", qualified: "store.Backend.getAll", distance: 9, ok: true},
		{pattern: "Backend.get", name: "getAll", qualified: "Frontend.getAll"},
		{pattern: "gta", fuzzy: true, name: "GetAll", distance: 4, ok: true},
		{pattern: "atg", fuzzy: true, name: "GetAll"},
		{pattern: "größe", name: "größer", distance: 1, ok: true},
		{pattern: "日", fuzzy: true, name: "日本", distance: 3, ok: true},
	} {
		t.Run(tt.pattern+" "+tt.name, func(t *testing.T) {
			qualified := tt.qualified
			if qualified == "" {
				qualified = tt.name
			}
			d, ok := newMatcher(tt.pattern, tt.fuzzy).fits(tt.name, func() string { return qualified })
			if ok != tt.ok || ok && d != tt.distance {
				t.Errorf("fits = %d, %v, want %d, %v", d, ok, tt.distance, tt.ok)
			}
		})
	}
}
