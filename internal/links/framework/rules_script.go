package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// Frameworks of JavaScript and TypeScript.
var (
	express      = framework{"Express", []string{"express"}}
	fastify      = framework{"Fastify", []string{"fastify"}}
	koa          = framework{"Koa", []string{"koa-router", "@koa/router"}}
	hono         = framework{"Hono", []string{"hono"}}
	polka        = framework{"Polka", []string{"polka"}}
	restify      = framework{"Restify", []string{"restify"}}
	nest         = framework{"Nest", []string{"@nestjs/common"}}
	angular      = framework{"Angular", []string{"@angular/core"}}
	nestMessages = framework{"Nest", []string{"@nestjs/microservices", "@nestjs/event-emitter", "@nestjs/websockets"}}
	eventEmitter = framework{"EventEmitter", []string{"events", "node:events", "eventemitter3"}}
	socketIO     = framework{"Socket.IO", []string{"socket.io", "socket.io-client"}}
	mitt         = framework{"mitt", []string{"mitt"}}
	typeORM      = framework{"TypeORM", []string{"typeorm"}}
)

var scriptRules = []rule{
	{by: []framework{express, fastify, koa, hono, polka, restify}, kind: Route, role: Handles, in: corpus.Script, names: []string{"get", "post", "put", "delete", "patch", "head", "options", "all"}, member: true, verb: nameVerb, target: inArgument, handler: written.Position{Index: -1}},
	{by: []framework{nest}, kind: Route, role: Handles, in: corpus.Script, names: []string{"Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "All"}, shape: marking, verb: nameVerb, target: marked},
	{by: []framework{eventEmitter, socketIO, mitt}, kind: Topic, role: Sends, in: corpus.Script, names: []string{"emit"}, member: true, target: itself},
	{by: []framework{eventEmitter, socketIO, mitt}, kind: Topic, role: Receives, in: corpus.Script, names: []string{"on", "once", "addListener"}, member: true, target: inArgument, handler: written.Position{Index: 1}},
	{by: []framework{nestMessages}, kind: Topic, role: Receives, in: corpus.Script, names: []string{"MessagePattern", "EventPattern", "OnEvent", "SubscribeMessage"}, shape: marking, target: marked},
	{by: []framework{nest, angular}, kind: Inject, role: Implements, in: corpus.Script, names: []string{"Injectable", "Service"}, shape: marking, target: marked},
	{by: []framework{nest, angular}, kind: Inject, role: Reads, in: corpus.Script, names: []string{"Injectable", "Service"}, shape: marking, takes: parameters},
	{by: []framework{nest}, kind: Inject, role: Reads, in: corpus.Script, names: []string{"Controller", "Resolver", "WebSocketGateway", "Catch", "Processor"}, shape: marking, takes: parameters},
	{by: []framework{angular}, kind: Inject, role: Reads, in: corpus.Script, names: []string{"Component", "Directive", "Pipe", "NgModule"}, shape: marking, takes: parameters},
	{by: []framework{angular}, kind: Inject, role: Reads, in: corpus.Script, names: []string{"inject"}, target: inArgument},
	{by: []framework{typeORM}, kind: Table, role: Declares, in: corpus.Script, names: []string{"Entity"}, shape: marking, target: marked},
	{by: []framework{express}, kind: View, role: Reads, in: corpus.Script, names: []string{"render"}, target: file},
}
