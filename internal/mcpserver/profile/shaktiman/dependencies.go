package shaktiman

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/evidence"
)

const dependenciesSchema = `{
	"type": "object",
	"properties": {
		"symbol": {"type": "string", "description": "Name, bare or qualified"},
		"direction": {"type": "string", "enum": ["callers", "callees", "both"], "default": "both"},
		"depth": {"type": "number", "default": 2, "minimum": 1, "maximum": 5},
		"scope": {"type": "string", "enum": ["impl", "test", "all"], "default": "impl"}
	},
	"required": ["symbol"]
}`

var depthBounds = bounds{1, 5, "depth must be between 1 and 5"}

func (s *server) dependenciesTool() tool {
	return tool{
		name: "dependencies", schema: dependenciesSchema, failed: "dependency lookup failed: ",
		description: `Who uses a symbol, and what it uses, over several steps.`,
		call: func(ctx context.Context, a *arguments) (*answer, error) {
			req := evidence.AroundRequest{Name: a.need("symbol")}
			direction := a.word("direction", "both", "direction must be callers, callees, or both", "callers", "callees", "both", "incoming", "outgoing")
			req.Depth = a.whole("depth", 2, depthBounds)
			scope := a.scope()
			if a.err != nil {
				return nil, a.err
			}
			req.Users = direction != "callees" && direction != "outgoing"
			req.Used = direction != "callers" && direction != "incoming"
			return s.dependencies(ctx, req, scope)
		},
	}
}

// dependency is a declaration that uses a symbol, or is used by it.
type dependency struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Path string `json:"file_path"`
	Line int    `json:"line"`
}

func (s *server) dependencies(ctx context.Context, req evidence.AroundRequest, scope string) (*answer, error) {
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	all, whole, err := evidence.Around(ctx, r, req, wait())
	if err != nil {
		return nil, err
	}
	only := s.config().only(scope, "")
	list := []dependency{}
	for _, d := range all {
		if only == nil || only(d.Path, d.Language, d.Class) {
			list = append(list, dependency{d.Name, kindOrFile(d.Kind), d.Path, d.Line})
		}
	}
	a := &answer{}
	if !whole {
		a.notes = append(a.notes, "there are more than are listed")
	}
	return a.list(list, len(list), dependenciesText(list)), nil
}

func dependenciesText(list []dependency) string {
	if len(list) == 0 {
		return "No dependencies found.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d dependencies:\n", len(list))
	for _, d := range list {
		fmt.Fprintf(&b, "  %s  %s  %s:%d\n", d.Name, d.Kind, d.Path, d.Line)
	}
	return b.String()
}
