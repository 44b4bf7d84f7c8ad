package rustcode

import (
	"context"
	"time"

	"espy/internal/mcpserver/host"
)

// tool is one tool. Its schema lists every argument that is published; others may be
// understood besides. One that is slow changes indexes.
type tool struct {
	name, description, schema string
	slow                      bool
	failed                    string // what the error of a call that fails begins with
	call                      func(ctx context.Context, a *arguments, tell host.Tell) (string, error)
}

// How long calls may take: a question, and one that indexes.
const (
	questionTime = 2 * time.Minute
	indexTime    = time.Hour
)

// limit is how long a call of the tool may take.
func (t *tool) limit() time.Duration {
	if t.slow {
		return indexTime
	}
	return questionTime
}
