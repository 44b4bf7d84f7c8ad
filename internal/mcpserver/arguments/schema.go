package arguments

import (
	"fmt"

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
var unlisted = []string{"format", "ref", "explain", "start_line", "end_line"}

// Listed returns a schema for tools/list: without the bounds of numbers, the words
// of scopes, which the instructions list, the unlisted arguments and the ban of
// others, which cost every client tokens. An error explains them to a client that
// breaks them.
func Listed(s *jsonschema.Schema) *jsonschema.Schema {
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
