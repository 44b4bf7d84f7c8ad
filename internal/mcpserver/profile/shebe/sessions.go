package shebe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/mcpserver/host"
	"espy/internal/permit"
	"espy/internal/session"
)

const oneSession = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"}
	},
	"required": ["session"]
}`

func (s *server) listSessionsTool() tool {
	return tool{
		name: "list_sessions", short: "List all sessions", schema: noArguments,
		description: `List the indexed sessions with files, chunks, size and age. Begin here when a session name is not known. Keep fewer than 20 and delete old ones.`,
		call:        s.listSessions,
	}
}

// sessionList is the answer of list_sessions.
type sessionList struct {
	s    *server
	list []session.Entry
}

func (s *server) listSessions(ctx context.Context, _ *arguments, _ host.Tell) (answer, error) {
	list, err := s.sessions(ctx)
	if err != nil {
		return nil, err
	}
	return &sessionList{s, list}, nil
}

// former are the folders of Shebe's own sessions. Nobody knows which repositories
// those are of, so who may see only some sees none of them.
func (s *server) former(ctx context.Context) []string {
	if permit.Limited(ctx) {
		return nil
	}
	return s.config.Sessions
}

// sessions lists the sessions by name, Shebe's own among them.
func (s *server) sessions(ctx context.Context) ([]session.Entry, error) {
	list, err := s.all.List(ctx)
	if err != nil {
		return nil, internal("Storage error: ", err)
	}
	for _, dir := range s.former(ctx) {
		list = legacy(dir).list(list)
	}
	slices.SortFunc(list, func(a, b session.Entry) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

func (l *sessionList) markdown() string {
	if len(l.list) == 0 {
		return "No sessions available. Index a repository first with index_repository."
	}
	head := fmt.Sprintf("Available sessions (%d):\n\n", len(l.list))
	var b strings.Builder
	room := newBudget(head)
	for i, rec := range l.list {
		text := l.s.describeEntry(rec)
		if !room.take(text) {
			b.WriteString(cutNote(i, len(l.list)))
			break
		}
		b.WriteString(text)
	}
	return head + b.String()
}

func (s *server) describeEntry(rec session.Entry) string {
	if rec.Err != nil {
		return fmt.Sprintf("## %s\n- **Status:** Error: %v; index it again with index_repository and force=true, or delete it\n\n", rec.Name, rec.Err)
	}
	return fmt.Sprintf("## %s\n- **Files:** %d\n- **Chunks:** %d\n- **Size:** %s\n- **Schema:** %s\n- **Last indexed:** %s\n- **Created:** %s\n\n",
		rec.Name, rec.Files, rec.Windows.Windows, size(rec.Bytes), schemaText(rec.Schema), s.when(rec.Indexed, minuteForm), rec.Created.UTC().Format(createdForm))
}

func schemaText(v int) string {
	if v < session.Schema {
		return fmt.Sprintf("v%d (outdated, re-index required)", v)
	}
	return fmt.Sprintf("v%d (current)", v)
}

func (s *server) getSessionInfoTool() tool {
	return tool{
		name: "get_session_info", short: "Get session details", schema: oneSession,
		description: `Show one session: repository path, files, chunks, size, age, chunk size, overlap and patterns.`,
		call:        s.getSessionInfo,
	}
}

// sessionInfo is the answer of get_session_info.
type sessionInfo struct {
	session.Record
	note string
}

func (s *server) getSessionInfo(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name := a.text("session")
	if a.err != nil {
		return nil, a.err
	}
	found, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	info := &sessionInfo{Record: found.Record}
	if found.Schema < session.Schema {
		return info, nil
	}
	v, err := found.OpenIndexed(ctx)
	if err != nil { // it is described all the same
		return nil, internal("Storage error: ", err)
	}
	if v != nil {
		defer v.Close()
		info.note = changes(ctx, v)()
	}
	return info, nil
}

func (i *sessionInfo) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session: %s\n\n## Overview\n- **Status:** Ready\n- **Repository Path:** %s\n- **Files:** %d\n- **Chunks:** %d\n- **Size:** %s\n- **Created:** %s\n- **Last Indexed:** %s\n\n",
		i.Name, i.Root, i.Files, i.Windows.Windows, size(i.Bytes), i.Created.UTC().Format(createdForm), i.Indexed.UTC().Format(secondForm))
	fmt.Fprintf(&b, "## Configuration\n- **Chunk size:** %d chars\n- **Overlap:** %d chars\n- **Include patterns:** %s\n- **Exclude patterns:** %s\n\n",
		i.Windowing.Size, i.Windowing.Overlap, strings.Join(i.Include, ", "), strings.Join(i.Exclude, ", "))
	fmt.Fprintf(&b, "## Statistics\n- **Avg chunks/file:** %.2f", float64(i.Windows.Windows)/float64(max(1, i.Files)))
	if n := i.Windows.Windows; n > 0 {
		fmt.Fprintf(&b, "\n- **Avg chunk size:** %s", size(i.Bytes/int64(n)))
	}
	return b.String() + i.note
}

const deleteSessionSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session to delete", "pattern": "^[a-zA-Z0-9_-]+$"},
		"confirm": {"type": "boolean", "description": "Must be true"}
	},
	"required": ["session", "confirm"]
}`

func (s *server) deleteSessionTool() tool {
	return tool{
		name: "delete_session", short: "Delete a session and its index", schema: deleteSessionSchema, writes: true,
		description: `Delete a session and its index for good. The repository itself is not touched.`,
		call:        s.deleteSession,
	}
}

// deleted is the answer of delete_session: the record of what is gone.
type deleted struct {
	name string
	session.Record
}

func (s *server) deleteSession(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name := a.text("session")
	confirm := a.needFlag("confirm")
	if a.err != nil {
		return nil, a.err
	}
	if !confirm {
		return nil, refused("Deletion requires confirm=true parameter. This prevents accidental session deletion.")
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	gone := &deleted{name: name}
	found, err := s.find(ctx, name)
	var none *session.NotFoundError
	switch {
	case errors.As(err, &none):
		return nil, noSession(name, none.Nearest)
	case err == nil:
		gone.Record = found.Record
	case !errors.As(err, new(*session.DamagedError)): // a damaged one is deleted all the same
		return nil, internal("Storage error: ", err)
	}
	err = s.all.Delete(ctx, name)
	if errors.As(err, &none) { // one of Shebe's own that was never used here
		err = nil
	}
	for _, dir := range s.former(ctx) {
		err = errors.Join(err, legacy(dir).remove(name))
	}
	if err != nil {
		return nil, internal("Failed to delete session: ", err)
	}
	return gone, nil
}

func (d *deleted) markdown() string {
	return fmt.Sprintf("**Session Deleted:** `%s`\n\n**Freed Resources:**\n- Files indexed: %d\n- Chunks removed: %d\n- Disk space freed: %s\n\nSession data and index permanently deleted.",
		d.name, d.Files, d.Windows.Windows, size(d.Bytes))
}
