package arguments

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Integer is the schema of a whole number from least to most; nil is no bound.
func Integer(least float64, most *float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: most}
}

// OneOf is the schema of one of some words.
func OneOf[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

// Schema derives the schema of a struct of parameters, with those of the types of
// its fields. A struct is part of the program: one that has no schema panics.
func Schema[P any](types *jsonschema.ForOptions) *jsonschema.Schema {
	s, err := jsonschema.For[P](types)
	if err != nil {
		panic(fmt.Errorf("arguments: %w", err))
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
var unlisted = []string{"format", "ref", "explain", "start_line", "end_line", "force", "name", "wait", "unparsed", "possible"}

// common are arguments that mean the same everywhere. A tool lists those that it
// is seldom called without; the instructions explain all of them.
var common = []string{"cursor", "lang", "limit", "max_tokens", "queries", "repo", "scope", "seen"}

// Listed returns a schema for tools/list: without the bounds of numbers, the words
// of scopes, which the instructions list, the unlisted arguments, the common ones
// but for those named, those named with a ! in front, and the ban of others, which cost every client tokens. An
// error explains them to a client that breaks them.
func Listed(s *jsonschema.Schema, named []string) *jsonschema.Schema {
	s = s.CloneSchemas()
	s.AdditionalProperties = nil
	maps.DeleteFunc(s.Properties, func(name string, _ *jsonschema.Schema) bool {
		return slices.Contains(unlisted, name) || slices.Contains(named, "!"+name) || slices.Contains(common, name) && !slices.Contains(named, name)
	})
	for name, p := range s.Properties {
		p.Minimum, p.Maximum = nil, nil
		if name == "scope" {
			p.Enum = nil
		}
	}
	return s
}
