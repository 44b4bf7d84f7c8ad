package framework

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

const grpc = "gRPC"

// What generated code calls the base of an implementation of a service S of gRPC,
// and its clients.
var (
	bases   = []string{"Unimplemented%Server", "Unimplemented%Handler", "%Servicer", "%ImplBase", "%CoroutineImplBase", "%Base", "%Provider", "%AsyncProvider"}
	clients = []string{"New%Client", "%Stub", "%CoroutineStub", "%Client", "%NIOClient", "%AsyncClient", "%Grpc"}
)

// What stands behind the name of a service where generated code puts what belongs to it
// below that name.
var (
	basesBelow   = []string{"::Service", "::AsyncService", "::CallbackService"}
	clientsBelow = []string{"::Stub", "::NewStub"}
)

// services adds what implements the services that were found, and who calls them.
func (f *finder) services() {
	for _, l := range f.links {
		if l.Kind == edge.Service && l.Role == edge.Declares && l.By == grpc && !strings.Contains(l.Key, "/") {
			f.implementing(l.Key)
			f.calling(l.Key)
			f.below(l.Key)
		}
	}
}

func (f *finder) implementing(service string) {
	for _, base := range bases {
		for _, u := range f.Reader.Uses(strings.ReplaceAll(base, "%", service)) {
			use := f.Use(u.File, int(u.Index))
			if f.isGenerated(u.File) || use.Role != facts.RoleInherit && use.Role != facts.RoleType && use.Role != facts.RoleImplement {
				continue
			}
			typ, ok := f.TypeAt(&site.Site{File: u.File, At: int(use.At)})
			if ok {
				f.serve(service, typ, use.At)
			}
		}
	}
}

// serve adds a type that implements a service, and its methods.
func (f *finder) serve(service string, typ corpus.Ref, at uint32) {
	add := func(key string, to corpus.Ref, line uint32) {
		f.links = append(f.links, edge.Link{Kind: edge.Service, Key: key, Role: edge.Implements, By: grpc, At: to, Line: int(line), To: to, Confidence: facts.Likely, Reason: "its base is generated from the service"})
	}
	add(service, typ, f.File(typ.File).Line(at))
	for _, rpc := range f.methodsOf(service) {
		for _, name := range []string{rpc, strings.ToLower(rpc[:1]) + rpc[1:], written.Snake(rpc)} {
			if all := f.Members(typ, name); len(all) > 0 && !f.isGenerated(all[0].File) {
				add(service+"/"+rpc, all[0], f.Symbol(all[0]).Line)
				break
			}
		}
	}
}

// methodsOf are the methods that a definition declares for a service.
func (f *finder) methodsOf(service string) (all []string) {
	for _, l := range f.links {
		if l.Kind != edge.Service || l.Key != service || l.Role != edge.Declares {
			continue
		}
		text, err := f.Text(l.At.File)
		if err != nil {
			return nil
		}
		at := 0
		for range l.Line - 1 {
			at = written.LineEnd(text, at, len(text)) + 1
		}
		open := strings.IndexByte(string(text[at:]), '{')
		if open < 0 {
			return nil
		}
		body := string(text[at+open : written.Skip(text, at+open, len(text))])
		for _, part := range strings.Split(body, "rpc ")[1:] {
			if n := written.NameEnd(strings.TrimSpace(part)); n > 0 {
				all = append(all, strings.TrimSpace(part)[:n])
			}
		}
	}
	return all
}

func (f *finder) calling(service string) {
	for _, client := range clients {
		for _, u := range f.Reader.Uses(strings.ReplaceAll(client, "%", service)) {
			use := f.File(u.File).Use(int(u.Index))
			if f.isGenerated(u.File) || use.Role != facts.RoleCall && client != "%Grpc" && f.Corpus.Family(u.File) != corpus.Rust || use.Role == facts.RoleImport {
				continue
			}
			f.call(service, u.File, &use)
		}
	}
}

// call adds a use of a client of a service.
func (f *finder) call(service string, id corpus.FileID, use *facts.Use) {
	f.links = append(f.links, edge.Link{
		Kind: edge.Service, Key: service, Role: edge.Sends, By: grpc, At: corpus.Ref{File: id, Index: use.In}, Line: int(use.Line),
		To: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely, Reason: "a client that is generated from the service",
	})
}

// below adds what implements a service and who calls it where the names of both stand
// below that of the service, as in Ruby and C++, or are that of the service, as the
// traits of Rust and the tables of JavaScript.
func (f *finder) below(service string) {
	for _, u := range f.Reader.Uses(service) {
		use := f.File(u.File).Use(int(u.Index))
		text, err := f.Text(u.File)
		if err != nil || f.isGenerated(u.File) || f.Late() {
			continue
		}
		behind := text[min(len(text), int(use.At)+len(service)):]
		begins := func(s string) bool {
			return bytes.HasPrefix(behind, []byte(s)) && written.NameEnd(string(behind[len(s):min(len(behind), len(s)+1)])) == 0
		}
		family := f.Corpus.Family(u.File)
		switch {
		case slices.ContainsFunc(basesBelow, begins) && (family == corpus.C || inherits(text, &use)), family == corpus.Rust && use.Role == facts.RoleImplement:
			typ, ok := corpus.Ref{File: u.File, Index: use.In}, use.In != facts.None && f.Symbol(corpus.Ref{File: u.File, Index: use.In}).Kind.IsType()
			if !ok {
				typ, ok = f.TypeAt(&site.Site{File: u.File, At: int(use.At)})
			}
			if ok {
				f.serve(service, typ, use.At)
			}
		case slices.ContainsFunc(clientsBelow, begins):
			f.call(service, u.File, &use)
		case family == corpus.Script:
			f.added(service, u.File, text, &use)
		}
	}
}

// inherits reports whether a use stands in the head of a class of Ruby, behind <.
func inherits(text []byte, use *facts.Use) bool {
	head := bytes.TrimSpace(text[written.LineStart(text, int(use.At)):use.At])
	return bytes.HasPrefix(head, []byte("class ")) && bytes.Contains(head, []byte("<"))
}

var addedService = pattern.New(`\.addService\(\s*[\w.$]*$`)

// added adds the functions that server.addService(a.Service.service, {...}) gives.
func (f *finder) added(service string, id corpus.FileID, text []byte, use *facts.Use) {
	start := max(0, int(use.At)-maxStatement)
	m := addedService().FindIndex(text[start:use.At])
	if m == nil {
		return
	}
	list, _, ok := written.Arguments(text, start+m[0]+len(".addService"))
	if !ok || len(list) < 2 {
		return
	}
	l := edge.Link{
		Kind: edge.Service, Key: service, Role: edge.Implements, By: grpc, At: corpus.Ref{File: id, Index: use.In}, Line: int(use.Line),
		To: corpus.Ref{File: id, Index: facts.None}, Confidence: facts.Likely, Reason: "added to a server",
	}
	f.links = append(f.links, l)
	methods := f.methodsOf(service)
	for _, a := range written.Options([]written.Argument{list[1]})[1:] {
		i := slices.IndexFunc(methods, func(rpc string) bool { return strings.EqualFold(rpc, a.Name) })
		if i < 0 {
			continue
		}
		one := l
		one.Key, one.Line = service+"/"+methods[i], int(f.File(id).Line(uint32(a.From)))
		if all := f.Meant(id, a); len(all) > 0 && written.IsChain(a.Text) {
			one.To = all[0]
		}
		f.links = append(f.links, one)
	}
}

func (f *finder) isGenerated(id corpus.FileID) bool {
	p := f.Corpus.Path(id)
	return f.Corpus.Class(id)&code.ClassGenerated != 0 || strings.Contains(p, ".pb.") || strings.HasSuffix(p, "_pb2_grpc.py") || strings.HasSuffix(p, "_pb2.py")
}
