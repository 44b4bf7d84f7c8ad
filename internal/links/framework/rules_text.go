package framework

import "regexp"

// Texts of SQL, of configuration and of interface definitions.
var (
	createTable  = regexp.MustCompile("(?i)\\bcreate\\s+(?:temporary\\s+|unlogged\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)")
	statement    = regexp.MustCompile("\\b(?:FROM|JOIN|INTO|UPDATE|REFERENCES|TABLE)\\s+(?:ONLY\\s+|IF\\s+EXISTS\\s+)?[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)")
	gormTable    = regexp.MustCompile(`func \((?:\w+ )?\*?(?P<to>\w+)\) TableName\(\) string \{\s*return "(?P<key>\w+)"`)
	protoService = regexp.MustCompile(`^\s*service\s+(?P<key>\w+)`)
	assignedLine = regexp.MustCompile(`^\s*(?:export\s+)?(?P<key>[A-Z][A-Z0-9_]+)\s*=`)
	envOfImage   = regexp.MustCompile(`^\s*(?:ENV|ARG)\s+(?P<key>[A-Za-z_]\w*)`)
	envOfYAML    = regexp.MustCompile(`^\s+(?:-\s+)?(?P<key>[A-Z][A-Z0-9_]{2,})\s*[:=]`)
	namedInYAML  = regexp.MustCompile(`^\s+-\s+name:\s*["']?(?P<key>[A-Z][A-Z0-9_]{2,})["']?\s*$`)
)

// textRules are about texts of any language. Declarations come before what needs
// them to be known.
var textRules = []rule{
	{by: []framework{{name: "SQL"}}, kind: Table, role: Declares, shape: stated, names: []string{"TABLE", "table", "Table"}, pattern: createTable},
	{by: []framework{{name: "gorm"}}, kind: Table, role: Declares, shape: stated, names: []string{"TableName"}, pattern: gormTable, target: grouped},
	{by: []framework{{name: "SQL"}}, kind: Table, role: Reads, shape: stated, names: []string{"FROM", "JOIN", "INTO", "UPDATE", "REFERENCES"}, pattern: statement, known: true},
	{by: []framework{{name: "gRPC"}}, kind: Service, role: Declares, shape: stated, files: "*.proto", names: []string{"service"}, pattern: protoService},
	{by: []framework{{name: "dotenv"}}, kind: Setting, role: Sets, shape: lined, files: ".env*", pattern: assignedLine},
	{by: []framework{{name: "Docker"}}, kind: Setting, role: Sets, shape: lined, files: "*Dockerfile*", pattern: envOfImage},
	{by: []framework{{name: "Compose"}}, kind: Setting, role: Sets, shape: lined, files: "*compose*.y*ml", pattern: envOfYAML},
	{by: []framework{{name: "Kubernetes"}}, kind: Setting, role: Sets, shape: lined, files: "*.y*ml", pattern: namedInYAML},
}
