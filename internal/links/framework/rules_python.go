package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Python.
var (
	fastAPI    = framework{"FastAPI", []string{"fastapi"}}
	starlette  = framework{"Starlette", []string{"starlette"}}
	flask      = framework{"Flask", []string{"flask"}}
	quart      = framework{"Quart", []string{"quart"}}
	sanic      = framework{"Sanic", []string{"sanic"}}
	django     = framework{"Django", []string{"django"}}
	celery     = framework{"Celery", []string{"celery"}}
	sqlAlchemy = framework{name: "SQLAlchemy"}
	jinja      = framework{"Jinja", []string{"jinja2"}}
)

var pythonRules = []rule{
	{by: []framework{fastAPI, starlette}, kind: Route, role: Handles, in: corpus.Python, names: []string{"get", "post", "put", "delete", "patch", "head", "options", "websocket"}, shape: marking, key: written.Position{Name: "path"}, verb: nameVerb, target: marked},
	{by: []framework{flask, quart, sanic}, kind: Route, role: Handles, in: corpus.Python, names: []string{"get", "post", "put", "delete", "patch"}, shape: marking, key: written.Position{Name: "rule"}, verb: nameVerb, target: marked},
	{by: []framework{flask, quart, sanic}, kind: Route, role: Handles, in: corpus.Python, names: []string{"route"}, shape: marking, key: written.Position{Name: "rule"}, verb: listVerb, target: marked},
	{by: []framework{flask}, kind: Route, role: Handles, in: corpus.Python, names: []string{"add_url_rule"}, bare: true, verb: listVerb, target: inArgument, handler: written.Position{Index: 2, Name: "view_func"}},
	{by: []framework{django}, kind: Route, role: Handles, in: corpus.Python, names: []string{"path", "re_path", "url"}, bare: true, target: inArgument, handler: written.Position{Index: 1, Name: "view"}},
	{by: []framework{celery}, kind: Topic, role: Receives, in: corpus.Python, names: []string{"task", "shared_task"}, shape: marking, key: written.Position{Index: written.ByName, Name: "name"}, target: marked},
	{by: []framework{celery}, kind: Topic, role: Sends, in: corpus.Python, names: []string{"send_task", "signature"}, key: written.Position{Name: "name"}, target: itself},
	{by: []framework{fastAPI}, kind: Inject, role: Reads, in: corpus.Python, names: []string{"Depends", "Security"}, key: written.Position{Name: "dependency"}, target: inArgument, handler: written.Position{Name: "dependency"}},
	{by: []framework{sqlAlchemy}, kind: Table, role: Declares, in: corpus.Python, names: []string{"__tablename__"}, shape: assigned, target: holder},
	{by: []framework{django}, kind: Table, role: Declares, in: corpus.Python, names: []string{"db_table"}, shape: assigned, target: holder},
	{by: []framework{django}, kind: View, role: Reads, in: corpus.Python, names: []string{"render"}, key: written.Position{Index: 1, Name: "template_name"}, target: file, handler: written.Position{Index: 1, Name: "template_name"}},
	{by: []framework{django}, kind: View, role: Reads, in: corpus.Python, names: []string{"template_name"}, shape: assigned, target: file},
	{by: []framework{flask, quart}, kind: View, role: Reads, in: corpus.Python, names: []string{"render_template"}, target: file},
	{by: []framework{jinja, fastAPI, starlette}, kind: View, role: Reads, in: corpus.Python, names: []string{"TemplateResponse", "get_template"}, key: written.Position{Name: "name"}, target: file, handler: written.Position{Name: "name"}},
}
