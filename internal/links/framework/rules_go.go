package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Go.
var (
	netHTTP      = framework{"net/http", []string{"net/http"}}
	gorilla      = framework{"gorilla/mux", []string{"github.com/gorilla/mux"}}
	gin          = framework{"gin", []string{"github.com/gin-gonic/gin"}}
	echo         = framework{"echo", []string{"github.com/labstack/echo"}}
	chi          = framework{"chi", []string{"github.com/go-chi/chi"}}
	fiber        = framework{"fiber", []string{"github.com/gofiber/fiber"}}
	nats         = framework{"nats", []string{"github.com/nats-io/nats.go"}}
	htmlTemplate = framework{"html/template", []string{"html/template"}}
	textTemplate = framework{"text/template", []string{"text/template"}}
)

var goRules = []rule{
	{by: []framework{netHTTP, gorilla}, kind: Route, role: Handles, in: corpus.Go, names: []string{"HandleFunc", "Handle"}, verb: verbInKey, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{gin, echo}, kind: Route, role: Handles, in: corpus.Go, names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "Any"}, verb: nameVerb, target: inArgument, handler: written.Position{Index: -1}},
	{by: []framework{chi, fiber}, kind: Route, role: Handles, in: corpus.Go, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options"}, verb: nameVerb, target: inArgument, handler: written.Position{Index: -1}},
	{by: []framework{nats}, kind: Topic, role: Sends, in: corpus.Go, names: []string{"Publish", "Request", "PublishMsg"}, target: itself},
	{by: []framework{nats}, kind: Topic, role: Receives, in: corpus.Go, names: []string{"Subscribe", "QueueSubscribe"}, target: inArgument, handler: written.Position{Index: -1}},
	{by: []framework{htmlTemplate, textTemplate, gin}, kind: View, role: Reads, in: corpus.Go, names: []string{"ExecuteTemplate", "HTML"}, key: written.Position{Index: 1}, target: file, handler: written.Position{Index: 1}},
	{by: []framework{htmlTemplate, textTemplate}, kind: View, role: Reads, in: corpus.Go, names: []string{"ParseFiles"}, target: file},
}
