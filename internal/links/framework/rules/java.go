package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Java and Kotlin.
var (
	spring           = Framework{"Spring", []string{"org.springframework"}}
	springWeb        = Framework{"Spring", []string{"org.springframework.web"}}
	springFunctions  = Framework{"Spring", []string{"org.springframework.web.reactive.function.server", "org.springframework.web.servlet.function"}}
	springStereotype = Framework{"Spring", []string{"org.springframework.stereotype"}}
	jaxRS            = Framework{"JAX-RS", []string{"javax.ws.rs", "jakarta.ws.rs"}}
	ktor             = Framework{"Ktor", []string{"io.ktor.server", "io.ktor.routing"}}
	microProfile     = Framework{"MicroProfile", []string{"org.eclipse.microprofile.config"}}
	springLombok     = Framework{"Spring with Lombok", []string{"lombok"}}
	cdi              = Framework{"CDI", []string{"jakarta.enterprise", "javax.enterprise"}}
	ejb              = Framework{"EJB", []string{"jakarta.ejb", "javax.ejb"}}
	jakartaInject    = Framework{"Jakarta Inject", []string{"jakarta.inject", "javax.inject"}}
	jakartaResource  = Framework{"Jakarta annotations", []string{"jakarta.annotation", "javax.annotation"}}
	kafkaJava        = Framework{"Kafka", []string{"org.apache.kafka"}}
	micronaut        = Framework{"Micronaut", []string{"io.micronaut.http"}}
	jpa              = Framework{"JPA", []string{"javax.persistence", "jakarta.persistence"}}
)

var javaRules = []Rule{
	{By: []Framework{springWeb}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping"}, Shape: Marking, Key: written.Position{Name: "value|path"}, Verb: NameVerb, Target: Marked},
	{By: []Framework{springWeb}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"RequestMapping"}, Shape: Marking, Key: written.Position{Name: "value|path"}, Verb: ListVerb, Target: Marked},
	{By: []Framework{springFunctions}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}, Bare: true, Verb: NameVerb, Target: Beside, Final: "@Bean"},
	{By: []Framework{jaxRS}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}, Shape: Marking, Verb: NameVerb, Target: Marked},
	{By: []Framework{ktor}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"get", "post", "put", "delete", "patch", "head", "options"}, Shape: Blocked, Bare: true, Verb: NameVerb, Target: Itself},
	{By: []Framework{spring}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Java, Names: []string{"ConfigurationProperties"}, Shape: Marking, Key: written.Position{Name: "prefix|value"}, Target: Marked},
	{By: []Framework{microProfile}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Java, Names: []string{"ConfigProperty"}, Shape: Marking, Key: written.Position{Index: written.ByName, Name: "name"}, Target: Marked},
	{By: []Framework{micronaut}, Kind: edge.Route, Role: edge.Handles, In: corpus.Java, Names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options"}, Shape: Marking, Key: written.Position{Name: "value|uri"}, Verb: NameVerb, Target: Marked},
	{By: []Framework{spring}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Java, Names: []string{"KafkaListener", "RabbitListener", "JmsListener"}, Shape: Marking, Key: written.Position{Name: "topics|queues|destination"}, Target: Marked},
	{By: []Framework{spring}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Java, Names: []string{"send", "convertAndSend"}, Target: Itself},
	{By: []Framework{kafkaJava}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Java, Names: []string{"ProducerRecord"}, Target: Itself},
	{By: []Framework{springStereotype}, Kind: edge.Inject, Role: edge.Implements, In: corpus.Java, Names: []string{"Service", "Component", "Repository"}, Shape: Marking, Target: Marked},
	{By: []Framework{cdi}, Kind: edge.Inject, Role: edge.Implements, In: corpus.Java, Names: []string{"ApplicationScoped", "RequestScoped", "SessionScoped", "Dependent"}, Shape: Marking, Target: Marked},
	{By: []Framework{jakartaInject, ejb}, Kind: edge.Inject, Role: edge.Implements, In: corpus.Java, Names: []string{"Singleton", "Stateless", "Stateful"}, Shape: Marking, Target: Marked},
	{By: []Framework{spring}, Kind: edge.Inject, Role: edge.Implements, In: corpus.Java, Names: []string{"Bean"}, Shape: Marking, Target: Marked},
	{By: []Framework{spring}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Java, Names: []string{"Service", "Component", "Repository", "Controller", "RestController", "Configuration", "ControllerAdvice", "RestControllerAdvice"}, Shape: Marking, Takes: Parameters},
	{By: []Framework{springLombok}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Java, Names: []string{"RequiredArgsConstructor", "AllArgsConstructor"}, Shape: Marking, Takes: FinalFields},
	{By: []Framework{spring}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Java, Names: []string{"Autowired"}, Shape: Marking, Takes: Own},
	{By: []Framework{jakartaInject}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Java, Names: []string{"Inject"}, Shape: Marking, Takes: Own},
	{By: []Framework{jakartaResource}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Java, Names: []string{"Resource"}, Shape: Marking, Takes: Own},
	{By: []Framework{jpa}, Kind: edge.Table, Role: edge.Declares, In: corpus.Java, Names: []string{"Table"}, Shape: Marking, Key: written.Position{Index: written.ByName, Name: "name"}, Target: Marked},
	{By: []Framework{spring}, Kind: edge.Setting, Role: edge.Reads, In: corpus.Java, Names: []string{"Value"}, Shape: Marking, Target: Marked},
}

var javaMounts = []Mount{
	{Rule{By: []Framework{springFunctions}, In: corpus.Java, Names: []string{"nest", "path"}, Handler: written.Position{Index: 1}}, OfArgument},
	{Rule{By: []Framework{springFunctions}, In: corpus.Java, Names: []string{"add", "and"}, Key: noKey, Handler: written.Position{}}, OfArgument},
	{Rule{By: []Framework{springWeb}, In: corpus.Java, Names: []string{"RequestMapping"}, Shape: Marking, Key: written.Position{Name: "value|path"}}, OfType},
	{Rule{By: []Framework{jaxRS}, In: corpus.Java, Names: []string{"Path"}, Shape: Marking}, OfMarked},
	{Rule{By: []Framework{ktor}, In: corpus.Java, Names: []string{"route"}, Shape: Blocked}, OfBlock},
	{Rule{By: []Framework{micronaut}, In: corpus.Java, Names: []string{"Controller"}, Shape: Marking, Key: written.Position{Name: "value"}}, OfType},
}
