package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	event := func(action, test, output string) string {
		return `{"Action":"` + action + `","Package":"p","Test":"` + test + `","Output":"` + output + `"}` + "\n"
	}
	pass := event("output", "", `PASS\n`) + event("output", "", `ok  \tp\t0.1s\n`) + event("pass", "", "")
	fail := event("output", "", `FAIL\n`) + event("output", "", `FAIL\tp\t0.1s\n`) + event("fail", "", "")
	for _, tt := range []struct {
		name, events, want string
		ok                 bool
	}{
		{"passed", event("run", "TestA", "") + event("output", "TestA", `    a.go:1: said\n`) + event("pass", "TestA", "") + pass, "ok  \tp\t0.1s\nPASS\n", true},
		{"failed", event("output", "TestA", `=== RUN   TestA\n`) + event("output", "TestA", `    a.go:1: bad\n`) + event("output", "TestA", `--- FAIL: TestA (0.00s)\n`) + event("fail", "TestA", "") + fail,
			"    a.go:1: bad\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tp\t0.1s\nFAIL\n", false},
		{"skipped", event("output", "TestA", `    a.go:1: no disk\n`) + event("output", "TestA", `--- SKIP: TestA (0.00s)\n`) + event("skip", "TestA", "") + pass,
			"ok  \tp\t0.1s\n\n1 skipped:\n--- SKIP: p TestA\n    a.go:1: no disk\nPASS\n", true},
		{"did not end", event("output", "TestA", `panic: x\n`) + fail, "FAIL\nFAIL\tp\t0.1s\npanic: x\nFAIL\n", false},
		{"did not build", `{"Action":"build-output","Output":"a.go:1: undefined\n"}` + "\n" + `{"Action":"build-fail"}` + "\n", "a.go:1: undefined\nFAIL\n", false},
		{"nothing ran", "", "FAIL\n", false},
		{"a word of the go command", "go: no such package\n" + pass, "go: no such package\nok  \tp\t0.1s\nPASS\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			r := &report{out: &out, output: map[string][]string{}}
			if err := r.read(strings.NewReader(tt.events)); err != nil {
				t.Fatal(err)
			}
			if ok := r.end(); ok != tt.ok || out.String() != tt.want {
				t.Errorf("ok %v, want %v; printed\n%s\nwant\n%s", ok, tt.ok, out.String(), tt.want)
			}
		})
	}
}
