package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/permit"
	"espy/internal/usage"
)

// ErrBusy says that a call found no slot in its time.
var ErrBusy error = &usage.Error{Msg: "the server is busy with other calls", Hint: "ask again in a moment"}

// LateError says that a call did not end in its time.
type LateError struct {
	Tool    string
	Time    time.Duration
	partial string // what is answered instead; empty for the error itself
}

func (e *LateError) Error() string {
	problem, hint := e.Explain()
	return problem + "; " + hint
}

// Explain returns what is wrong and what would work.
func (e *LateError) Explain() (problem, hint string) {
	return fmt.Sprintf("%s did not finish within %v", e.Tool, e.Time), "narrow it with path, lang or scope; status shows whether indexing is in progress"
}

// Kind is how a call ended.
type Kind string

// The kinds.
const (
	Answered  Kind = "ok"
	Refused   Kind = "refused" // the call was wrong, or not allowed
	Late      Kind = "late"
	Busy      Kind = "busy"
	Cancelled Kind = "cancelled"
	Panicked  Kind = "panic"
	Failed    Kind = "failed" // for any other reason
)

// End is the end of a call.
type End struct {
	Tool string
	Kind Kind
	Took time.Duration
}

// OnEnd has f told of the end of each call. It is not for use while the server
// serves.
func (s *Server) OnEnd(f func(End)) { s.ended = f }

// Load returns how many calls are at work, and how many wait for their turn.
func (s *Server) Load() (atWork, waiting int) {
	for _, slots := range s.slots {
		atWork += len(slots)
	}
	return atWork, int(s.waiting.Load())
}

// Tools are Espy's own tools that are served, in the order of tools/list. A
// profile has none.
func (s *Server) Tools() []Tool {
	var list []Tool
	for _, name := range s.names {
		if t, ok := s.tools[name]; ok {
			list = append(list, t)
		}
	}
	return list
}

// Ask calls one of Tools for a program that does not speak the protocol.
func (s *Server) Ask(ctx context.Context, tool string, arguments json.RawMessage) (string, error) {
	s.greeted()
	if err := s.admits(ctx, tool); err != nil {
		return "", err
	}
	return s.ask(ctx, s.tools[tool], &Call{Roots: noRoots}, arguments)
}

// ask answers one call. One whose time is over is answered with what its tool says
// of that, if it says anything.
func (s *Server) ask(ctx context.Context, t Tool, c *Call, raw json.RawMessage) (string, error) {
	text, err := s.timely(ctx, t, c, raw)
	if late := (*LateError)(nil); errors.As(err, &late) && late.partial != "" {
		return late.partial, nil
	}
	return text, err
}

// timely checks the arguments of a call, and bounds its time and how many calls are
// at work.
func (s *Server) timely(ctx context.Context, t Tool, c *Call, raw json.RawMessage) (text string, err error) {
	name := t.About.Name
	defer s.timed(name, &err)()
	c.Tool, c.Limits = name, s.limits
	if c.Args, err = t.Args.Check(raw); err != nil {
		return "", err
	}
	partial := ""
	if t.Begin != nil {
		partial = t.Begin(c)
	}
	ctx, cancel := context.WithTimeout(permit.Calling(ctx, name), s.limits.Call())
	defer cancel()
	if !s.enter(ctx, t.Lane) {
		if errors.Is(ctx.Err(), context.Canceled) {
			return "", ctx.Err()
		}
		return "", ErrBusy
	}
	text, err = s.within(ctx, t, c)
	switch {
	case err == nil:
		return text, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", &LateError{name, s.limits.Call(), partial}
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	s.log.Debug("tool call failed", "tool", name, "err", err)
	return "", err
}

// slow is how long a call may take before the log names it.
const slow = 2 * time.Second

// timed measures a call from now until what it returns is called, deferred, when
// err is how the call has ended.
func (s *Server) timed(tool string, err *error) func() {
	began := time.Now()
	return func() {
		cause := recover()
		end := End{Tool: tool, Kind: kindOf(*err), Took: time.Since(began)}
		if cause != nil {
			end.Kind = Panicked
		}
		if end.Took > slow {
			s.log.Warn("slow call", "tool", tool, "kind", end.Kind, "ms", end.Took.Milliseconds())
		}
		s.ended(end)
		if cause != nil {
			panic(cause)
		}
	}
}

func kindOf(err error) Kind {
	var explained interface{ Explain() (string, string) }
	switch {
	case err == nil:
		return Answered
	case errors.Is(err, ErrBusy):
		return Busy
	case errors.As(err, new(*LateError)):
		return Late
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.As(err, &explained), errors.As(err, new(*jsonrpc.Error)):
		return Refused
	}
	return Failed
}

// quiet keeps from the log what the SDK says of every request.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, l slog.Level) bool {
	return (l >= slog.LevelWarn || q.Handler.Enabled(ctx, slog.LevelDebug)) && q.Handler.Enabled(ctx, l)
}
