package mcpserver

import (
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"espy/internal/bundle"
	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/mcpserver/cursor"
	"espy/internal/nav"
	"espy/internal/render"
)

// The parameters of a tool are a struct: the schema of its arguments is derived
// from the fields. A field without omitempty is required. A jsonschema tag
// describes an argument, and the types below bound its values.

// repoParams name the repository that a call asks about.
type repoParams struct {
	Repo string `json:"repo,omitempty"` // by name or path; empty is that of the start folder
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
	reflect.TypeFor[positive]():    integer(1, nil),
	reflect.TypeFor[around]():      integer(0, jsonschema.Ptr(float64(maxAround))),
	reflect.TypeFor[tokens]():      integer(minTokens, nil),
	reflect.TypeFor[budget]():      integer(bundle.MinTokens, jsonschema.Ptr(float64(bundle.MaxTokens))),
	reflect.TypeFor[form]():        oneOf(formText, formJSON),
	reflect.TypeFor[indexAction](): oneOf(indexActions...),
	reflect.TypeFor[code.Scope]():  oneOf(code.Scopes...),
	reflect.TypeFor[nav.Kind]():    oneOf(nav.Kinds...),
	reflect.TypeFor[hit.Mode]():    oneOf(hit.Modes...),
	reflect.TypeFor[hit.Detail]():  oneOf(hit.Details...),
}}

func integer(least float64, most *float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: most}
}

func oneOf[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

// schemaOf derives the schema of a struct of parameters, which is part of the
// program: one that has none panics.
func schemaOf[P any]() *jsonschema.Schema {
	s, err := jsonschema.For[P](types)
	if err != nil {
		panic(fmt.Errorf("mcpserver: %w", err))
	}
	for _, p := range s.Properties {
		if len(p.Types) == 2 && p.Types[0] == "null" { // any argument may be null
			p.Type, p.Types = p.Types[1], nil
		}
	}
	return s
}

// unlisted are arguments that tools/list leaves out, because the instructions or
// the description of the tool explain them, or because another one does the same.
// Every tool that has one takes it.
var unlisted = []string{"format", "ref", "explain", "start_line", "end_line"}

// listed returns a schema for tools/list: without the bounds of numbers, the words
// of scopes, which the instructions list, the unlisted arguments and the ban of
// others, which cost every client tokens. An error explains them to a client that
// breaks them.
func listed(s *jsonschema.Schema) *jsonschema.Schema {
	s = s.CloneSchemas()
	s.AdditionalProperties = nil
	for _, name := range unlisted {
		delete(s.Properties, name)
	}
	for name, p := range s.Properties {
		p.Minimum, p.Maximum = nil, nil
		if name == "scope" {
			p.Enum = nil
		}
	}
	return s
}
