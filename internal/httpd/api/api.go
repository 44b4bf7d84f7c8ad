// Package api answers programs that do not speak the Model Context Protocol: one
// route a tool, whose arguments are those of the tool and whose answer is the JSON
// that the tool gives. Routes and their description are made of the tools
// themselves, so that they cannot drift from them.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"espy/internal/httpd/body"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/message"
	"espy/internal/nearest"
	"espy/internal/permit"
	"espy/internal/usage"
)

// Path is where the API is.
const Path = "/api/v1/"

// API answers calls of tools.
type API struct {
	tools  *host.Server
	byName map[string]host.Tool
	names  []string // in the order of tools/list
	about  []byte   // the OpenAPI document
	log    *slog.Logger
}

// New returns the API of Espy's own tools.
func New(tools *host.Server, version string, log *slog.Logger) *API {
	a := &API{tools: tools, byName: map[string]host.Tool{}, log: log}
	for _, t := range tools.Tools() {
		a.byName[t.About.Name] = t
		a.names = append(a.names, t.About.Name)
	}
	a.about = describe(tools.Tools(), version)
	return a
}

// ServeHTTP answers a request below Path.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Path)
	if name == "openapi.json" && r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "application/json")
		w.Write(a.about) //nolint:errcheck // the client is gone
		return
	}
	t, ok := a.byName[name]
	if !ok {
		a.unknown(name).Write(w)
		return
	}
	given, p := arguments(w, r, &t)
	if p != nil {
		p.Write(w)
		return
	}
	kind := asJSON(&t, given)
	text, err := a.ask(r.Context(), name, given)
	switch {
	case errors.Is(err, context.Canceled):
	case err != nil:
		refused(w, err).Write(w)
	default:
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-store")
		w.Write([]byte(text)) //nolint:errcheck // the client is gone
	}
}

var errPanic = errors.New("internal error of espy; its log has the details")

// ask calls a tool, and keeps a panic to the call.
func (a *API) ask(ctx context.Context, tool string, given map[string]json.RawMessage) (text string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			a.log.Error("request panicked", "tool", tool, "panic", cause, "stack", string(debug.Stack()))
			err = errPanic
		}
	}()
	raw, err := json.Marshal(given)
	if err != nil {
		return "", fmt.Errorf("encode arguments: %w", err)
	}
	return a.tools.Ask(host.WhileWanted(ctx), tool, raw)
}

func (a *API) unknown(name string) *problem.Problem {
	hint := "the tools are " + strings.Join(a.names, ", ")
	if near := nearest.Of(name, a.names, 1); len(near) > 0 {
		hint = "did you mean " + Path + near[0] + "?"
	}
	return problem.New(http.StatusNotFound, fmt.Sprintf("no tool %q", usage.Shorten(name, 100)), hint+"; "+Path+"openapi.json describes them")
}

// arguments are the arguments of a request: a JSON object in its body, or the
// parameters of its address for a tool that only reads.
func arguments(w http.ResponseWriter, r *http.Request, t *host.Tool) (map[string]json.RawMessage, *problem.Problem) {
	reads := t.About.Annotations != nil && t.About.Annotations.ReadOnlyHint
	switch {
	case r.Method == http.MethodPost:
		return fromBody(w, r)
	case r.Method == http.MethodGet && reads:
		return fromAddress(r.URL.Query(), t.Args.Schema)
	}
	allow := http.MethodPost
	if reads {
		allow = "GET, POST"
	}
	w.Header().Set("Allow", allow)
	return nil, problem.New(http.StatusMethodNotAllowed, r.Method+" is not for "+t.About.Name, "it takes "+allow)
}

func fromBody(w http.ResponseWriter, r *http.Request) (map[string]json.RawMessage, *problem.Problem) {
	text, p := body.Read(w, r)
	if p != nil {
		return nil, p
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(text)) == 0 {
		return given, nil
	}
	err := message.CheckKeys(text)
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil || given == nil {
		why := "it is null"
		if err != nil {
			why = err.Error()
		}
		return nil, problem.New(http.StatusBadRequest, "the body is no JSON object of arguments: "+why, `send such as {"query": "retry"}`)
	}
	return given, nil
}

// fromAddress reads parameters as the schema has the arguments. A value that does
// not fit stays text, and the tool says what is wrong with it.
func fromAddress(q url.Values, s *jsonschema.Schema) (map[string]json.RawMessage, *problem.Problem) {
	given := map[string]json.RawMessage{}
	for name, values := range q {
		kind := "string"
		if p := s.Properties[name]; p != nil {
			kind = p.Type
		}
		if kind != "array" && len(values) > 1 {
			return nil, problem.New(http.StatusBadRequest, fmt.Sprintf("%s is given %d times", usage.Shorten(name, 100), len(values)), "give it once")
		}
		var value any = values[0]
		switch {
		case kind == "array":
			value = values
		case kind != "string" && json.Valid([]byte(values[0])):
			value = json.RawMessage(values[0])
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, problem.New(http.StatusBadRequest, name+" cannot be read", "")
		}
		given[name] = text
	}
	return given, nil
}

// asJSON asks for the JSON of an answer where the caller names no form, and returns
// the media type of the form.
func asJSON(t *host.Tool, given map[string]json.RawMessage) (kind string) {
	const text, data = "text/plain; charset=utf-8", "application/json"
	if t.Args.Schema.Properties["format"] == nil {
		return text
	}
	if form, ok := given["format"]; ok && string(form) != `"json"` && string(form) != "null" {
		return text
	}
	given["format"] = json.RawMessage(`"json"`)
	return data
}

// refused is the answer to a call that ended in an error.
func refused(w http.ResponseWriter, err error) *problem.Problem {
	msg, hint := host.Explain(err)
	return problem.New(status(w.Header(), err), msg, hint)
}

func status(h http.Header, err error) int {
	var wrong interface{ Explain() (string, string) }
	switch {
	case errors.Is(err, host.ErrBusy):
		h.Set("Retry-After", "1")
		return http.StatusServiceUnavailable
	case errors.As(err, new(*host.LateError)):
		return http.StatusGatewayTimeout
	case errors.As(err, new(*permit.RefusedError)):
		return http.StatusForbidden
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, &wrong):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// sorted returns the names of a schema's arguments.
func sorted(s *jsonschema.Schema) []string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
