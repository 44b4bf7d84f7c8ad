package mcpserver

import (
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"espy/internal/bundle"
	"espy/internal/calls"
	"espy/internal/code"
	"espy/internal/dependencies"
	"espy/internal/deps"
	"espy/internal/hierarchy"
	"espy/internal/hit"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/cursor"
	"espy/internal/nav"
	"espy/internal/render"
	"espy/internal/tasks"
	"espy/internal/workspace"
)

// The parameters of a tool are a struct: the schema of its arguments is derived
// from the fields. A field without omitempty is required. A jsonschema tag
// describes an argument, and the types below bound its values.

// repoParams name the repository that a call asks about.
type repoParams struct {
	Repo string `json:"repo,omitempty"` // by name or path; empty is that of the start folder
}

// inPackage takes the name of a package off a path, and has the call ask there.
func (p *repoParams) inPackage(path string) string {
	if ref, rest, ok := deps.CutRef(path); ok && p.Repo == "" {
		p.Repo = ref
		return rest
	}
	return path
}

// of has the call ask in a package, if r is one.
func (p *repoParams) of(r *workspace.Repo) {
	if strings.HasPrefix(r.Name(), code.PackagePrefix) {
		p.Repo = r.Name()
	}
}

// atParams name a repository and what is checked out there.
type atParams struct {
	repoParams
	Ref string `json:"ref,omitempty"` // a branch, tag or commit; empty is the work tree
}

// options are the options of an answer with one page of results.
func (p *atParams) options(page cursor.Cursor) render.Options {
	return render.Options{Repo: oneRepo(p.Repo), Ref: p.Ref, Cursor: page.Next()}
}

// shown completes the options of an answer with those of the server.
func (s *Server) shown(o render.Options) render.Options {
	o.ShowSecrets = s.showSecrets
	return o
}

// pageParams choose the results that an answer shows.
type pageParams struct {
	Limit  positive `json:"limit,omitempty"`
	Cursor string   `json:"cursor,omitempty"` // of the answer before; empty is the first page
}

// formParams say how an answer is written.
type formParams struct {
	MaxTokens tokens `json:"max_tokens,omitempty"`
	Format    form   `json:"format,omitempty"`
}

// written writes an answer in the form that the arguments ask for.
func (p formParams) written(a render.Answer, o render.Options) string {
	o.MaxTokens = p.MaxTokens.bound()
	return p.Format.written(a, o)
}

// positive is a whole number from 1; 0 if it is absent.
type positive int

// around is the number of lines to show around a match, from 0.
type around int

// maxAround bounds the lines around a match.
const maxAround = 50

// tokens is the bound of an answer in tokens; 0 if it is absent.
type tokens int

const minTokens = 100

func (t tokens) bound() int {
	if t == 0 {
		return render.DefaultTokens
	}
	return min(int(t), render.MaxTokens)
}

// budget is the bound of a packed answer in tokens; 0 if it is absent.
type budget int

// form is the form of an answer.
type form string

const (
	formText form = "text"
	formJSON form = "json"

	// formStructured is formJSON, which the protocol carries as structured content
	// too.
	formStructured form = "structured"
)

func (f form) written(a render.Answer, o render.Options) string {
	o.Calls = render.ToolCalls
	if f == formJSON {
		return string(a.JSON(o))
	}
	return a.Text(o)
}

// types are the schemas of the types of arguments.
var types = &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[positive]():               arguments.Integer(1, nil),
	reflect.TypeFor[around]():                 arguments.Integer(0, jsonschema.Ptr(float64(maxAround))),
	reflect.TypeFor[tokens]():                 arguments.Integer(minTokens, nil),
	reflect.TypeFor[budget]():                 arguments.Integer(bundle.MinTokens, jsonschema.Ptr(float64(bundle.MaxTokens))),
	reflect.TypeFor[form]():                   arguments.OneOf(formText, formJSON, formStructured),
	reflect.TypeFor[indexAction]():            arguments.OneOf(indexActions...),
	reflect.TypeFor[code.Scope]():             arguments.OneOf(code.Scopes...),
	reflect.TypeFor[nav.Kind]():               arguments.OneOf(nav.Kinds...),
	reflect.TypeFor[hierarchy.Direction]():    arguments.OneOf(hierarchy.Directions...),
	reflect.TypeFor[calls.Direction]():        arguments.OneOf(calls.Directions...),
	reflect.TypeFor[hit.Mode]():               arguments.OneOf(hit.Modes...),
	reflect.TypeFor[hit.Detail]():             arguments.OneOf(hit.Details...),
	reflect.TypeFor[drawForm]():               arguments.OneOf(string(formText), string(formJSON), string(formStructured), string(render.Mermaid), string(render.Dot)),
	reflect.TypeFor[dependencies.Direction](): arguments.OneOf(append(slices.Clip(dependencies.Directions), ofPackages)...),
	reflect.TypeFor[dependencies.Level]():     arguments.OneOf(dependencies.Levels...),
	reflect.TypeFor[tasks.Status]():           arguments.OneOf(tasks.Statuses...),
}}
