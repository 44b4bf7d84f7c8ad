package shaktiman

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/code"
	"espy/internal/evidence"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/nav"
)

const symbolsSchema = `{
	"type": "object",
	"properties": {
		"name": {"type": "string", "description": "Exact name, without package or type"},
		"kind": {"type": "string", "description": "function, class, method, type, interface, variable, constant or namespace"},
		"scope": {"type": "string", "enum": ["impl", "test", "all"], "default": "impl"}
	},
	"required": ["name"]
}`

// maxSymbols is how many definitions of one name are listed.
const maxSymbols = 1000

func (s *server) symbolsTool() tool {
	return tool{
		name: "symbols", schema: symbolsSchema, failed: "symbol lookup failed: ",
		description: `Every definition of a name, with its signature.`,
		call: func(ctx context.Context, a *arguments) (*answer, error) {
			name, kind, scope := a.need("name"), a.text("kind", ""), a.scope()
			if a.err != nil {
				return nil, a.err
			}
			return s.symbols(ctx, name, kind, scope)
		},
	}
}

// symbol is a definition.
type symbol struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Line       int    `json:"line"`
	Signature  string `json:"signature,omitempty"`
	Visibility string `json:"visibility"`
	Path       string `json:"file_path"`
}

// use is a declaration whose code uses a name that nothing defines.
type use struct {
	Symbol    string `json:"symbol"`
	Kind      string `json:"kind"`
	Path      string `json:"file_path"`
	Line      int    `json:"line"`
	Via       string `json:"via"`
	Qualified string `json:"qualified_name"`
}

// referenced is what is known of a name that nothing defines.
type referenced struct {
	Definitions  []symbol `json:"definitions"` // none
	ReferencedBy []use    `json:"referenced_by"`
	Note         string   `json:"note"`
}

func (s *server) symbols(ctx context.Context, name, kind, scope string) (*answer, error) {
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	only := s.config().only(scope, "")
	found, in, err := r.Symbols(ctx, nav.SymbolRequest{Target: locate.Target{Name: name}, Limit: maxSymbols}, wait())
	if err != nil {
		return nil, err
	}
	a := &answer{}
	defined := false
	var list []symbol
	for i := range found.Definitions {
		d := &found.Definitions[i]
		k := symbolKind(d.Kind)
		if strings.Contains(d.Signature, "@interface ") { // an annotation of Java
			k = "type"
		}
		if d.Name != name || k == "" {
			continue
		}
		defined = true
		if kind == "" || kind == k {
			if passes(only, d.Path) {
				list = append(list, symbol{d.Name, k, d.Line, signatureOf(d), visibility(d), d.Path})
			}
		}
	}
	if found.Total > len(found.Definitions) {
		a.notes = append(a.notes, fmt.Sprintf("%d definitions, the likeliest %d of them are listed", found.Total, len(found.Definitions)))
	}
	if n := in.Freshness.SyntaxPending; n > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%d files are not parsed yet", n))
	}
	if !defined {
		return s.undefined(ctx, name, a)
	}
	return a.list(list, len(list), symbolsText(list)), nil
}

// undefined is the answer for a name that nothing defines.
func (s *server) undefined(ctx context.Context, name string, a *answer) (*answer, error) {
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	users, whole, err := evidence.Users(ctx, r, name, wait())
	if err != nil {
		return nil, err
	}
	if len(users) == 0 {
		return a.list([]symbol(nil), 0, "No symbols found.\n"), nil
	}
	if !whole {
		a.notes = append(a.notes, "there are more uses than are listed")
	}
	out := referenced{Note: fmt.Sprintf("No definitions for %q in project. Referenced by %d symbol(s). Use 'dependencies direction:callers' or 'search' for more.", name, len(users))}
	for _, u := range users {
		out.ReferencedBy = append(out.ReferencedBy, use{u.Name, kindOrFile(u.Kind), u.Path, u.Line, viaOf(u.Via), u.Qualified})
	}
	return a.list(out, len(users), out.Note+"\n"), nil
}

func symbolsText(list []symbol) string {
	if len(list) == 0 {
		return "No symbols found.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d symbols:\n", len(list))
	for _, s := range list {
		fmt.Fprintf(&b, "  %s  %s  %s:%d  %s  [%s]\n", s.Name, s.Kind, s.Path, s.Line, s.Signature, s.Visibility)
	}
	return b.String()
}

// viaOf says how a name is used, in the words of the original.
func viaOf(r facts.Role) string {
	switch r {
	case facts.RoleCall:
		return "calls"
	case facts.RoleImport:
		return "imports"
	case facts.RoleInherit:
		return "inherits"
	case facts.RoleImplement:
		return "implements"
	case facts.RoleType:
		return "type_ref"
	}
	return "references"
}

// visibility is exported or internal; of a field of Java, what its declaration says.
func visibility(d *locate.Definition) string {
	if strings.HasSuffix(d.Path, ".java") && (d.Kind == code.KindField || d.Kind == code.KindConst) {
		for _, word := range strings.Fields(d.Signature) {
			if word == "public" || word == "private" {
				return word
			}
		}
		return "internal"
	}
	if d.Exported {
		return "exported"
	}
	return "internal"
}

// signatureOf is the parameters of a function and what it returns, "" of anything else.
func signatureOf(d *locate.Definition) string {
	if !d.Kind.IsFunc() {
		return ""
	}
	_, rest, ok := strings.Cut(d.Signature, d.Name)
	at := strings.IndexByte(rest, '(')
	if !ok || at < 0 {
		return ""
	}
	rest = rest[at:]
	depth, end := 0, len(rest)
	for i, r := range rest {
		if r == '(' {
			depth++
		}
		if r == ')' {
			if depth--; depth == 0 {
				end = i + 1
				break
			}
		}
	}
	params := rest[:end]
	returned, _, _ := strings.Cut(rest[end:], " {") // a body on the same line
	returned = strings.Trim(returned, " :;{")
	returned = strings.TrimSpace(strings.TrimPrefix(returned, "->"))
	if returned == "" || returned == "end" { // of a body that is empty
		return params
	}
	return params + ": " + returned
}
