// Package methodset compares methods of Go by what they take and give. It knows the
// methods of interfaces that the standard library declares and that others embed.
package methodset

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Signature is what a method takes and gives, its types by names that mean the same
// everywhere.
type Signature struct {
	Params, Results []string // the last parameter begins with ... where it takes any number
	Pointer         bool     // the receiver is a pointer
}

// Any stands within a type for what may be any type.
const Any = "?"

// Read reads the declaration of a method, or of a method within an interface. means
// says what the identifier at a byte of the text stands for: Any where that depends
// on type parameters or is not known. ok is false of what is no such declaration.
func Read(text string, means func(at int, name string) string) (s Signature, ok bool) {
	prefix := "package p\nfunc "
	if strings.HasPrefix(text, "func") {
		prefix = "package p\n"
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", prefix+text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return s, false
	}
	fn, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok {
		return s, false
	}
	r := reader{base: int(file.FileStart) + len(prefix), means: means}
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		_, s.Pointer = ast.Unparen(fn.Recv.List[0].Type).(*ast.StarExpr)
	}
	s.Params, s.Results = r.list(fn.Type.Params), r.list(fn.Type.Results)
	return s, true
}

// Fits reports whether two methods take and give the same types, and whether that is
// known of all of them.
func Fits(a, b Signature) (fits, known bool) {
	p, pk := alike(a.Params, b.Params)
	r, rk := alike(a.Results, b.Results)
	return p && r, pk && rk
}

func alike(a, b []string) (fits, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	known = true
	for i := range a {
		if strings.Contains(a[i], Any) || strings.Contains(b[i], Any) {
			if !couldBe(a[i], b[i]) {
				return false, true
			}
			known = false
			continue
		}
		if a[i] != b[i] {
			return false, true
		}
	}
	return true, known
}

// couldBe compares two types up to what is not known of them.
func couldBe(a, b string) bool {
	a, _, _ = strings.Cut(a, Any)
	b, _, _ = strings.Cut(b, Any)
	n := min(len(a), len(b))
	return a[:n] == b[:n]
}

// reader writes types.
type reader struct {
	base  int // of the text in the file that is parsed
	means func(at int, name string) string
}

// list writes the type of each parameter.
func (r *reader) list(fields *ast.FieldList) (all []string) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		t := r.typ(f.Type)
		for range max(1, len(f.Names)) {
			all = append(all, t)
		}
	}
	return all
}

func (r *reader) typ(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return r.name(x)
	case *ast.SelectorExpr:
		return r.name(x.Sel)
	case *ast.StarExpr:
		return "*" + r.typ(x.X)
	case *ast.ParenExpr:
		return r.typ(x.X)
	case *ast.Ellipsis:
		return "..." + r.typ(x.Elt)
	case *ast.ArrayType:
		return "[" + length(x.Len) + "]" + r.typ(x.Elt)
	case *ast.MapType:
		return "map[" + r.typ(x.Key) + "]" + r.typ(x.Value)
	case *ast.ChanType:
		return [...]string{ast.SEND: "chan<- ", ast.RECV: "<-chan ", ast.SEND | ast.RECV: "chan "}[x.Dir] + r.typ(x.Value)
	case *ast.FuncType:
		return "func(" + strings.Join(r.list(x.Params), ",") + ")(" + strings.Join(r.list(x.Results), ",") + ")"
	case *ast.IndexExpr:
		return r.typ(x.X) + "[" + r.typ(x.Index) + "]"
	case *ast.IndexListExpr:
		var args []string
		for _, a := range x.Indices {
			args = append(args, r.typ(a))
		}
		return r.typ(x.X) + "[" + strings.Join(args, ",") + "]"
	case *ast.StructType:
		return r.members("struct", x.Fields)
	case *ast.InterfaceType:
		return r.members("interface", x.Methods)
	}
	return Any
}

// members writes an unnamed struct or interface. Those of an interface have no order.
func (r *reader) members(kind string, fields *ast.FieldList) string {
	var all []string
	for _, f := range fields.List {
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: ""}}
		}
		for _, n := range names {
			all = append(all, n.Name+" "+r.typ(f.Type))
		}
	}
	if kind == "interface" {
		if len(all) == 0 {
			return "any"
		}
		slices.Sort(all)
	}
	return kind + "{" + strings.Join(all, ";") + "}"
}

// length is that of an array as written, Any where it is a constant.
func length(x ast.Expr) string {
	switch x := x.(type) {
	case nil:
		return ""
	case *ast.BasicLit:
		return x.Value
	}
	return Any
}

// same are names of the language and of its standard library for another name there.
var same = map[string]string{
	"byte": "uint8", "rune": "int32",
	"os.FileInfo": "io/fs.FileInfo", "os.FileMode": "io/fs.FileMode", "os.DirEntry": "io/fs.DirEntry", "os.PathError": "io/fs.PathError",
}

func (r *reader) name(id *ast.Ident) string {
	name := r.means(int(id.Pos())-r.base, id.Name)
	if s, ok := same[name]; ok {
		return s
	}
	return name
}

// predeclared are the types that every file knows.
var predeclared = map[string]bool{
	"any": true, "bool": true, "byte": true, "comparable": true, "complex64": true, "complex128": true, "error": true,
	"float32": true, "float64": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true, "rune": true, "string": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true,
}

// IsPredeclared reports whether every file knows a type by this name.
func IsPredeclared(name string) bool { return predeclared[name] }
