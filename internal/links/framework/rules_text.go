package framework

import (
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// Texts of SQL, of configuration and of interface definitions.
var (
	createTable  = pattern.New("(?i)\\bcreate\\s+(?:temporary\\s+|unlogged\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)[`\"'\\]]?\\s*(?:\\(|as\\b|like\\b)")
	statement    = pattern.New("\\b(?:FROM|JOIN|INTO|UPDATE|REFERENCES|TABLE)\\s+(?:ONLY\\s+|IF\\s+EXISTS\\s+)?[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)")
	gormTable    = pattern.New(`func \((?:\w+ )?\*?(?P<to>\w+)\) TableName\(\) string \{\s*return "(?P<key>\w+)"`)
	protoService = pattern.New(`^\s*service\s+(?P<key>\w+)`)
	assignedLine = pattern.New(`^\s*(?:export\s+)?(?P<key>[A-Z][A-Z0-9_]+)\s*=`)
	envOfImage   = pattern.New(`^\s*(?:ENV|ARG)\s+(?P<key>[A-Za-z_]\w*)`)
	envOfYAML    = pattern.New(`^\s+(?:-\s+)?(?P<key>[A-Z][A-Z0-9_]{2,})\s*[:=]`)
	// A statement in small letters: what it selects are columns, and its table is known.
	columns     = "(?:\\*|[\\w.()*]+(?:\\s+as\\s+\\w+)?(?:\\s*,\\s*[\\w.()*]+(?:\\s+as\\s+\\w+)?)*)"
	smallTable  = "[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)"
	smallSelect = pattern.New("(?im)(?:[\"'`]|^)\\s*select\\s+(?:distinct\\s+)?" + columns + "\\s+from\\s+" + smallTable)
	smallJoin   = pattern.New("(?i)\\bjoin\\s+" + smallTable + "[`\"'\\]]?(?:\\s+(?:as\\s+)?\\w+)?\\s+(?:on|using)\\b")
	smallChange = pattern.New("(?im)(?:[\"'`]|^)\\s*(?:insert\\s+into|delete\\s+from|update)\\s+" + smallTable + "[`\"'\\]]?\\s*(?:\\(|set\\b|where\\b|values\\b|select\\b|[\"'`;])")
	rubyTable   = pattern.New(`\bcreate_table\s*\(?\s*[:"'](?P<key>\w+)`)
	prismaModel = pattern.New(`^model\s+(?P<key>\w+)`)
	envTag      = pattern.New("`[^`\n]*\\b(?:env|envconfig):\"(?P<key>[A-Za-z_]\\w*)")
	property    = pattern.New(`^\s*(?P<key>[\w.-]+)\s*[=:]`)
	namedInYAML = pattern.New(`^\s+-\s+name:\s*["']?(?P<key>[A-Z][A-Z0-9_]{2,})["']?\s*$`)
)

// textRules are about texts of any language. Declarations come before what needs
// them to be known.
var textRules = []rule{
	{by: []framework{{name: "SQL"}}, kind: Table, role: Declares, shape: stated, names: []string{"TABLE", "table", "Table"}, pattern: createTable},
	{by: []framework{{name: "gorm"}}, kind: Table, role: Declares, shape: stated, names: []string{"TableName"}, pattern: gormTable, target: grouped},
	{by: []framework{{name: "Rails"}}, kind: Table, role: Declares, in: corpus.Ruby, shape: stated, names: []string{"create_table"}, pattern: rubyTable},
	{by: []framework{{name: "Prisma"}}, kind: Table, role: Declares, shape: lined, files: "*.prisma", pattern: prismaModel},
	{
		by: []framework{{name: "SQL"}}, kind: Table, role: Reads, shape: stated, names: []string{"from", "join", "into", "update", "references", "table", "only", "exists"}, known: true,
		pattern: statement, also: []pattern.Pattern{smallSelect, smallJoin, smallChange},
	},
	{by: []framework{{name: "gRPC"}}, kind: Service, role: Declares, shape: stated, files: "*.proto", names: []string{"service"}, pattern: protoService},
	{by: []framework{{name: "env tag"}}, kind: Setting, role: Reads, in: corpus.Go, shape: stated, names: []string{"env", "envconfig"}, pattern: envTag},
	{by: []framework{{name: "Spring"}}, kind: Setting, role: Sets, shape: lined, files: "application*.properties", pattern: property, known: true},
	{by: []framework{{name: "Spring"}}, kind: Setting, role: Sets, shape: nested, files: "application*.y*ml"},
	{by: []framework{{name: "dotenv"}}, kind: Setting, role: Sets, shape: lined, files: ".env*", pattern: assignedLine},
	{by: []framework{{name: "Docker"}}, kind: Setting, role: Sets, shape: lined, files: "*Dockerfile*", pattern: envOfImage},
	{by: []framework{{name: "Compose"}}, kind: Setting, role: Sets, shape: lined, files: "*compose*.y*ml", pattern: envOfYAML},
	{by: []framework{{name: "Kubernetes"}}, kind: Setting, role: Sets, shape: lined, files: "*.y*ml", pattern: namedInYAML},
}
