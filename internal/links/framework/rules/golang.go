package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Go.
var (
	netHTTP      = Framework{"net/http", []string{"net/http"}}
	gorilla      = Framework{"gorilla/mux", []string{"github.com/gorilla/mux"}}
	gin          = Framework{"gin", []string{"github.com/gin-gonic/gin"}}
	echo         = Framework{"echo", []string{"github.com/labstack/echo"}}
	chi          = Framework{"chi", []string{"github.com/go-chi/chi"}}
	fiber        = Framework{"fiber", []string{"github.com/gofiber/fiber"}}
	nats         = Framework{"nats", []string{"github.com/nats-io/nats.go"}}
	kafkaGo      = Framework{"Kafka", []string{"github.com/IBM/sarama", "github.com/Shopify/sarama", "github.com/segmentio/kafka-go", "github.com/confluentinc/confluent-kafka-go"}}
	htmlTemplate = Framework{"html/template", []string{"html/template"}}
	textTemplate = Framework{"text/template", []string{"text/template"}}
)

var goRules = []Rule{
	{By: []Framework{netHTTP, gorilla}, Kind: edge.Route, Role: edge.Handles, In: corpus.Go, Names: []string{"HandleFunc", "Handle"}, Verb: VerbInKey, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{gorilla}, Kind: edge.Route, Role: edge.Handles, In: corpus.Go, Names: []string{"Path"}, Member: true, Verb: ListVerb, Target: Behind},
	{By: []Framework{gin, echo}, Kind: edge.Route, Role: edge.Handles, In: corpus.Go, Names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "Any"}, Verb: NameVerb, Target: InArgument, Handler: written.Position{Index: -1}},
	{By: []Framework{chi, fiber}, Kind: edge.Route, Role: edge.Handles, In: corpus.Go, Names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "All"}, Verb: NameVerb, Target: InArgument, Handler: written.Position{Index: -1}},
	{By: []Framework{chi, gin, echo, fiber}, Kind: edge.Route, Role: edge.Handles, In: corpus.Go, Names: []string{"Handle", "Method", "MethodFunc", "Add"}, Key: written.Position{Index: 1}, Verb: FirstVerb, Target: InArgument, Handler: written.Position{Index: -1}},
	{By: []Framework{nats}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Go, Names: []string{"Publish", "Request", "PublishMsg"}, Target: Itself},
	{By: []Framework{nats}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Go, Names: []string{"Subscribe", "QueueSubscribe"}, Target: InArgument, Handler: written.Position{Index: -1}},
	{By: []Framework{kafkaGo}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Go, Names: []string{"ConsumePartition", "SubscribeTopics"}, Target: Itself},
	{By: []Framework{htmlTemplate, textTemplate, gin}, Kind: edge.View, Role: edge.Reads, In: corpus.Go, Names: []string{"ExecuteTemplate", "HTML"}, Key: written.Position{Index: 1}, Target: File, Handler: written.Position{Index: 1}},
	{By: []Framework{htmlTemplate, textTemplate}, Kind: edge.View, Role: edge.Reads, In: corpus.Go, Names: []string{"ParseFiles"}, Target: File},
}

var goMounts = []Mount{
	{Rule{By: []Framework{gin, echo, fiber}, In: corpus.Go, Names: []string{"Group"}}, OfResult},
	{Rule{By: []Framework{gorilla}, In: corpus.Go, Names: []string{"PathPrefix"}}, OfResult},
	{Rule{By: []Framework{chi, fiber}, In: corpus.Go, Names: []string{"Route", "Mount"}, Long: true, Handler: written.Position{Index: 1}}, OfArgument},
	{Rule{By: []Framework{chi}, In: corpus.Go, Names: []string{"Group"}, Long: true, Key: noKey, Handler: written.Position{}}, OfArgument},
}
