package outline

import "espy/internal/code"

// Languages that describe data and services.

var graphqlSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"type": code.KindStruct, "input": code.KindStruct, "interface": code.KindInterface, "enum": code.KindEnum, "union": code.KindType, "scalar": code.KindType,
	"query": code.KindFunc, "mutation": code.KindFunc, "subscription": code.KindFunc, "fragment": code.KindType,
}}).line, act: table(curly, actions{"#": lineComment, "\"": tripleEscaped})}

var thriftSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"struct": code.KindStruct, "union": code.KindStruct, "exception": code.KindStruct, "service": code.KindInterface, "enum": code.KindEnum,
}}).line, act: table(curly, actions{"/": slash, "#": lineComment, "\"'": quote})}

var flatbuffersSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"table": code.KindStruct, "struct": code.KindStruct, "union": code.KindType, "enum": code.KindEnum, "rpc_service": code.KindInterface,
}}).line, act: table(curly, actions{"/": slash, "\"": quote})}

var capnpSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"struct": code.KindStruct, "interface": code.KindInterface, "enum": code.KindEnum, "const": code.KindConst, "annotation": code.KindType,
}}).line, act: table(curly, actions{"#": lineComment, "\"": quote})}

var prismaSyntax = syntax{line: (&keywords{braces: true, kinds: map[string]code.Kind{
	"model": code.KindStruct, "view": code.KindStruct, "type": code.KindStruct, "enum": code.KindEnum,
}}).line, act: table(curly, actions{"/": slash, "\"": quote})}

var witSyntax = syntax{names: "-", line: (&keywords{braces: true, names: "-", kinds: map[string]code.Kind{
	"interface": code.KindInterface, "world": code.KindModule, "record": code.KindStruct, "variant": code.KindEnum, "enum": code.KindEnum,
	"flags": code.KindEnum, "resource": code.KindClass, "type": code.KindType,
}}).line, act: table(curly, actions{"/": slash})}
