// Mutate draws changes of packages' source at random, and runs the tests of the
// changed package against each, then those of its room, with the packages below
// it: a change that they do not notice is a hole.
//
//	go run ./scripts/mutate -n 20 ./internal/store ./internal/resolve
//
// The files stay as they are: the go command is given the changed one as an
// overlay. A change that does not compile is drawn again, as is one whose tests
// do not end in time: under load nobody knows whether they would have failed.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	count  = flag.Int("n", 20, "how many changes to try")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "the same seed draws the same changes")
	within = flag.Duration("within", 15*time.Minute, "try no further change after this time")
	short  = flag.Bool("short", false, "run the short tests only")
)

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(packages []string) error {
	began := time.Now()
	all, limits, err := prepare(packages)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %d possible changes\n", *seed, len(all))
	killed, tried := 0, 0
	for _, i := range rand.New(rand.NewPCG(*seed, 0)).Perm(len(all)) {
		if tried == *count || time.Since(began) > *within {
			break
		}
		result, err := all[i].test(limits[room(all[i].pkg)])
		if err != nil {
			return err
		}
		switch result {
		case "does not compile":
			continue
		case "no end":
			fmt.Printf("%-8s %s\n", result, all[i])
			continue
		case "killed":
			killed++
		}
		tried++
		fmt.Printf("%-8s %s\n", result, all[i])
	}
	fmt.Printf("%d of %d killed in %.0f s\n", killed, tried, time.Since(began).Seconds())
	return nil
}

// prepare finds all changes of some packages, and how long the tests of each
// package may take: they must pass before anything is changed.
func prepare(packages []string) (all []mutant, limits map[string]time.Duration, err error) {
	const files = `{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}`
	out, err := exec.Command("go", append([]string{"list", "-f", files}, packages...)...).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", packages, err)
	}
	limits = map[string]time.Duration{}
	for line := range strings.Lines(string(out)) {
		pkg, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		found, err := mutants(pkg, file)
		if err != nil {
			return nil, nil, err
		}
		all, limits[room(pkg)] = append(all, found...), 0
	}
	for tests := range limits {
		began := time.Now()
		if out, err := goTest(tests, 10*time.Minute); err != nil {
			return nil, nil, fmt.Errorf("the tests of %s fail without a change: %w\n%s", tests, err, out)
		}
		limits[tests] = 3*time.Since(began) + 10*time.Second
	}
	return all, limits, nil
}

// room is the pattern of the packages whose tests exercise a package: those of
// internal/resolve/infer are in internal/resolve.
func room(pkg string) string {
	before, name, ok := strings.Cut(pkg, "/internal/")
	if !ok {
		return pkg
	}
	name, _, _ = strings.Cut(name, "/")
	return before + "/internal/" + name + "/..."
}

// goTest runs the tests of a room with at most 8 GiB of memory, since a
// change may well make a loop endless.
func goTest(tests string, limit time.Duration, flags ...string) ([]byte, error) {
	args := []string{"-c", `ulimit -v 8388608; exec go test "$@"`, "go", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String(), "-short=" + strconv.FormatBool(*short)}
	return exec.Command("bash", append(append(args, flags...), tests)...).CombinedOutput()
}

// A mutant is one change of a file: source[from:to] becomes text.
type mutant struct {
	pkg, file      string
	source         string
	line, from, to int
	text           string
}

// test runs the tests of the package with the change in place, then, if they
// notice nothing, those of the room.
func (m mutant) test(limit time.Duration) (result string, err error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	err = errors.Join(
		os.WriteFile(changed, []byte(m.source[:m.from]+m.text+m.source[m.to:]), 0o600),
		os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, m.file, changed), 0o600))
	if err != nil {
		return "", err
	}
	for _, tests := range []string{m.pkg, room(m.pkg)} {
		out, err := goTest(tests, limit, "-overlay", overlay)
		switch {
		case err == nil:
			continue
		case strings.Contains(string(out), "[build failed]"):
			return "does not compile", nil
		case strings.Contains(string(out), "panic: test timed out after "):
			return "no end", nil
		}
		return "killed", nil
	}
	return "SURVIVED", nil
}

func (m mutant) String() string {
	old := strings.Join(strings.Fields(m.source[m.from:m.to]), " ")
	return fmt.Sprintf("%s/%s:%d: %.80s -> %.80s", m.pkg, filepath.Base(m.file), m.line, old, cmp.Or(m.text, "nothing"))
}

// opposites are what becomes of an operator.
var opposites = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
	token.INC: "--", token.DEC: "++", token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=",
}

// untold matches statements whose loss hardly any test can notice: what is
// closed is closed by the end of the process too.
var untold = regexp.MustCompile(`Close\(|errors\.Join\(`)

// mutants lists the changes of a file: of operators, conditions, numbers and
// truth values, and statements that are left out.
func mutants(pkg, file string) (found []mutant, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	change := func(pos, end token.Pos, text string) {
		from, to := fset.Position(pos), fset.Position(end)
		found = append(found, mutant{pkg, file, string(source), from.Line, from.Offset, to.Offset, text})
	}
	text := func(n ast.Node) string {
		return string(source[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
	}
	operator := func(pos token.Pos, op token.Token) {
		if other, ok := opposites[op]; ok {
			change(pos, pos+token.Pos(len(op.String())), other)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.IfStmt:
			change(n.Cond.Pos(), n.Cond.End(), "!("+text(n.Cond)+")")
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok == token.ASSIGN && !untold.MatchString(text(n)) {
				change(n.Pos(), n.End(), "")
			}
		case *ast.ExprStmt:
			if !untold.MatchString(text(n)) {
				change(n.Pos(), n.End(), "")
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil {
				change(n.Pos(), n.End(), strconv.Itoa(v+1))
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				change(n.Pos(), n.End(), other)
			}
		}
		return true
	})
	return found, nil
}
