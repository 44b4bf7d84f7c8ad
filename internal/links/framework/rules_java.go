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
	micronaut        = framework{"Micronaut", []string{"io.micronaut.http"}}
	jpa              = framework{"JPA", []string{"javax.persistence", "jakarta.persistence"}}
)

var javaRules = []rule{
	{by: []framework{springWeb}, kind: Route, role: Handles, in: corpus.Java, names: []string{"GetMapping", "PostMapping", "PutMapping", "DeleteMapping", "PatchMapping"}, shape: marking, key: written.Position{Name: "value|path"}, verb: nameVerb, target: marked},
	{by: []framework{springWeb}, kind: Route, role: Handles, in: corpus.Java, names: []string{"RequestMapping"}, shape: marking, key: written.Position{Name: "value|path"}, verb: listVerb, target: marked},
	{by: []framework{jaxRS}, kind: Route, role: Handles, in: corpus.Java, names: []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}, shape: marking, verb: nameVerb, target: marked},
	{by: []framework{micronaut}, kind: Route, role: Handles, in: corpus.Java, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options"}, shape: marking, key: written.Position{Name: "value|uri"}, verb: nameVerb, target: marked},
	{by: []framework{spring}, kind: Topic, role: Receives, in: corpus.Java, names: []string{"KafkaListener", "RabbitListener", "JmsListener"}, shape: marking, key: written.Position{Name: "topics|queues|destination"}, target: marked},
	{by: []framework{spring}, kind: Topic, role: Sends, in: corpus.Java, names: []string{"send", "convertAndSend"}, target: itself},
	{by: []framework{springStereotype}, kind: Inject, role: Implements, in: corpus.Java, names: []string{"Service", "Component", "Repository"}, shape: marking, target: marked},
	{by: []framework{jpa}, kind: Table, role: Declares, in: corpus.Java, names: []string{"Table"}, shape: marking, key: written.Position{Index: written.ByName, Name: "name"}, target: marked},
	{by: []framework{spring}, kind: Setting, role: Reads, in: corpus.Java, names: []string{"Value"}, shape: marking, target: marked},
}
