package framework

import (
	"slices"

	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// rules are those of all frameworks.
var rules = slices.Concat(goRules, pythonRules, scriptRules, javaRules, phpRules, rubyRules, csharpRules, settingRules, textRules)

// mounts are the ways of all frameworks to put a prefix before routes.
var mounts = []mount{
	{rule{by: []framework{gin, echo, fiber}, in: corpus.Go, names: []string{"Group"}}, ofResult},
	{rule{by: []framework{chi}, in: corpus.Go, names: []string{"Route"}}, ofSpan},
	{rule{by: []framework{chi}, in: corpus.Go, names: []string{"Mount"}, handler: written.Position{Index: 1}}, ofArgument},
	{rule{by: []framework{fastAPI}, in: corpus.Python, names: []string{"APIRouter"}, key: written.Position{Index: written.ByName, Name: "prefix"}}, ofResult},
	{rule{by: []framework{fastAPI}, in: corpus.Python, names: []string{"include_router"}, key: written.Position{Index: written.ByName, Name: "prefix"}, handler: written.Position{Name: "router"}}, ofArgument},
	{rule{by: []framework{flask}, in: corpus.Python, names: []string{"Blueprint"}, key: written.Position{Index: written.ByName, Name: "url_prefix"}}, ofResult},
	{rule{by: []framework{flask}, in: corpus.Python, names: []string{"register_blueprint"}, key: written.Position{Index: written.ByName, Name: "url_prefix"}}, ofArgument},
	{rule{by: []framework{django}, in: corpus.Python, names: []string{"path", "re_path", "url"}, handler: written.Position{Index: 1}}, ofFile},
	{rule{by: []framework{express}, in: corpus.Script, names: []string{"use"}, handler: written.Position{Index: -1}}, ofArgument},
	{rule{by: []framework{express}, in: corpus.Script, names: []string{"route"}, member: true}, ofChain},
	{rule{by: []framework{hono}, in: corpus.Script, names: []string{"route"}, handler: written.Position{Index: 1}}, ofArgument},
	{rule{by: []framework{nest}, in: corpus.Script, names: []string{"Controller"}, shape: marking}, ofType},
	{rule{by: []framework{springWeb}, in: corpus.Java, names: []string{"RequestMapping"}, shape: marking, key: written.Position{Name: "value|path"}}, ofType},
	{rule{by: []framework{jaxRS}, in: corpus.Java, names: []string{"Path"}, shape: marking}, ofMarked},
	{rule{by: []framework{aspNET}, in: corpus.CSharp, names: []string{"Route"}, shape: marking}, ofMarked},
	{rule{by: []framework{aspNET}, in: corpus.CSharp, names: []string{"MapGroup"}}, ofResult},
	{rule{by: []framework{onLaravel}, in: corpus.PHP, names: []string{"group"}}, ofGroup},
	{rule{by: []framework{symfony}, in: corpus.PHP, names: []string{"Route"}, shape: marking, key: written.Position{Name: "path"}}, ofType},
	{rule{by: []framework{ktor}, in: corpus.Java, names: []string{"route"}, shape: blocked}, ofBlock},
	{rule{by: []framework{micronaut}, in: corpus.Java, names: []string{"Controller"}, shape: marking, key: written.Position{Name: "value"}}, ofType},
}
