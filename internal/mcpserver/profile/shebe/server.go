package shebe

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"espy/internal/mcpserver/host"
)

const noArguments = `{
	"type": "object",
	"properties": {},
	"additionalProperties": false
}`

func (s *server) getServerInfoTool() tool {
	return tool{
		name: "get_server_info", short: "Show server version (this tool)", schema: noArguments,
		description: `Show the version of the server and its tools.`,
		call: func(context.Context, *arguments, host.Tell) (answer, error) {
			return &serverInfo{s: s}, nil
		},
	}
}

// serverInfo is the answer of get_server_info.
type serverInfo struct {
	s        *server
	sessions int // how many there are, where the command line asked
}

func (i *serverInfo) markdown() string {
	s := i.s
	var b strings.Builder
	fmt.Fprintf(&b, "# Shebe MCP Server Information\n\n## Version\n- **Version:** %s\n- **Rust Version:** n/a\n- **Go Version:** %s\n\n",
		s.version, strings.TrimPrefix(runtime.Version(), "go"))
	b.WriteString("## Server Details\n- **Name:** shebe-mcp\n- **Description:** BM25 full-text search MCP server\n- **Protocol:** " + protocol + "\n")
	fmt.Fprintf(&b, "- **Served by:** Espy %s, profile %s\n\n## Available Tools\n", s.version, Name)
	for i, t := range s.tools() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- %s: %s", t.name, t.short)
	}
	return b.String()
}

const getConfigSchema = `{
	"type": "object",
	"properties": {
		"detailed": {"type": "boolean", "description": "List the patterns, and where each setting comes from", "default": false}
	}
}`

func (s *server) getConfigTool() tool {
	return tool{
		name: "get_config", short: "Show current configuration", schema: getConfigSchema,
		description: `Show the configuration: chunk size, limits, patterns, index directory.`,
		call: func(_ context.Context, a *arguments, _ host.Tell) (answer, error) {
			return &settings{s.config, s.indexDir(), string(a.given["detailed"]) == "true"}, nil
		},
	}
}

// indexDir is where the index really is.
func (s *server) indexDir() string {
	if dir := s.config.IndexDir; dir != "" {
		return dir
	}
	return s.all.Dir()
}

// settings is the answer of get_config.
type settings struct {
	*Config
	dir      string
	detailed bool
}

func (c *settings) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Shebe MCP Configuration\n\n## Logging\n- **Log Level:** %s\n\n", c.LogLevel)
	fmt.Fprintf(&b, "## Indexing\n- **Chunk Size:** %d chars\n- **Overlap:** %d chars\n- **Max File Size:** %d MB\n- **Include Patterns:** %d patterns\n- **Exclude Patterns:** %d patterns\n\n",
		c.ChunkSize, c.Overlap, c.MaxFileSizeMB, len(c.Include), len(c.Exclude))
	fmt.Fprintf(&b, "## Storage\n- **Index Directory:** %s\n\n", c.dir)
	fmt.Fprintf(&b, "## Search\n- **Default K:** %d\n- **Max K:** %d\n- **Max Query Length:** %d\n\n", c.DefaultK, c.MaxK, c.MaxQueryLength)
	fmt.Fprintf(&b, "## Limits\n- **Max Concurrent Indexes:** %d\n- **Request Timeout:** %ds", c.MaxIndexes, c.TimeoutSeconds)
	if c.detailed {
		patterns(&b, "Include", c.Include)
		patterns(&b, "Exclude", c.Exclude)
		b.WriteString("\n\n## Sources")
		for _, label := range labels {
			fmt.Fprintf(&b, "\n- **%s:** %s", label, c.source(label))
		}
	}
	return b.String()
}

// labels are the settings, in the order in which an answer shows them.
var labels = []string{
	"Log Level", "Chunk Size", "Overlap", "Max File Size", "Include Patterns", "Exclude Patterns", "Index Directory",
	"Default K", "Max K", "Max Query Length", "Max Concurrent Indexes", "Request Timeout",
}

func patterns(b *strings.Builder, list string, globs []string) {
	fmt.Fprintf(b, "\n\n## %s Patterns", list)
	for _, g := range globs {
		fmt.Fprintf(b, "\n- `%s`", g)
	}
}
