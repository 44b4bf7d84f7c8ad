package api

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"espy/internal/mcpserver/host"
)

// object is a JSON object.
type object = map[string]any

// describe is the OpenAPI document of tools.
func describe(tools []host.Tool, version string) []byte {
	paths := object{}
	for _, t := range tools {
		ways := object{"post": operation(&t, t.About.Name, object{
			"requestBody": object{"content": object{"application/json": object{"schema": t.Args.Schema}}, "required": len(t.Args.Schema.Required) > 0},
		})}
		if t.About.Annotations != nil && t.About.Annotations.ReadOnlyHint {
			ways["get"] = operation(&t, t.About.Name+"_get", object{"parameters": parameters(t.Args.Schema)})
		}
		paths[Path+t.About.Name] = ways
	}
	text, err := json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Espy", "version": version,
			"description": "Finds code. Each route is a tool of the Model Context Protocol server: its arguments, and the JSON of its answer. format=text gives the text that agents get.",
		},
		"paths":    paths,
		"security": []object{{"token": []string{}}, {}},
		"components": object{
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
			"schemas":         object{"Problem": problemSchema},
			"responses": object{"Problem": object{
				"description": "What was wrong, and what would work.",
				"content":     object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}},
			}},
		},
	})
	if err != nil {
		panic(fmt.Errorf("encode the OpenAPI document: %w", err))
	}
	return append(text, '\n')
}

var problemSchema = object{
	"type":     "object",
	"required": []string{"status", "title", "detail"},
	"properties": object{
		"status": object{"type": "integer"}, "title": object{"type": "string"}, "detail": object{"type": "string"}, "hint": object{"type": "string"},
	},
}

// operation is one way to call a tool.
func operation(t *host.Tool, id string, with object) object {
	with["operationId"] = id
	with["summary"] = t.About.Title
	with["description"] = t.About.Description
	with["responses"] = object{
		"200": object{
			"description": "The answer.",
			"content":     object{"application/json": object{"schema": object{"type": "object"}}, "text/plain": object{"schema": object{"type": "string"}}},
		},
		"default": object{"$ref": "#/components/responses/Problem"},
	}
	return with
}

// parameters are the arguments of a tool, in the order of their names.
func parameters(s *jsonschema.Schema) []object {
	list := []object{}
	for _, name := range sorted(s) {
		list = append(list, object{"name": name, "in": "query", "required": slices.Contains(s.Required, name), "schema": s.Properties[name]})
	}
	return list
}
