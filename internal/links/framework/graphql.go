package framework

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

const graphQL = "GraphQL"

// schemas adds the fields that schemas of GraphQL declare, and what resolves them: in
// files of schemas, and in literals behind gql.
func (f *finder) schemas(r *rules.Rule) error {
	types := map[string]bool{}
	for id := range corpus.FileID(f.Corpus.NumFiles()) {
		if ext := path.Ext(f.Corpus.Path(id)); ext == ".graphql" || ext == ".graphqls" || ext == ".gql" {
			text, err := f.Text(id)
			if err != nil {
				return err
			}
			f.declare(id, text, 1, types)
		}
	}
	if len(types) == 0 && !f.MayBeUsed(r) {
		return nil
	}
	err := f.mentions("gql", func(id corpus.FileID, text []byte, at int) {
		if open := at + len("gql"); open < len(text) && text[open] == '`' {
			end := written.Skip(text, open, len(text))
			f.declare(id, text[open+1:max(open+1, end-1)], 1+bytes.Count(text[:open], []byte("\n")), types)
		}
	})
	if err != nil {
		return err
	}
	known := f.known(edge.Service)
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		err := f.mentions(typ, func(id corpus.FileID, text []byte, at int) { f.resolve(typ, known, id, text, at) })
		if err != nil {
			return err
		}
	}
	return nil
}

// mentions calls yield for the places of a word in files of JavaScript and TypeScript.
func (f *finder) mentions(word string, yield func(id corpus.FileID, text []byte, at int)) (failed error) {
	if !f.Has(corpus.Script) {
		return nil
	}
	err := f.Corpus.Mentions(word, func(id corpus.FileID, at uint32) bool {
		if f.Corpus.Family(id) != corpus.Script {
			return !f.Late()
		}
		text, err := f.Text(id)
		if err != nil {
			failed = err
			return false
		}
		yield(id, text, int(at))
		return !f.Late()
	})
	if failed != nil {
		return failed
	}
	return err
}

func (f *finder) declare(id corpus.FileID, text []byte, line int, types map[string]bool) {
	for _, k := range written.Fields(text, line) {
		types[k.Text[:strings.IndexByte(k.Text, '.')]] = true
		f.links = append(f.links, edge.Link{
			Kind: edge.Service, Key: k.Text, Role: edge.Declares, By: graphQL, At: corpus.Ref{File: id, Index: facts.None}, Line: k.Line,
			To: corpus.Ref{File: id, Index: facts.None},
		})
	}
}

// resolve adds the functions of an object behind the name of a type that resolve fields
// of a schema: Query: { user: findUser }.
func (f *finder) resolve(typ string, known map[string]bool, id corpus.FileID, text []byte, at int) {
	open, ok := written.ObjectBehind(text, at+len(typ))
	if !ok {
		return
	}
	end := written.Skip(text, open, len(text))
	for _, one := range written.Resolvers(written.Argument{From: open, To: end, Text: string(text[open:end])}) {
		if !known[typ+"."+one.Name] {
			continue
		}
		l := edge.Link{
			Kind: edge.Service, Key: typ + "." + one.Name, Role: edge.Implements, By: graphQL, Line: int(f.File(id).Line(uint32(one.Value.From))), Confidence: facts.Likely,
			At: corpus.Ref{File: id, Index: int32(f.File(id).Enclosing(uint32(one.Value.From)))}, To: corpus.Ref{File: id, Index: facts.None}, Reason: "of the name of a field",
		}
		if written.IsChain(one.Value.Text) {
			all := f.Meant(id, one.Value)
			if len(all) == 0 || !f.Symbol(all[0]).Kind.IsFunc() {
				continue // a type, or a value
			}
			l.To = all[0]
		} else if !written.IsInline(one.Value.Text) && !strings.Contains(one.Value.Text, ") {") {
			continue
		}
		f.links = append(f.links, l)
	}
}
