package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of JavaScript and TypeScript.
var (
	express      = Framework{"Express", []string{"express"}}
	fastify      = Framework{"Fastify", []string{"fastify"}}
	autoload     = Framework{"Fastify", []string{"@fastify/autoload", "fastify-autoload"}}
	koa          = Framework{"Koa", []string{"koa-router", "@koa/router"}}
	hapi         = Framework{"hapi", []string{"@hapi/hapi"}}
	hono         = Framework{"Hono", []string{"hono"}}
	polka        = Framework{"Polka", []string{"polka"}}
	restify      = Framework{"Restify", []string{"restify"}}
	nest         = Framework{"Nest", []string{"@nestjs/common"}}
	angular      = Framework{"Angular", []string{"@angular/core"}}
	nestMessages = Framework{"Nest", []string{"@nestjs/microservices", "@nestjs/event-emitter", "@nestjs/websockets"}}
	eventEmitter = Framework{"EventEmitter", []string{"events", "node:events", "eventemitter3"}}
	socketIO     = Framework{"Socket.IO", []string{"socket.io", "socket.io-client"}}
	mitt         = Framework{"mitt", []string{"mitt"}}
	graphQL      = Framework{"GraphQL", []string{"graphql", "graphql-tag", "graphql-request", "@apollo/client", "@apollo/server", "apollo-server", "apollo-server-express", "@graphql-tools/schema", "urql", "mercurius", "graphql-yoga"}}
	resolvers    = Framework{"GraphQL", []string{"@nestjs/graphql", "type-graphql"}}
	trpc         = Framework{"tRPC", []string{"@trpc/server"}}
	bull         = Framework{"BullMQ", []string{"bullmq", "bull"}}
	nestBull     = Framework{"Nest", []string{"@nestjs/bullmq", "@nestjs/bull"}}
	kafkaJS      = Framework{"Kafka", []string{"kafkajs"}}
	typeORM      = Framework{"TypeORM", []string{"typeorm"}}
)

var scriptRules = []Rule{
	{By: []Framework{express, fastify, koa, hono, polka, restify}, Kind: edge.Route, Role: edge.Handles, In: corpus.Script, Names: []string{"get", "post", "put", "delete", "patch", "head", "options", "all"}, Member: true, Verb: NameVerb, Target: InArgument, Handler: written.Position{Index: -1}},
	{By: []Framework{nest}, Kind: edge.Route, Role: edge.Handles, In: corpus.Script, Names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "All"}, Shape: Marking, Verb: NameVerb, Target: Marked},
	{By: []Framework{fastify, hapi}, Kind: edge.Route, Role: edge.Handles, In: corpus.Script, Names: []string{"route"}, Member: true, Options: true, Key: written.Position{Index: written.ByName, Name: "url|path"}, Verb: ListVerb, Target: InArgument, Handler: written.Position{Index: written.ByName, Name: "handler"}},
	{By: []Framework{eventEmitter, socketIO, mitt}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Script, Names: []string{"emit"}, Member: true, Target: Itself},
	{By: []Framework{eventEmitter, socketIO, mitt}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Script, Names: []string{"on", "once", "addListener"}, Member: true, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{graphQL}, Kind: edge.Service, In: corpus.Script, Shape: Schema},
	{By: []Framework{resolvers}, Kind: edge.Service, Role: edge.Implements, In: corpus.Script, Names: []string{"Query", "Mutation", "Subscription"}, Shape: Marking, Options: true, Key: written.Position{Index: written.ByName, Name: "name"}, Target: Marked},
	{By: []Framework{trpc}, Kind: edge.Route, Role: edge.Handles, In: corpus.Script, Names: []string{"query", "mutation", "subscription"}, Member: true, Verb: CallVerb, Target: InArgument},
	{By: []Framework{bull}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Script, Names: []string{"Queue"}, Target: Itself},
	{By: []Framework{bull}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Script, Names: []string{"Worker"}, Target: InArgument, Handler: written.Position{Index: 1}},
	{By: []Framework{nestBull}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Script, Names: []string{"InjectQueue"}, Shape: Marking, Target: Itself},
	{By: []Framework{nestBull}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Script, Names: []string{"Processor"}, Shape: Marking, Options: true, Key: written.Position{Name: "name"}, Target: Marked},
	{By: []Framework{kafkaJS}, Kind: edge.Topic, Role: edge.Sends, In: corpus.Script, Names: []string{"send"}, Member: true, Options: true, Key: written.Position{Index: written.ByName, Name: "topic"}, Target: Itself},
	{By: []Framework{kafkaJS}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Script, Names: []string{"subscribe"}, Member: true, Options: true, Key: written.Position{Index: written.ByName, Name: "topic|topics"}, Target: Itself},
	{By: []Framework{nestMessages}, Kind: edge.Topic, Role: edge.Receives, In: corpus.Script, Names: []string{"MessagePattern", "EventPattern", "OnEvent", "SubscribeMessage"}, Shape: Marking, Target: Marked},
	{By: []Framework{nest, angular}, Kind: edge.Inject, Role: edge.Implements, In: corpus.Script, Names: []string{"Injectable", "Service"}, Shape: Marking, Target: Marked},
	{By: []Framework{nest, angular}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Script, Names: []string{"Injectable", "Service"}, Shape: Marking, Takes: Parameters},
	{By: []Framework{nest}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Script, Names: []string{"Controller", "Resolver", "WebSocketGateway", "Catch", "Processor"}, Shape: Marking, Takes: Parameters},
	{By: []Framework{angular}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Script, Names: []string{"Component", "Directive", "Pipe", "NgModule"}, Shape: Marking, Takes: Parameters},
	{By: []Framework{angular}, Kind: edge.Inject, Role: edge.Reads, In: corpus.Script, Names: []string{"inject"}, Target: InArgument},
	{By: []Framework{typeORM}, Kind: edge.Table, Role: edge.Declares, In: corpus.Script, Names: []string{"Entity"}, Shape: Marking, Target: Marked},
	{By: []Framework{express}, Kind: edge.View, Role: edge.Reads, In: corpus.Script, Names: []string{"render"}, Target: File},
}

var scriptMounts = []Mount{
	{Rule{By: []Framework{express}, In: corpus.Script, Names: []string{"use"}, Handler: written.Position{Index: -1}}, OfArgument},
	{Rule{By: []Framework{express}, In: corpus.Script, Names: []string{"route"}, Member: true}, OfChain},
	{Rule{By: []Framework{trpc}, In: corpus.Script, Names: []string{"router", "createTRPCRouter", "createRouter"}, Key: noKey, Long: true}, OfProperties},
	{Rule{By: []Framework{trpc}, In: corpus.Script, Names: []string{"mergeRouters", "mergeTRPCRouters"}, Key: noKey}, OfElements},
	{Rule{By: []Framework{fastify}, In: corpus.Script, Names: []string{"register"}, Options: true, Key: written.Position{Index: written.ByName, Name: "prefix"}, Handler: written.Position{}}, OfArgument},
	{Rule{By: []Framework{autoload}, In: corpus.Script, Names: []string{"register"}, Options: true, Key: noKey, Handler: written.Position{Index: written.ByName, Name: "dir"}}, OfFolder},
	{Rule{By: []Framework{hono}, In: corpus.Script, Names: []string{"basePath"}}, OfResult},
	{Rule{By: []Framework{koa}, In: corpus.Script, Names: []string{"prefix"}}, OfResult},
	{Rule{By: []Framework{koa}, In: corpus.Script, Names: []string{"Router"}, Options: true, Key: written.Position{Index: written.ByName, Name: "prefix"}}, OfResult},
	{Rule{By: []Framework{hono}, In: corpus.Script, Names: []string{"route"}, Handler: written.Position{Index: 1}}, OfArgument},
	{Rule{By: []Framework{nest}, In: corpus.Script, Names: []string{"Controller"}, Shape: Marking}, OfType},
}
