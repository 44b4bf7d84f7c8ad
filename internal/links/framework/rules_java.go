package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of Java and Kotlin.
var (
	spring           = framework{"Spring", []string{"org.springframework"}}
	springWeb        = framework{"Spring", []string{"org.springframework.web"}}
	springStereotype = framework{"Spring", []string{"org.springframework.stereotype"}}
	jaxRS            = framework{"JAX-RS", []string{"javax.ws.rs", "jakarta.ws.rs"}}
	ktor             = framework{"Ktor", []string{"io.ktor.server", "io.ktor.routing"}}
	microProfile     = framework{"MicroProfile", []string{"org.eclipse.microprofile.config"}}
	springLombok     = framework{"Spring with Lombok", []string{"lombok"}}
	cdi              = framework{"CDI", []string{"jakarta.enterprise", "javax.enterprise"}}
	ejb              = framework{"EJB", []string{"jakarta.ejb", "javax.ejb"}}
	jakartaInject    = framework{"Jakarta Inject", []string{"jakarta.inject", "javax.inject"}}
	jakartaResource  = framework{"Jakarta annotations", []string{"jakarta.annotation", "javax.annotation"}}
	micronaut        = framework{"Micronaut", []string{"io.micronaut.http"}}
	jpa              = framework{"JPA", []string{"javax.persistence", "jakarta.persistence"}}
)

var javaRules = []rule{
	{by: []framework{springWeb}, kind: Route, role: Handles, in: corpus.Java, names: []string{"GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping"}, shape: marking, key: written.Position{Name: "value|path"}, verb: nameVerb, target: marked},
	{by: []framework{springWeb}, kind: Route, role: Handles, in: corpus.Java, names: []string{"RequestMapping"}, shape: marking, key: written.Position{Name: "value|path"}, verb: listVerb, target: marked},
	{by: []framework{jaxRS}, kind: Route, role: Handles, in: corpus.Java, names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}, shape: marking, verb: nameVerb, target: marked},
	{by: []framework{ktor}, kind: Route, role: Handles, in: corpus.Java, names: []string{"get", "post", "put", "delete", "patch", "head", "options"}, shape: blocked, bare: true, verb: nameVerb, target: itself},
	{by: []framework{spring}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"ConfigurationProperties"}, shape: marking, key: written.Position{Name: "prefix|value"}, target: marked},
	{by: []framework{microProfile}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"ConfigProperty"}, shape: marking, key: written.Position{Index: written.ByName, Name: "name"}, target: marked},
	{by: []framework{micronaut}, kind: Route, role: Handles, in: corpus.Java, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options"}, shape: marking, key: written.Position{Name: "value|uri"}, verb: nameVerb, target: marked},
	{by: []framework{spring}, kind: Topic, role: Receives, in: corpus.Java, names: []string{"KafkaListener", "RabbitListener", "JmsListener"}, shape: marking, key: written.Position{Name: "topics|queues|destination"}, target: marked},
	{by: []framework{spring}, kind: Topic, role: Sends, in: corpus.Java, names: []string{"send", "convertAndSend"}, target: itself},
	{by: []framework{springStereotype}, kind: Inject, role: Implements, in: corpus.Java, names: []string{"Service", "Component", "Repository"}, shape: marking, target: marked},
	{by: []framework{cdi}, kind: Inject, role: Implements, in: corpus.Java, names: []string{"ApplicationScoped", "RequestScoped", "SessionScoped", "Dependent"}, shape: marking, target: marked},
	{by: []framework{jakartaInject, ejb}, kind: Inject, role: Implements, in: corpus.Java, names: []string{"Singleton", "Stateless", "Stateful"}, shape: marking, target: marked},
	{by: []framework{spring}, kind: Inject, role: Implements, in: corpus.Java, names: []string{"Bean"}, shape: marking, target: marked},
	{by: []framework{spring}, kind: Inject, role: Reads, in: corpus.Java, names: []string{"Service", "Component", "Repository", "Controller", "RestController", "Configuration", "ControllerAdvice", "RestControllerAdvice"}, shape: marking, takes: parameters},
	{by: []framework{springLombok}, kind: Inject, role: Reads, in: corpus.Java, names: []string{"RequiredArgsConstructor", "AllArgsConstructor"}, shape: marking, takes: finalFields},
	{by: []framework{spring}, kind: Inject, role: Reads, in: corpus.Java, names: []string{"Autowired"}, shape: marking, takes: own},
	{by: []framework{jakartaInject}, kind: Inject, role: Reads, in: corpus.Java, names: []string{"Inject"}, shape: marking, takes: own},
	{by: []framework{jakartaResource}, kind: Inject, role: Reads, in: corpus.Java, names: []string{"Resource"}, shape: marking, takes: own},
	{by: []framework{jpa}, kind: Table, role: Declares, in: corpus.Java, names: []string{"Table"}, shape: marking, key: written.Position{Index: written.ByName, Name: "name"}, target: marked},
	{by: []framework{spring}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"Value"}, shape: marking, target: marked},
}
