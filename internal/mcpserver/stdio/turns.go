package stdio

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// turns decides when a message is handed on: at once, or when the requests of
// its queue that came before are answered. It is safe for concurrent use.
type turns struct {
	queue   func(*jsonrpc.Request) string
	changed chan struct{} // has room for one: there may be a message to hand on

	mu      sync.Mutex
	ready   []jsonrpc.Message             // to be handed on, guarded by mu
	waiting map[string][]*jsonrpc.Request // by queue, behind the one that is at work; guarded by mu
	at      map[jsonrpc.ID]string         // queue of each request at work, guarded by mu
	greet   bool                          // the client has to initialize, or is spared it; guarded by mu
	behind  []jsonrpc.Message             // what waits for the greeting, nil for none; guarded by mu
}

func newTurns(o Options) *turns {
	t := &turns{queue: o.Queue, changed: make(chan struct{}, 1), waiting: map[string][]*jsonrpc.Request{}, at: map[jsonrpc.ID]string{}, greet: o.Greet}
	if t.queue == nil {
		t.queue = func(*jsonrpc.Request) string { return "" }
	}
	return t
}

// greeting is the id of the request by which a client that did not initialize is
// introduced. No line has a number of so many digits as an id.
var greeting, _ = jsonrpc.MakeID(float64(1 << 62))

// next returns the next message to be handed on, nil where there is none.
func (t *turns) next() jsonrpc.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ready) == 0 {
		return nil
	}
	msg := t.ready[0]
	t.ready = t.ready[1:]
	return msg
}

// add takes a message from the client.
func (t *turns) add(msg jsonrpc.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.tell()
	req, _ := msg.(*jsonrpc.Request)
	switch {
	case t.behind != nil:
		t.behind = append(t.behind, msg)
	case t.greet && req != nil && (req.Method == initialize || saysVersion(req)):
		t.greet = false
		t.admitLocked(msg)
	case t.greet && req != nil && req.IsCall() && req.Method != "ping":
		t.greet = false
		t.behind = []jsonrpc.Message{&jsonrpc.Request{Method: "notifications/initialized"}, msg}
		t.ready = append(t.ready, &jsonrpc.Request{ID: greeting, Method: initialize, Params: json.RawMessage(
			`{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"unknown","version":"0"}}`)})
	default:
		t.admitLocked(msg)
	}
}

// saysVersion reports whether a request is of a revision of the protocol without
// initialize: it tells its version itself.
func saysVersion(req *jsonrpc.Request) bool {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	return json.Unmarshal(req.Params, &p) == nil && p.Meta[mcp.MetaKeyProtocolVersion] != nil
}

// admitLocked makes a message ready, or has it wait for its turn.
func (t *turns) admitLocked(msg jsonrpc.Message) {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		t.ready = append(t.ready, msg)
		return
	}
	queue := t.queue(req)
	if queue == "" {
		t.ready = append(t.ready, msg)
		return
	}
	if behind, busy := t.waiting[queue]; busy {
		t.waiting[queue] = append(behind, req)
		return
	}
	t.waiting[queue] = nil
	t.at[req.ID] = queue
	t.ready = append(t.ready, req)
}

// end tells that a request is answered: the next of its queue has its turn.
func (t *turns) end(id jsonrpc.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.tell()
	if id == greeting {
		behind := t.behind
		t.behind = nil
		for _, msg := range behind {
			t.admitLocked(msg)
		}
		return
	}
	queue, ok := t.at[id]
	if !ok {
		return
	}
	delete(t.at, id)
	behind := t.waiting[queue]
	if len(behind) == 0 {
		delete(t.waiting, queue)
		return
	}
	t.waiting[queue] = behind[1:]
	t.at[behind[0].ID] = queue
	t.ready = append(t.ready, behind[0])
}

// drop forgets a request that waits for its turn, and reports whether it did wait.
func (t *turns) drop(id jsonrpc.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for queue, behind := range t.waiting {
		if i := slices.IndexFunc(behind, func(r *jsonrpc.Request) bool { return r.ID == id }); i >= 0 {
			t.waiting[queue] = slices.Delete(behind, i, i+1)
			return true
		}
	}
	return false
}

// tell wakes the reader.
func (t *turns) tell() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}
