package rustcode

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/anatomy"
	"espy/internal/index"
	"espy/internal/mcpserver/host"
)

func (s *server) dependenciesTool() tool {
	return tool{
		name: "get_dependencies", schema: fileSchema, failed: "Parse error",
		description: `List what a file imports.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			src, file, err := s.parse(ctx, a)
			if err != nil {
				return "", err
			}
			var b strings.Builder
			fmt.Fprintf(&b, "Dependencies for '%s':\n\n", src.given)
			imports := file.Imports()
			if len(imports) == 0 {
				b.WriteString("No imports found.\n")
				return b.String(), nil
			}
			fmt.Fprintf(&b, "Imports (%d):\n", len(imports))
			for _, path := range imports {
				fmt.Fprintf(&b, "- %s\n", path)
			}
			return b.String(), nil
		},
	}
}

// parse reads and parses the file of a call.
func (s *server) parse(ctx context.Context, a *arguments) (src source, file *anatomy.File, err error) {
	src, err = s.find(ctx, a, fileErrors{"File '%s' does not exist", "'%s' is not a file"})
	if err != nil {
		return src, nil, err
	}
	content, _, left, err := s.read(src, maxShown)
	if err == nil && left != nil {
		return src, nil, invalid("Failed to read file: %s", left.Reason.Explain())
	}
	if err != nil {
		return src, nil, invalid("Failed to read file: %v", err)
	}
	if file, err = anatomy.Read(ctx, index.Options{Parser: s.Workspace.Options().Parser}, src.path, content.Text); err != nil {
		return src, nil, invalid("Parse error: %v", err)
	}
	return src, file, nil
}
