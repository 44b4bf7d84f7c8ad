package framework

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// What generated code calls the base of an implementation of a service S of gRPC,
// and its clients.
var (
	bases   = []string{"Unimplemented%Server", "%Servicer", "%ImplBase", "%CoroutineImplBase", "%Base"}
	clients = []string{"New%Client", "%Stub", "%Client", "%Grpc"}
)

// services adds what implements the services that were found, and who calls them.
func (f *finder) services() {
	for _, l := range f.links {
		if l.Kind == edge.Service && l.Role == edge.Declares && !strings.Contains(l.Key, "/") {
			f.implementing(l.Key)
			f.calling(l.Key)
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
		f.links = append(f.links, edge.Link{Kind: edge.Service, Key: key, Role: edge.Implements, By: "gRPC", At: to, Line: int(line), To: to, Confidence: facts.Likely, Reason: "its base is generated from the service"})
	}
	add(service, typ, f.File(typ.File).Line(at))
	for _, rpc := range f.methodsOf(service) {
		for _, name := range []string{rpc, strings.ToLower(rpc[:1]) + rpc[1:]} {
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
			if f.isGenerated(u.File) || use.Role != facts.RoleCall && client != "%Grpc" || use.Role == facts.RoleImport {
				continue
			}
			f.links = append(f.links, edge.Link{
				Kind: edge.Service, Key: service, Role: edge.Sends, By: "gRPC", At: corpus.Ref{File: u.File, Index: use.In}, Line: int(use.Line),
				To: corpus.Ref{File: u.File, Index: facts.None}, Confidence: facts.Likely, Reason: "a client that is generated from the service",
			})
		}
	}
}

func (f *finder) isGenerated(id corpus.FileID) bool {
	p := f.Corpus.Path(id)
	return f.Corpus.Class(id)&code.ClassGenerated != 0 || strings.Contains(p, ".pb.") || strings.HasSuffix(p, "_pb2_grpc.py") || strings.HasSuffix(p, "_pb2.py")
}
