// Package permit is who asks, what they may do, and which repositories exist for
// them. Who asks is in the context of a call; where nobody is, it is the user of
// this machine, who may do everything. Permissions are checked when a question is
// asked: a repository that a caller may not see does not exist for it.
package permit

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Role is what a caller may do.
type Role string

// The roles. Each may do what those before it may.
const (
	Read  Role = "read"  // ask questions
	Index Role = "index" // and change indexes of attached repositories
	Admin Role = "admin" // and attach and remove repositories
)

// Roles lists them, the weakest first.
var Roles = []Role{Read, Index, Admin}

// Allows reports whether a role may do what needs another.
func (r Role) Allows(need Role) bool {
	return slices.Contains(Roles, r) && slices.Index(Roles, r) >= slices.Index(Roles, need)
}

// Caller is one who asks.
type Caller struct {
	Name  string // who it is, for the audit
	Role  Role
	Only  bool        // sees no repositories but those of Repos
	Repos []string    // names or UUIDs
	Audit func(Touch) // told of each repository that a call touches; nil is not
}

// Touch is one repository that a call touched.
type Touch struct{ Who, Tool, Repo string }

type callerKey struct{}
type callKey struct{}

// With returns a context in which a caller asks.
func With(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Of returns who asks, nil for the user of this machine.
func Of(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// call is one call of a tool.
type call struct {
	tool string
	mu   sync.Mutex
	done map[string]bool // repositories touched, guarded by mu
}

// Calling returns a context in which the caller calls a tool.
func Calling(ctx context.Context, tool string) context.Context {
	if Of(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, callKey{}, &call{tool: tool, done: map[string]bool{}})
}

// Sees reports whether a repository exists for who asks.
func Sees(ctx context.Context, id, name string) bool {
	c := Of(ctx)
	return c == nil || !c.Only || slices.Contains(c.Repos, id) || slices.Contains(c.Repos, name)
}

// Limited reports whether there may be repositories that who asks does not see.
func Limited(ctx context.Context) bool {
	c := Of(ctx)
	return c != nil && c.Only
}

// Touched notes that a call touches a repository, once a call.
func Touched(ctx context.Context, repo string) {
	c := Of(ctx)
	if c == nil || c.Audit == nil {
		return
	}
	tool := ""
	if call, ok := ctx.Value(callKey{}).(*call); ok {
		tool = call.tool
		call.mu.Lock()
		known := call.done[repo]
		call.done[repo] = true
		call.mu.Unlock()
		if known {
			return
		}
	}
	c.Audit(Touch{Who: c.Name, Tool: tool, Repo: repo})
}

// RefusedError says that a caller may not do something.
type RefusedError struct {
	Need, Has Role
	What      string // what it wanted to do
}

func (e *RefusedError) Error() string {
	msg, hint := e.Explain()
	return msg + "; " + hint
}

// Explain returns what is wrong and what would work.
func (e *RefusedError) Explain() (problem, hint string) {
	return fmt.Sprintf("%s needs the role %s, and this token has %s", e.What, e.Need, e.Has), "ask the operator for a token with that role (espy token create --role " + string(e.Need) + ")"
}

// Check refuses what needs a role that who asks does not have.
func Check(ctx context.Context, need Role, what string) error {
	if c := Of(ctx); c != nil && !c.Role.Allows(need) {
		return &RefusedError{Need: need, Has: c.Role, What: what}
	}
	return nil
}
