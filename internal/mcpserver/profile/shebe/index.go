package shebe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/glob"
	"espy/internal/mcpserver/host"
	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/session"
	"espy/internal/usage"
	"espy/internal/windows"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const indexRepositorySchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "string", "description": "Absolute path of the folder to index"},
		"session": {"type": "string", "description": "Name for the session, such as project-branch", "minLength": 1, "maxLength": 64, "pattern": "^[a-zA-Z0-9][a-zA-Z0-9-_]{0,63}$"},
		"include_patterns": {"type": "array", "items": {"type": "string"}, "description": "Globs of files to index", "default": ["**/*"]},
		"exclude_patterns": {"type": "array", "items": {"type": "string"}, "description": "Globs of files to leave out, instead of the default ones", "default": ["**/target/**", "**/node_modules/**", "**/.git/**", "**/dist/**", "**/build/**", "**/*.pyc", "**/__pycache__/**", "**/.venv/**", "**/venv/**"]},
		"chunk_size": {"type": "integer", "description": "Characters of a chunk: 256 for dense code (Python, Ruby), 1024 for verbose code (Java, C++)", "default": 512, "minimum": 100, "maximum": 2000},
		"overlap": {"type": "integer", "description": "Characters that chunks share, less than chunk_size", "default": 64, "minimum": 0},
		"force": {"type": "boolean", "description": "Index again when the session exists", "default": false}
	},
	"required": ["path", "session"],
	"additionalProperties": false
}`

var (
	defaultInclude = []string{"**/*"}
	defaultExclude = []string{
		"**/target/**", "**/node_modules/**", "**/.git/**", "**/dist/**", "**/build/**", "**/*.pyc", "**/__pycache__/**", "**/.venv/**", "**/venv/**",
	}
)

func (s *server) indexRepositoryTool() tool {
	return tool{
		name: "index_repository", short: "Index a repository (synchronous)", schema: indexRepositorySchema, slow: true, writes: true,
		description: `Index a folder as a session and wait until it is done. The session shows the files as they were then. Index only what is needed.`,
		call:        s.indexRepository,
	}
}

func (s *server) indexRepository(ctx context.Context, a *arguments, tell host.Tell) (answer, error) {
	o := session.Options{
		Root: a.text("path"), Name: a.text("session"),
		Include: a.texts("include_patterns", s.patterns("Include Patterns", s.config.Include, defaultInclude)),
		Exclude: a.texts("exclude_patterns", s.patterns("Exclude Patterns", s.config.Exclude, defaultExclude)),
		Windowing: windows.Cut{
			Size: a.number("chunk_size", s.config.ChunkSize), Overlap: a.number("overlap", s.config.Overlap),
		},
	}
	force := a.flag("force", false)
	if a.err != nil {
		return nil, invalid("Invalid parameters: " + a.err.Error())
	}
	o.Root = Expand(o.Root, s.config.home)
	if err := checkIndex(&o); err != nil {
		return nil, err
	}
	if err := s.checkNew(ctx, o.Name, force); err != nil {
		return nil, err
	}
	if err := checkPatterns(o.Include, o.Exclude); err != nil {
		return nil, err
	}
	o.Policy = s.policy(o.Include, o.Exclude)
	o.Progress = progressTo(tell)
	s.say("Indexing " + o.Root + " as '" + o.Name + "'...")
	o.New = !force
	rep, err := s.all.Index(ctx, o)
	if errors.Is(err, session.ErrTaken) { // by a call at the same time
		err = s.checkNew(ctx, o.Name, false)
		return nil, cmp.Or(err, error(invalid("Session '"+o.Name+"' already exists.\nUse force=true to re-index, or use existing session for search.")))
	}
	if err != nil {
		return nil, unindexed(err)
	}
	return &indexed{rep}, nil
}

// unindexed is the error of an indexing. A folder that is not to be indexed is
// one of the argument.
func unindexed(err error) error {
	if problem, hint := usage.Explain(err); hint != "" {
		return failure(jsonrpc.CodeInvalidParams, problem, hint)
	}
	return internal("Indexing failed: ", err)
}

// indexed is the answer of index_repository.
type indexed struct{ *session.Report }

func (i *indexed) markdown() string {
	return fmt.Sprintf("Indexing complete!\n\n**Session:** %s\n**Files indexed:** %d\n**Chunks created:** %d\n**Duration:** %s\n%s\nYou can now search your code with search_code.",
		i.Name, i.Files, i.Windows.Windows, seconds(i.Duration), leftOut(i.Report))
}

// patterns are what is set, or else the default of the tool: those built into
// the configuration never narrow a run.
func (s *server) patterns(label string, set, absent []string) []string {
	if s.config.setBy(label) {
		return set
	}
	return absent
}

// policy is how the files of a session are found.
func (s *server) policy(include, exclude []string) discover.Policy {
	return discover.Policy{
		Dialect: discover.DialectWild, Include: include, Exclude: append(append([]string{}, exclude...), unreadable...),
		NoGitignore: true, NoEspyignore: true, SkipHiddenFolders: true, UTF8Only: true, Nested: []string{"submodule", "repository", "worktree"},
		MaxFileBytes: int64(s.config.MaxFileSizeMB) << 20,
	}
}

// checkIndex refuses arguments in the order that the original does, and makes
// the path canonical.
func checkIndex(o *session.Options) error {
	if !filepath.IsAbs(o.Root) {
		return invalid("Path must be absolute")
	}
	info, err := os.Stat(o.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return invalid("Path does not exist: " + o.Root)
	case err != nil:
		return invalid("Cannot resolve path: " + err.Error())
	case !info.IsDir():
		return invalid("Path must be a directory")
	}
	root, err := filepath.EvalSymlinks(o.Root)
	if err != nil {
		return invalid("Cannot resolve path: " + err.Error())
	}
	o.Root = root
	if err := checkName(o.Name); err != nil {
		return err
	}
	w := o.Windowing
	switch {
	case w.Size < minChunk || w.Size > maxChunk:
		return invalid("Chunk size must be between 100 and 2000 characters")
	case w.Overlap < 0 || w.Overlap >= w.Size:
		return invalid(fmt.Sprintf("overlap (%d) must be less than chunk_size (%d)", w.Overlap, w.Size))
	}
	return nil
}

const minChunk, maxChunk = 100, 2000 // characters

// checkNew refuses a name that is taken, unless the session is to be replaced.
func (s *server) checkNew(ctx context.Context, name string, force bool) error {
	found, err := s.find(ctx, name)
	switch {
	case force, errors.As(err, new(*session.NotFoundError)):
		return nil
	case errors.As(err, new(*session.DamagedError)):
		return invalid("Session '" + name + "' already exists.\n- Its record cannot be read\nUse force=true to re-index.")
	case err != nil:
		return internal("Storage error: ", err)
	}
	schema := "outdated"
	if found.Schema >= session.Schema {
		schema = "current"
	}
	return invalid(fmt.Sprintf("Session '%s' already exists.\n- Last indexed: %s\n- Files indexed: %d\n- Schema version: v%d (%s)\nUse force=true to re-index, or use existing session for search.",
		name, s.when(found.Indexed, minuteForm), found.Files, found.Schema, schema))
}

func checkPatterns(include, exclude []string) error {
	for _, list := range []struct {
		name  string
		globs []string
	}{{"include", include}, {"exclude", exclude}} {
		for _, g := range list.globs {
			if _, err := glob.CompileWild(g); err != nil {
				return invalid(fmt.Sprintf("Configuration error: Invalid %s pattern '%s': %v", list.name, g, err))
			}
		}
		if len(list.globs) > maxPatterns {
			return invalid(fmt.Sprintf("Configuration error: %d %s patterns given: the limit is %d", len(list.globs), list.name, maxPatterns))
		}
	}
	return nil
}

const maxPatterns = 900

// maxLeft is how many files that were left out an answer names.
const maxLeft = 20

// leftOut tells of files that were left out by other than the patterns.
func leftOut(rep *session.Report) string {
	if len(rep.Left) == 0 {
		return ""
	}
	return fmt.Sprintf("**Errors:** %d\n- %s\n", leftOutFiles(rep), strings.Join(leftOutLines(rep), "\n- "))
}

func leftOutFiles(rep *session.Report) (n int) {
	for _, x := range rep.Left {
		n += max(1, x.Count)
	}
	return n
}

// leftOutLines names the first of the files that were left out, with the reason.
func leftOutLines(rep *session.Report) (lines []string) {
	for _, x := range rep.Left[:min(len(rep.Left), maxLeft)] {
		reason := x.Reason.Explain()
		if x.Detail != "" {
			reason += " (" + x.Detail + ")"
		}
		lines = append(lines, "`"+x.Path+"`: "+reason)
	}
	if more := len(rep.Left) - maxLeft; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

func progressTo(tell host.Tell) func(p progress.Report) {
	return func(p progress.Report) {
		done, total := render.ProgressOf(p)
		tell(render.Progress(p), done, total)
	}
}

const reindexSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session to index again", "pattern": "^[a-zA-Z0-9_-]{1,64}$"},
		"chunk_size": {"type": "integer", "description": "New chunk size; default: the stored one", "minimum": 100, "maximum": 2000},
		"overlap": {"type": "integer", "description": "New overlap; default: the stored one", "minimum": 0, "maximum": 500},
		"force": {"type": "boolean", "description": "Index again though the configuration is the same", "default": false}
	},
	"required": ["session"]
}`

func (s *server) reindexSessionTool() tool {
	return tool{
		name: "reindex_session", short: "Re-index a session from its stored path", schema: reindexSchema, slow: true, writes: true,
		description: `Index a session again from its stored path and patterns: with force=true to refresh changed files, or with another chunk size or overlap.`,
		call:        s.reindexSession,
	}
}

func (s *server) reindexSession(ctx context.Context, a *arguments, tell host.Tell) (answer, error) {
	name, force := a.text("session"), a.flag("force", false)
	if a.err != nil {
		return nil, a.err
	}
	found, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := checkRoot(found, "re-indexed"); err != nil {
		return nil, err
	}
	old, now := found.Windowing, found.Record
	if now.Windowing, err = rewindow(a, old); err != nil {
		return nil, err
	}
	if now.Windowing == old && !force {
		return nil, &unchangedError{refused(fmt.Sprintf("Configuration unchanged for session '%s'. Use force=true to re-index anyway.\nCurrent config: chunk_size=%d, overlap=%d%s",
			name, old.Size, old.Overlap, s.changedSince(ctx, found)))}
	}
	s.say("Re-indexing '" + name + "' from " + found.Root + "...")
	rep, err := found.Reindex(ctx, now, progressTo(tell))
	if err != nil {
		return nil, internal("Re-indexing failed: ", err)
	}
	return &reindexed{rep, old}, nil
}

// unchangedError refuses to index again what would come out the same.
type unchangedError struct{ error }

func (e *unchangedError) Unwrap() error { return e.error }

// reindexed is the answer of reindex_session.
type reindexed struct {
	*session.Report
	old windows.Cut
}

func (r *reindexed) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session Re-Indexed: `%s`\n\n%s\n", r.Name, statistics(r.Report))
	if r.Windowing != r.old {
		b.WriteString("**Configuration Changes:**\n")
		if r.old.Size != r.Windowing.Size {
			fmt.Fprintf(&b, "- Chunk size: %d -> %d\n", r.old.Size, r.Windowing.Size)
		}
		if r.old.Overlap != r.Windowing.Overlap {
			fmt.Fprintf(&b, "- Overlap: %d -> %d\n", r.old.Overlap, r.Windowing.Overlap)
		}
		b.WriteByte('\n')
	}
	b.WriteString("**Note:** Session metadata (repository_path, last_indexed_at) updated automatically.")
	return b.String()
}

// rewindow is the windowing that the arguments make of the stored one.
func rewindow(a *arguments, old windows.Cut) (windows.Cut, error) {
	w := windows.Cut{Size: a.number("chunk_size", old.Size), Overlap: a.number("overlap", old.Overlap)}
	switch {
	case a.err != nil:
		return w, a.err
	case a.has("chunk_size") && (w.Size < minChunk || w.Size > maxChunk):
		return w, invalid(fmt.Sprintf("chunk_size must be between 100 and 2000 (got: %d)", w.Size))
	case a.has("overlap") && (w.Overlap < 0 || w.Overlap > 500):
		return w, invalid(fmt.Sprintf("overlap must be between 0 and 500 (got: %d)", w.Overlap))
	case w.Overlap >= w.Size:
		return w, invalid(fmt.Sprintf("overlap (%d) must be less than chunk_size (%d)", w.Overlap, w.Size))
	}
	return w, nil
}

func (s *server) changedSince(ctx context.Context, found *session.Session) string {
	v, err := found.Open(ctx)
	if err != nil {
		return ""
	}
	defer v.Close()
	if n, err := v.Changed(ctx); err == nil && n > 0 {
		return fmt.Sprintf("\n%d files changed since this session was indexed.", n)
	}
	return ""
}

// checkRoot refuses a session whose folder is gone.
func checkRoot(found *session.Session, what string) error {
	info, err := os.Stat(found.Root)
	switch {
	case err != nil:
		return refused(fmt.Sprintf("Repository path no longer exists: %s\nSession '%s' cannot be %s.\nPossible solutions:\n- Move repository back to original location\n- Delete session and create new one at current location",
			found.Root, found.Name, what))
	case !info.IsDir():
		return refused("Repository path is not a directory: " + found.Root)
	}
	return nil
}

func statistics(rep *session.Report) string {
	return fmt.Sprintf("**Indexing Statistics:**\n- Files indexed: %d\n- Chunks created: %d\n- Index size: %s\n- Duration: %s\n- Throughput: %d files/sec\n",
		rep.Files, rep.Windows.Windows, size(rep.Bytes), seconds(rep.Duration), int64(rate(rep)))
}

// rate is files per second. What took less than a millisecond counts as one.
func rate(rep *session.Report) float64 {
	return float64(rep.Files) / max(rep.Duration.Seconds(), time.Millisecond.Seconds())
}

const upgradeSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session to upgrade", "pattern": "^[a-zA-Z0-9_-]{1,64}$"}
	},
	"required": ["session"]
}`

func (s *server) upgradeSessionTool() tool {
	return tool{
		name: "upgrade_session", short: "Upgrade a session to the current schema", schema: upgradeSchema, slow: true, writes: true,
		description: `Index a session of an older schema again, from its stored path and settings. Does nothing to a current one.`,
		call:        s.upgradeSession,
	}
}

func (s *server) upgradeSession(ctx context.Context, a *arguments, tell host.Tell) (answer, error) {
	name := a.text("session")
	if a.err != nil {
		return nil, a.err
	}
	found, err := s.session(ctx, name)
	if err != nil {
		return nil, err
	}
	if found.Schema >= session.Schema {
		return text(fmt.Sprintf("Session '%s' is already at schema v%d (current version). No upgrade needed.", name, session.Schema)), nil
	}
	if err := checkRoot(found, "upgraded"); err != nil {
		return nil, err
	}
	rep, err := found.Reindex(ctx, found.Record, progressTo(tell))
	if err != nil {
		return nil, internal("Re-indexing failed: ", err)
	}
	return text(fmt.Sprintf("# Session Upgraded: `%s`\n\n**Schema Migration:**\n- Previous version: v%d\n- Current version: v%d\n\n%s\nSession is now compatible with the current schema.",
		name, found.Schema, session.Schema, statistics(rep))), nil
}
