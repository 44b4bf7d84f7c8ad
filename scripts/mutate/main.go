// Mutate draws changes of a package's source at random, and runs the package's
// own tests against each: a change that no test notices is a hole in them.
//
//	go run ./scripts/mutate -n 20 ./internal/store ./internal/resolve
//
// The source stays as it is: the go command is given the changed file as an
// overlay. A change that does not compile is drawn again.
package main

import (
	"encoding/json"
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

// A mutant is one change: the bytes from a position to another become text.
type mutant struct {
	pkg, file string
	line      int
	from, to  int // offsets in the file
	text      string
}

var (
	count  = flag.Int("n", 20, "how many changes to draw")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "the same seed draws the same changes")
	within = flag.Duration("within", 15*time.Minute, "begin no further change after this time")
	short  = flag.Bool("short", false, "run the short tests only")
)

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(patterns []string) error {
	began := time.Now()
	all, limits, err := prepare(patterns)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %d possible changes\n", *seed, len(all))
	rnd := rand.New(rand.NewPCG(*seed, 0))
	killed, tried := 0, 0
	for _, i := range rnd.Perm(len(all)) {
		if tried == *count || time.Since(began) > *within {
			break
		}
		m := all[i]
		compiles, noticed, err := m.test(limits[m.pkg])
		if err != nil {
			return err
		}
		if !compiles {
			continue
		}
		tried++
		verdict := "SURVIVED"
		if noticed {
			killed++
			verdict = "killed  "
		}
		fmt.Println(verdict, m)
	}
	fmt.Printf("%d of %d killed in %.0f s\n", killed, tried, time.Since(began).Seconds())
	return nil
}

// prepare finds all changes of the packages, and how long the tests of each may
// take. The tests must pass as the source is.
func prepare(patterns []string) (all []mutant, limits map[string]time.Duration, err error) {
	args := append([]string{"list", "-f", `{{$d := .Dir}}{{$p := .ImportPath}}{{range .GoFiles}}{{$p}} {{$d}}/{{.}}{{"\n"}}{{end}}`}, patterns...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", patterns, err)
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
		all, limits[pkg] = append(all, found...), 0
	}
	for pkg := range limits {
		began := time.Now()
		if out, err := goTest(pkg, 10*time.Minute); err != nil {
			return nil, nil, fmt.Errorf("the tests of %s fail as it is: %w\n%s", pkg, err, out)
		}
		limits[pkg] = 3*time.Since(began) + 10*time.Second
	}
	return all, limits, nil
}

func goTest(pkg string, limit time.Duration, flags ...string) ([]byte, error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String(), "-short=" + strconv.FormatBool(*short)}, flags...)
	return exec.Command("go", append(args, pkg)...).CombinedOutput()
}

// test runs the tests of the package with the change in place.
func (m mutant) test(limit time.Duration) (compiles, noticed bool, err error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return false, false, err
	}
	defer os.RemoveAll(dir)
	source, err := os.ReadFile(m.file)
	if err != nil {
		return false, false, err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return false, false, err
	}
	text := string(source[:m.from]) + m.text + string(source[m.to:])
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return false, false, err
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return false, false, err
	}
	out, err := goTest(m.pkg, limit, "-overlay", overlay)
	return !strings.Contains(string(out), "[build failed]"), err != nil, nil
}

func (m mutant) String() string {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return err.Error()
	}
	old := strings.Join(strings.Fields(string(source[m.from:m.to])), " ")
	return fmt.Sprintf("%s/%s:%d: %.80s -> %.80s", m.pkg, filepath.Base(m.file), m.line, old, m.text)
}

// operators are what becomes of an operator.
var operators = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
	token.AND: "|", token.OR: "&", token.SHL: ">>", token.SHR: "<<", token.AND_NOT: "&",
	token.INC: "--", token.DEC: "++", token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=",
}

// errorsOnly matches statements whose loss a test can hardly notice: what is
// closed is closed by the end of the process too.
var errorsOnly = regexp.MustCompile(`Close\(|errors\.Join\(`)

// mutants lists the changes of one file: of operators, conditions, numbers and
// truth values, and statements that are left out.
func mutants(pkg, file string) (found []mutant, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	add := func(from, to token.Pos, text string) {
		found = append(found, mutant{pkg, file, fset.Position(from).Line, at(from), at(to), text})
	}
	text := func(n ast.Node) string { return string(source[at(n.Pos()):at(n.End())]) }
	operator := func(p token.Pos, op token.Token) {
		if text, ok := operators[op]; ok {
			add(p, p+token.Pos(len(op.String())), text)
		}
	}
	leaveOut := func(n ast.Stmt) {
		if !errorsOnly.MatchString(text(n)) {
			add(n.Pos(), n.End(), "")
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok == token.ASSIGN {
				leaveOut(n)
			}
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+text(n.Cond)+")")
		case *ast.ExprStmt:
			leaveOut(n)
		case *ast.BranchStmt:
			if other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]; other != "" && n.Label == nil {
				add(n.Pos(), n.End(), other)
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				add(n.Pos(), n.End(), other)
			}
		}
		return true
	})
	return found, nil
}
