// Report turns the events of `go test -json` into what `go test` prints, and
// lists the skipped tests at the end, each with its reason:
//
//	go test -json ./... | go run ./scripts/report
//
// It ends with 1 if a test, package or build failed, or if there was no event.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is what `go doc test2json` describes.
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string
	Output     string
	Elapsed    float64
}

// report collects the events that are not printed yet.
type report struct {
	out     io.Writer
	output  map[string][]string // by package, or package and test
	skipped []string
	passed  int // packages
	failed  bool
}

func main() {
	r := &report{out: os.Stdout, output: map[string][]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
	if !r.end() {
		os.Exit(1)
	}
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil {
			r.add(e)
		} else if len(line) > 0 {
			fmt.Fprintf(r.out, "%s", line) // of the go command itself
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *report) add(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "pass", "skip", "fail":
		if e.Test == "" {
			r.addPackage(e, r.output[key])
		} else {
			r.addTest(e, r.output[key])
		}
		delete(r.output, key)
	}
}

// addTest prints what a failed test printed, and keeps why one was skipped.
func (r *report) addTest(e event, output []string) {
	var said []string
	for _, line := range output {
		if trimmed := strings.TrimSpace(line); !strings.HasPrefix(trimmed, "=== ") && !strings.HasPrefix(trimmed, "--- SKIP") {
			said = append(said, line)
		}
	}
	switch e.Action {
	case "fail":
		r.failed = true
		fmt.Fprint(r.out, strings.Join(said, ""))
	case "skip":
		r.skipped = append(r.skipped, fmt.Sprintf("--- SKIP: %s %s\n%s", e.Package, e.Test, strings.Join(said, "")))
	}
}

// addPackage prints the line of a package; all that it printed if it failed.
func (r *report) addPackage(e event, output []string) {
	if e.Action == "fail" {
		r.failed = true
		fmt.Fprint(r.out, strings.Join(output, ""))
		for key, lines := range r.output { // of tests that did not end
			if strings.HasPrefix(key, e.Package+" ") && key != e.Package+" " {
				fmt.Fprint(r.out, strings.Join(lines, ""))
				delete(r.output, key)
			}
		}
		return
	}
	r.passed++
	for _, line := range output {
		if strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "?  ") {
			fmt.Fprint(r.out, line)
		}
	}
}

// end prints the skipped tests and the result, and returns it.
func (r *report) end() (ok bool) {
	if len(r.skipped) > 0 {
		fmt.Fprintf(r.out, "\n%d skipped:\n%s", len(r.skipped), strings.Join(r.skipped, ""))
	}
	if r.failed || r.passed == 0 {
		fmt.Fprintln(r.out, "FAIL")
		return false
	}
	fmt.Fprintln(r.out, "PASS")
	return true
}
