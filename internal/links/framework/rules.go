package framework

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// rules are those of all frameworks.
var rules = slices.Concat(goRules, pythonRules, scriptRules, javaRules, phpRules, settingRules, textRules)

// mounts are the ways of all frameworks to put a prefix before routes.
var mounts = []mount{
	{rule{by: "gin", in: corpus.Go, modules: []string{"github.com/gin-gonic/gin"}, names: []string{"Group"}, shape: called}, ofResult},
	{rule{by: "echo", in: corpus.Go, modules: []string{"github.com/labstack/echo"}, names: []string{"Group"}, shape: called}, ofResult},
	{rule{by: "fiber", in: corpus.Go, modules: []string{"github.com/gofiber/fiber"}, names: []string{"Group"}, shape: called}, ofResult},
	{rule{by: "chi", in: corpus.Go, modules: []string{"github.com/go-chi/chi"}, names: []string{"Route"}, shape: called}, ofSpan},
	{rule{by: "chi", in: corpus.Go, modules: []string{"github.com/go-chi/chi"}, names: []string{"Mount"}, shape: called, handler: position{index: 1}}, ofArgument},
	{rule{by: "FastAPI", in: corpus.Python, modules: []string{"fastapi"}, names: []string{"APIRouter"}, shape: called, key: position{index: 99, name: "prefix"}}, ofResult},
	{rule{by: "FastAPI", in: corpus.Python, modules: []string{"fastapi"}, names: []string{"include_router"}, shape: called, key: position{index: 99, name: "prefix"}, handler: position{name: "router"}}, ofArgument},
	{rule{by: "Flask", in: corpus.Python, modules: []string{"flask"}, names: []string{"Blueprint"}, shape: called, key: position{index: 99, name: "url_prefix"}}, ofResult},
	{rule{by: "Flask", in: corpus.Python, modules: []string{"flask"}, names: []string{"register_blueprint"}, shape: called, key: position{index: 99, name: "url_prefix"}}, ofArgument},
	{rule{by: "Django", in: corpus.Python, modules: []string{"django"}, names: []string{"path", "re_path", "url"}, shape: called, handler: position{index: 1}}, ofFile},
	{rule{by: "Express", in: corpus.Script, modules: []string{"express"}, names: []string{"use"}, shape: called, handler: position{index: -1}}, ofArgument},
	{rule{by: "Hono", in: corpus.Script, modules: []string{"hono"}, names: []string{"route"}, shape: called, handler: position{index: 1}}, ofArgument},
	{rule{by: "Nest", in: corpus.Script, modules: []string{"@nestjs/common"}, names: []string{"Controller"}, shape: marking}, ofType},
	{rule{by: "Spring", in: corpus.Java, modules: []string{"org.springframework.web"}, names: []string{"RequestMapping"}, shape: marking, key: position{name: "value|path"}}, ofType},
	{rule{by: "JAX-RS", in: corpus.Java, modules: []string{"javax.ws.rs", "jakarta.ws.rs"}, names: []string{"Path"}, shape: marking}, ofType},
}

var goRules = []rule{
	{by: "net/http", kind: Route, role: Handles, in: corpus.Go, modules: []string{"net/http", "github.com/gorilla/mux"}, names: []string{"HandleFunc", "Handle"}, verb: verbInKey, target: inArgument, handler: position{index: 1}},
	{by: "gin", kind: Route, role: Handles, in: corpus.Go, modules: []string{"github.com/gin-gonic/gin", "github.com/labstack/echo"}, names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "Any"}, verb: nameVerb, target: inArgument, handler: position{index: -1}},
	{by: "chi", kind: Route, role: Handles, in: corpus.Go, modules: []string{"github.com/go-chi/chi", "github.com/gofiber/fiber"}, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options"}, verb: nameVerb, target: inArgument, handler: position{index: -1}},
	{by: "nats", kind: Topic, role: Sends, in: corpus.Go, modules: []string{"github.com/nats-io/nats.go"}, names: []string{"Publish", "Request", "PublishMsg"}, target: itself},
	{by: "nats", kind: Topic, role: Receives, in: corpus.Go, modules: []string{"github.com/nats-io/nats.go"}, names: []string{"Subscribe", "QueueSubscribe"}, target: inArgument, handler: position{index: -1}},
	{by: "html/template", kind: View, role: Reads, in: corpus.Go, modules: []string{"html/template", "text/template", "github.com/gin-gonic/gin"}, names: []string{"ExecuteTemplate", "HTML"}, key: position{index: 1}, target: file, handler: position{index: 1}},
	{by: "html/template", kind: View, role: Reads, in: corpus.Go, modules: []string{"html/template", "text/template"}, names: []string{"ParseFiles"}, target: file},
}

var pythonRules = []rule{
	{by: "FastAPI", kind: Route, role: Handles, in: corpus.Python, modules: []string{"fastapi", "starlette"}, names: []string{"get", "post", "put", "delete", "patch", "head", "options", "websocket"}, shape: marking, key: position{name: "path"}, verb: nameVerb, target: marked},
	{by: "Flask", kind: Route, role: Handles, in: corpus.Python, modules: []string{"flask", "quart", "sanic"}, names: []string{"get", "post", "put", "delete", "patch"}, shape: marking, key: position{name: "rule"}, verb: nameVerb, target: marked},
	{by: "Flask", kind: Route, role: Handles, in: corpus.Python, modules: []string{"flask", "quart", "sanic"}, names: []string{"route"}, shape: marking, key: position{name: "rule"}, verb: listVerb, target: marked},
	{by: "Flask", kind: Route, role: Handles, in: corpus.Python, modules: []string{"flask"}, names: []string{"add_url_rule"}, verb: listVerb, target: inArgument, handler: position{index: 2, name: "view_func"}},
	{by: "Django", kind: Route, role: Handles, in: corpus.Python, modules: []string{"django"}, names: []string{"path", "re_path", "url"}, target: inArgument, handler: position{index: 1, name: "view"}},
	{by: "Celery", kind: Topic, role: Receives, in: corpus.Python, modules: []string{"celery"}, names: []string{"task", "shared_task"}, shape: marking, key: position{index: 99, name: "name"}, target: marked},
	{by: "Celery", kind: Topic, role: Sends, in: corpus.Python, modules: []string{"celery"}, names: []string{"send_task", "signature"}, key: position{name: "name"}, target: itself},
	{by: "FastAPI", kind: Inject, role: Reads, in: corpus.Python, modules: []string{"fastapi"}, names: []string{"Depends", "Security"}, key: position{name: "dependency"}, target: inArgument, handler: position{name: "dependency"}},
	{by: "SQLAlchemy", kind: Table, role: Declares, in: corpus.Python, names: []string{"__tablename__", "db_table"}, shape: assigned, target: holder},
	{by: "Django", kind: View, role: Reads, in: corpus.Python, modules: []string{"django"}, names: []string{"render"}, key: position{index: 1, name: "template_name"}, target: file, handler: position{index: 1, name: "template_name"}},
	{by: "Django", kind: View, role: Reads, in: corpus.Python, modules: []string{"django"}, names: []string{"template_name"}, shape: assigned, target: file},
	{by: "Flask", kind: View, role: Reads, in: corpus.Python, modules: []string{"flask", "quart"}, names: []string{"render_template"}, target: file},
	{by: "Jinja", kind: View, role: Reads, in: corpus.Python, modules: []string{"jinja2", "fastapi", "starlette"}, names: []string{"TemplateResponse", "get_template"}, key: position{name: "name"}, target: file, handler: position{name: "name"}},
}

var scriptRules = []rule{
	{by: "Express", kind: Route, role: Handles, in: corpus.Script, modules: []string{"express", "fastify", "koa-router", "@koa/router", "hono", "polka", "restify"}, names: []string{"get", "post", "put", "delete", "patch", "head", "options", "all"}, verb: nameVerb, target: inArgument, handler: position{index: -1}},
	{by: "Nest", kind: Route, role: Handles, in: corpus.Script, modules: []string{"@nestjs/common"}, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "All"}, shape: marking, verb: nameVerb, target: marked},
	{by: "EventEmitter", kind: Topic, role: Sends, in: corpus.Script, modules: []string{"events", "node:events", "eventemitter3", "socket.io", "socket.io-client", "mitt"}, names: []string{"emit"}, target: itself},
	{by: "EventEmitter", kind: Topic, role: Receives, in: corpus.Script, modules: []string{"events", "node:events", "eventemitter3", "socket.io", "socket.io-client", "mitt"}, names: []string{"on", "once", "addListener"}, target: inArgument, handler: position{index: 1}},
	{by: "Nest", kind: Topic, role: Receives, in: corpus.Script, modules: []string{"@nestjs/microservices", "@nestjs/event-emitter", "@nestjs/websockets"}, names: []string{"MessagePattern", "EventPattern", "OnEvent", "SubscribeMessage"}, shape: marking, target: marked},
	{by: "Nest", kind: Inject, role: Implements, in: corpus.Script, modules: []string{"@nestjs/common"}, names: []string{"Injectable"}, shape: marking, target: marked},
	{by: "TypeORM", kind: Table, role: Declares, in: corpus.Script, modules: []string{"typeorm"}, names: []string{"Entity"}, shape: marking, target: marked},
	{by: "Express", kind: View, role: Reads, in: corpus.Script, modules: []string{"express"}, names: []string{"render"}, target: file},
}

var javaRules = []rule{
	{by: "Spring", kind: Route, role: Handles, in: corpus.Java, modules: []string{"org.springframework.web"}, names: []string{"GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping"}, shape: marking, key: position{name: "value|path"}, verb: nameVerb, target: marked},
	{by: "Spring", kind: Topic, role: Receives, in: corpus.Java, modules: []string{"org.springframework"}, names: []string{"KafkaListener", "RabbitListener", "JmsListener"}, shape: marking, key: position{name: "topics|queues|destination"}, target: marked},
	{by: "Spring", kind: Topic, role: Sends, in: corpus.Java, modules: []string{"org.springframework"}, names: []string{"send", "convertAndSend"}, target: itself},
	{by: "Spring", kind: Inject, role: Implements, in: corpus.Java, modules: []string{"org.springframework.stereotype"}, names: []string{"Service", "Component", "Repository"}, shape: marking, target: marked},
	{by: "JPA", kind: Table, role: Declares, in: corpus.Java, modules: []string{"javax.persistence", "jakarta.persistence"}, names: []string{"Table"}, shape: marking, key: position{index: 99, name: "name"}, target: marked},
	{by: "Spring", kind: Setting, role: Reads, in: corpus.Java, modules: []string{"org.springframework"}, names: []string{"Value"}, shape: marking, target: marked},
}

var phpRules = []rule{
	{by: "Laravel", kind: Route, role: Handles, in: corpus.PHP, names: []string{"get", "post", "put", "delete", "patch", "any"}, of: "Route", verb: nameVerb, target: inArgument, handler: position{index: 1}},
	{by: "Laravel", kind: View, role: Reads, in: corpus.PHP, names: []string{"view"}, target: file},
}

var settingRules = []rule{
	{by: "environment", kind: Setting, role: Reads, in: corpus.Go, modules: []string{"os", "syscall"}, names: []string{"Getenv", "LookupEnv"}, target: itself},
	{by: "environment", kind: Setting, role: Sets, in: corpus.Go, modules: []string{"os"}, names: []string{"Setenv", "Unsetenv"}, target: itself},
	{by: "viper", kind: Setting, role: Reads, in: corpus.Go, modules: []string{"github.com/spf13/viper"}, names: []string{"GetString", "GetInt", "GetBool", "GetDuration", "GetStringSlice", "GetFloat64"}, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Python, modules: []string{"os", "environ", "decouple"}, names: []string{"getenv"}, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Python, modules: []string{"os"}, names: []string{"get", "pop", "setdefault"}, of: "environ", target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Python, modules: []string{"os"}, names: []string{"environ"}, shape: indexed, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "process", shape: indexed, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Script, names: []string{"env"}, of: "meta", shape: indexed, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Java, names: []string{"getenv", "getProperty"}, of: "System", target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.Rust, names: []string{"var", "var_os"}, of: "env", target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.C, names: []string{"getenv", "secure_getenv"}, target: itself},
	{by: "environment", kind: Setting, role: Reads, in: corpus.PHP, names: []string{"getenv", "env"}, target: itself},
}
