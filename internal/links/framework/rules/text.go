package rules

import (
	"espy/internal/links/edge"
	"espy/internal/pattern"

	"espy/internal/resolve/corpus"
)

// Texts of SQL, of configuration and of interface definitions.
var (
	createTable = pattern.New("(?i)\\bcreate\\s+(?:temporary\\s+|unlogged\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)[`\"'\\]]?\\s*(?:\\(|as\\b|like\\b)")
	// Of a table that is created the declaration tells, and DELETE FROM is no FROM.
	statement    = pattern.New("\\bDELETE\\s+FROM\\b|\\b(?:FROM|JOIN|REFERENCES)\\s+(?:ONLY\\s+)?" + smallTable)
	change       = pattern.New("\\bCREATE\\s+TABLE\\b|\\b(?:INTO|UPDATE|DELETE\\s+FROM|TRUNCATE|TABLE)\\s+(?:ONLY\\s+|IF\\s+EXISTS\\s+)?" + smallTable)
	gormTable    = pattern.New(`func \((?:\w+ )?\*?(?P<to>\w+)\) TableName\(\) string \{\s*return "(?P<key>\w+)"`)
	protoService = pattern.New(`^\s*service\s+(?P<key>\w+)`)
	assignedLine = pattern.New(`^\s*(?:export\s+)?(?P<key>[A-Z][A-Z0-9_]+)\s*=`)
	envOfImage   = pattern.New(`^\s*(?:ENV|ARG)\s+(?P<key>[A-Za-z_]\w*)`)
	envOfYAML    = pattern.New(`^\s+(?:-\s+)?(?P<key>[A-Z][A-Z0-9_]{2,})\s*[:=]`)
	// A statement in small letters: what it selects are columns, and its table is known.
	columns      = "(?:\\*|[\\w.()*]+(?:\\s+as\\s+\\w+)?(?:\\s*,\\s*[\\w.()*]+(?:\\s+as\\s+\\w+)?)*)"
	smallTable   = "[`\"'\\[]?(?:\\w+\\.)?(?P<key>\\w+)"
	smallSelect  = pattern.New("(?im)(?:[\"'`]|^)\\s*select\\s+(?:distinct\\s+)?" + columns + "\\s+from\\s+" + smallTable)
	smallJoin    = pattern.New("(?i)\\bjoin\\s+" + smallTable + "[`\"'\\]]?(?:\\s+(?:as\\s+)?\\w+)?\\s+(?:on|using)\\b")
	smallChange  = pattern.New("(?im)(?:[\"'`]|^)\\s*(?:insert\\s+into|delete\\s+from|update|truncate|(?:drop|truncate)\\s+table(?:\\s+if\\s+exists)?)\\s+" + smallTable + "[`\"'\\]]?\\s*(?:\\(|set\\b|where\\b|values\\b|select\\b|[\"'`;])")
	rubyTable    = pattern.New(`\bcreate_table\s*\(?\s*[:"'](?P<key>\w+)`)
	kafkaWriter  = pattern.New(`\b(?:kafka|sarama)\.(?:ProducerMessage|WriterConfig|Writer)\{[^{}"]*\bTopic:\s*"(?P<key>[\w.-]+)"`)
	kafkaReader  = pattern.New(`\bkafka\.ReaderConfig\{(?:[^{}]|\{[^{}]*\})*?\bTopic:\s*"(?P<key>[\w.-]+)"`)
	sidekiqQueue = pattern.New(`\bsidekiq_options\b[^\n]*\bqueue:\s*[:"'](?P<key>\w+)`)
	jobQueue     = pattern.New(`\bqueue_as\s*\(?\s*[:"'](?P<key>\w+)`)
	setQueue     = pattern.New(`\.set\([^()\n]*\bqueue:\s*[:"'](?P<key>\w+)[^()\n]*\)\s*\.(?:perform|deliver)`)
	prismaModel  = pattern.New(`^model\s+(?P<key>\w+)`)
	envTag       = pattern.New("`[^`\n]*\\b(?:env|envconfig):\"(?P<key>[A-Za-z_]\\w*)")
	property     = pattern.New(`^\s*(?P<key>[\w.-]+)\s*[=:]`)
	// A form, and an element that htmx sends, outside of comments. What a template fills in is no path.
	htmlForm = pattern.New(`(?is)<!--.*?-->|<form\b(?:[^<>]*?\smethod\s*=\s*["']?(?P<verb>[a-z]+))?[^<>]*?\saction\s*=\s*["'](?P<key>/[\w./-]*)(?:\?[^"'<>]*)?["'](?:[^<>]*?\smethod\s*=\s*["']?(?P<after>[a-z]+))?`)
	htmx     = pattern.New(`(?is)<!--.*?-->|<[a-z][^<>]*?\s(?:data-)?hx-(?P<verb>get|post|put|patch|delete)\s*=\s*["'](?P<key>/[\w./-]*)(?:\?[^"'<>]*)?["']`)
	// What a page loads: as it is written, or as a tag or a function of a template for static files has it.
	loaded      = `(?:["']?\{%-?\s*static\s+|["']?\{\{-?\s*url_for\(\s*["']static["']\s*,\s*filename\s*=\s*)?["'](?P<key>[^"'<>{}?#\s]+)`
	pageScript  = pattern.New(`(?is)<!--.*?-->|<script\b[^<>]*?\ssrc\s*=\s*` + loaded)
	styleByRel  = pattern.New(`(?is)<!--.*?-->|<link\b[^<>]*?\srel\s*=\s*["']?(?:stylesheet|modulepreload)\b[^<>]*?\shref\s*=\s*` + loaded)
	styleByHref = pattern.New(`(?is)<!--.*?-->|<link\b[^<>]*?\shref\s*=\s*` + loaded + `[^<>]*?\srel\s*=\s*["']?(?:stylesheet|modulepreload)\b`)
	namedInYAML = pattern.New(`^\s+-\s+name:\s*["']?(?P<key>[A-Z][A-Z0-9_]{2,})["']?\s*$`)
)

// textRules are about texts of any language. Declarations come before what needs
// them to be known.
var textRules = []Rule{
	{By: []Framework{{Name: "SQL"}}, Kind: edge.Table, Role: edge.Declares, Shape: Stated, Names: []string{"TABLE", "table", "Table"}, Pattern: createTable},
	{By: []Framework{{Name: "gorm"}}, Kind: edge.Table, Role: edge.Declares, Shape: Stated, Names: []string{"TableName"}, Pattern: gormTable, Target: Grouped},
	{By: []Framework{{Name: "Rails"}}, Kind: edge.Table, Role: edge.Declares, In: corpus.Ruby, Shape: Stated, Names: []string{"create_table"}, Pattern: rubyTable},
	{By: []Framework{{Name: "Prisma"}}, Kind: edge.Table, Role: edge.Declares, Shape: Lined, Files: "*.prisma", Pattern: prismaModel},
	{
		By: []Framework{{Name: "SQL"}}, Kind: edge.Table, Role: edge.Reads, Shape: Stated, Names: []string{"from", "join", "references", "only"}, Known: true,
		Pattern: statement, Also: []pattern.Pattern{smallSelect, smallJoin},
	},
	{
		By: []Framework{{Name: "SQL"}}, Kind: edge.Table, Role: edge.Writes, Shape: Stated, Names: []string{"into", "update", "from", "truncate", "table", "only", "exists"}, Known: true,
		Pattern: change, Also: []pattern.Pattern{smallChange},
	},
	{By: []Framework{kafkaGo}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Go, Shape: Stated, Names: []string{"ProducerMessage", "WriterConfig", "Writer"}, Pattern: kafkaWriter},
	{By: []Framework{kafkaGo}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Go, Shape: Stated, Names: []string{"ReaderConfig"}, Pattern: kafkaReader},
	{By: []Framework{{Name: "Sidekiq"}}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Ruby, Shape: Stated, Names: []string{"sidekiq_options"}, Pattern: sidekiqQueue},
	{By: []Framework{{Name: "Active Job"}}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Ruby, Shape: Stated, Names: []string{"queue_as"}, Pattern: jobQueue},
	{By: []Framework{{Name: "Sidekiq or Active Job"}}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Ruby, Shape: Stated, Names: []string{"queue"}, Pattern: setQueue},
	{By: []Framework{{Name: "gRPC"}}, Kind: edge.Service, Role: edge.Declares, Shape: Stated, Files: "*.proto", Names: []string{"service"}, Pattern: protoService},
	{By: []Framework{{Name: "HTML"}}, Kind: edge.Route, Role: edge.Sends, Shape: Paged, Files: "*html*", Pattern: htmlForm},
	{By: []Framework{{Name: "htmx"}}, Kind: edge.Route, Role: edge.Sends, Shape: Paged, Files: "*html*", Pattern: htmx},
	{By: []Framework{{Name: "HTML"}}, Kind: edge.View, Role: edge.Reads, Shape: Paged, Files: "*html*", Pattern: pageScript, Target: File},
	{By: []Framework{{Name: "HTML"}}, Kind: edge.View, Role: edge.Reads, Shape: Paged, Files: "*html*", Pattern: styleByRel, Target: File},
	{By: []Framework{{Name: "HTML"}}, Kind: edge.View, Role: edge.Reads, Shape: Paged, Files: "*html*", Pattern: styleByHref, Target: File},
	{By: []Framework{{Name: "env tag"}}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Go, Shape: Stated, Names: []string{"env", "envconfig"}, Pattern: envTag},
	{By: []Framework{{Name: "Spring"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Lined, Files: "application*.properties", Pattern: property, Known: true},
	{By: []Framework{{Name: "Spring"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Nested, Files: "application*.y*ml"},
	{By: []Framework{{Name: "dotenv"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Lined, Files: ".env*", Pattern: assignedLine},
	{By: []Framework{{Name: "Docker"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Lined, Files: "*Dockerfile*", Pattern: envOfImage},
	{By: []Framework{{Name: "Compose"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Lined, Files: "*compose*.y*ml", Pattern: envOfYAML},
	{By: []Framework{{Name: "Kubernetes"}}, Kind: edge.Setting, Role: edge.Sets, Shape: Lined, Files: "*.y*ml", Pattern: namedInYAML},
}
