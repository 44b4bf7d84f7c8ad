package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Python.
var (
	fastAPI     = Framework{"FastAPI", []string{"fastapi"}}
	starlette   = Framework{"Starlette", []string{"starlette"}}
	flask       = Framework{"Flask", []string{"flask"}}
	quart       = Framework{"Quart", []string{"quart"}}
	sanic       = Framework{"Sanic", []string{"sanic"}}
	django      = Framework{"Django", []string{"django"}}
	rest        = Framework{"Django REST framework", []string{"rest_framework"}}
	celery      = Framework{"Celery", []string{"celery"}}
	kafkaPython = Framework{"Kafka", []string{"kafka", "confluent_kafka", "aiokafka"}}
	sqlAlchemy  = Framework{Name: "SQLAlchemy"}
	jinja       = Framework{"Jinja", []string{"jinja2"}}
)

var pythonRules = []Rule{
	{By: []Framework{fastAPI, starlette}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"get", "post", "put", "delete", "patch", "head", "options", "websocket"}, Shape: Marking, Key: written.Position{Name: "path"}, Verb: NameVerb, Target: Marked},
	{By: []Framework{flask, quart, sanic}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"get", "post", "put", "delete", "patch"}, Shape: Marking, Key: written.Position{Name: "rule"}, Verb: NameVerb, Target: Marked},
	{By: []Framework{flask, quart, sanic}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"route"}, Shape: Marking, Key: written.Position{Name: "rule"}, Verb: ListVerb, Target: Marked},
	{By: []Framework{flask}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"add_url_rule"}, Bare: true, Verb: ListVerb, Target: InArgument, Handler: written.Position{Index: 2, Name: "view_func"}},
	{By: []Framework{django}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"path", "re_path", "url"}, Bare: true, Target: InArgument, Handler: written.Position{Index: 1, Name: "view"}},
	{By: []Framework{rest}, Kind: edge.Route, Role: edge.Handles, In: corpus.Python, Names: []string{"register"}, Member: true, Bare: true, Key: written.Position{Name: "prefix"}, Verb: RestVerb, Target: InArgument, Handler: written.Position{Index: 1, Name: "viewset"}},
	{By: []Framework{celery}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Python, Names: []string{"task", "shared_task"}, Shape: Marking, Key: written.Position{Index: written.ByName, Name: "name"}, Target: Marked},
	{By: []Framework{celery}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Python, Names: []string{"send_task", "signature"}, Key: written.Position{Name: "name"}, Target: Itself},
	{By: []Framework{celery}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Python, Names: []string{"apply_async"}, Member: true, Key: written.Position{Index: written.ByName, Name: "queue"}, Target: Itself},
	{By: []Framework{celery}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Python, Names: []string{"task", "shared_task"}, Shape: Marking, Key: written.Position{Index: written.ByName, Name: "queue"}, Target: Marked},
	{By: []Framework{kafkaPython}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Python, Names: []string{"KafkaConsumer", "AIOKafkaConsumer", "subscribe"}, Key: written.Position{Name: "topics"}, Target: Itself},
	{By: []Framework{kafkaPython}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Python, Names: []string{"send", "produce", "send_and_wait"}, Of: "producer", Key: written.Position{Name: "topic"}, Target: Itself},
	{By: []Framework{fastAPI}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Python, Names: []string{"Depends", "Security"}, Key: written.Position{Name: "dependency"}, Target: InArgument, Handler: written.Position{Name: "dependency"}},
	{By: []Framework{sqlAlchemy}, Kind: edge.Table, Role: edge.Declares, In: corpus.Python, Names: []string{"__tablename__"}, Shape: Assigned, Target: Holder},
	{By: []Framework{django}, Kind: edge.Table, Role: edge.Declares, In: corpus.Python, Names: []string{"db_table"}, Shape: Assigned, Target: Holder},
	{By: []Framework{django}, Kind: edge.View, Role: edge.Reads, In: corpus.Python, Names: []string{"render"}, Key: written.Position{Index: 1, Name: "template_name"}, Target: File, Handler: written.Position{Index: 1, Name: "template_name"}},
	{By: []Framework{django}, Kind: edge.View, Role: edge.Reads, In: corpus.Python, Names: []string{"template_name"}, Shape: Assigned, Target: File},
	{By: []Framework{flask, quart}, Kind: edge.View, Role: edge.Reads, In: corpus.Python, Names: []string{"render_template"}, Target: File},
	{By: []Framework{jinja, fastAPI, starlette}, Kind: edge.View, Role: edge.Reads, In: corpus.Python, Names: []string{"TemplateResponse", "get_template"}, Key: written.Position{Name: "name"}, Target: File, Handler: written.Position{Name: "name"}},
}

var pythonMounts = []Mount{
	{Rule{By: []Framework{fastAPI}, In: corpus.Python, Names: []string{"APIRouter"}, Key: written.Position{Index: written.ByName, Name: "prefix"}}, OfResult},
	{Rule{By: []Framework{fastAPI}, In: corpus.Python, Names: []string{"include_router"}, Key: written.Position{Index: written.ByName, Name: "prefix"}, Handler: written.Position{Name: "router"}}, OfArgument},
	{Rule{By: []Framework{flask}, In: corpus.Python, Names: []string{"Blueprint"}, Key: written.Position{Index: written.ByName, Name: "url_prefix"}}, OfResult},
	{Rule{By: []Framework{flask}, In: corpus.Python, Names: []string{"register_blueprint"}, Key: written.Position{Index: written.ByName, Name: "url_prefix"}}, OfArgument},
	{Rule{By: []Framework{django}, In: corpus.Python, Names: []string{"path", "re_path", "url"}, Handler: written.Position{Index: 1}}, OfFile},
}
