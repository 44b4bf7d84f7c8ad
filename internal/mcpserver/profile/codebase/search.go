package codebase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/mcpserver/host"
	"espy/internal/pattern"
	"espy/internal/search"
	"espy/internal/workspace"
)

const searchCodeSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "What the code does, in several words", "minLength": 1, "maxLength": 500},
		"repository_id": {"type": "string", "format": "uuid", "description": "Only this repository, by the id of index_repository"},
		"file_type": {"type": "string", "description": "Only files with this ending, such as py, without the dot", "pattern": "^[a-zA-Z0-9]+$"},
		"directory": {"type": "string", "description": "Only files whose path begins so, absolute or relative to the repository", "maxLength": 500},
		"limit": {"type": "integer", "description": "Results at most; start with 10", "minimum": 1, "maximum": 50, "default": 10}
	},
	"required": ["query"],
	"additionalProperties": false
}`

func (s *server) searchCodeTool() tool {
	return tool{
		name: "search_code", schema: searchCodeSchema,
		description: `Search indexed code by its meaning. Specific queries of several words find most; repository, file type and directory narrow the search.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			began := s.Now()
			q := readQuery(a)
			if a.err != nil {
				return nil, a.err
			}
			found, err := s.search(ctx, q, nil)
			if err != nil {
				return nil, err
			}
			found.LatencyMS = s.Now().Sub(began).Milliseconds()
			return found, nil
		},
	}
}

// searchQuery is what a search asks.
type searchQuery struct {
	text, repository, fileType, directory string
	limit                                 int
}

const (
	maxQuery     = 500 // characters
	maxDirectory = 500
	maxResults   = 50
	around       = 10 // lines before and after a result
)

var fileTypeForm = pattern.New(`\A[a-zA-Z0-9]+\z`)

// readQuery reads the arguments of a search.
func readQuery(a *arguments) (q searchQuery) {
	a.need("query")
	q.text = a.bounded("query", "Search query", maxQuery)
	if a.has("query") && strings.TrimSpace(q.text) == "" {
		a.fail("Search query cannot be empty")
	}
	q.repository, q.fileType = a.id("repository_id"), a.text("file_type")
	switch {
	case strings.HasPrefix(q.fileType, "."):
		a.fail("file_type should not include leading dot (use '%s' not '%s')", strings.TrimLeft(q.fileType, "."), q.fileType)
	case a.has("file_type") && !fileTypeForm().MatchString(q.fileType):
		a.fail("Invalid file_type: %s. Only letters and digits", q.fileType)
	}
	q.directory = a.bounded("directory", "Directory", maxDirectory)
	q.limit = a.limit(10, maxResults)
	return q
}

// found is the answer to a search.
type found struct {
	Results    []result   `json:"results"`
	TotalCount int        `json:"total_count"`
	LatencyMS  int64      `json:"latency_ms"`
	Freshness  *freshness `json:"freshness,omitempty"`
	Message    string     `json:"message,omitempty"`
}

// result is one chunk.
type result struct {
	ChunkID       string  `json:"chunk_id"`
	FilePath      string  `json:"file_path"`
	Content       string  `json:"content"`
	StartLine     int     `json:"start_line"`
	EndLine       int     `json:"end_line"`
	Similarity    float64 `json:"similarity_score"`
	ContextBefore string  `json:"context_before"`
	ContextAfter  string  `json:"context_after"`
	RelativePath  string  `json:"relative_path"`
	RepositoryID  string  `json:"repository_id"`
}

// freshness says how far an answer may be behind the files.
type freshness struct {
	PendingFiles int  `json:"pending_files"`
	Partial      bool `json:"partial"` // a first indexing is under way
}

func (f *freshness) add(r hit.Searched) {
	f.PendingFiles += r.Freshness.PendingFiles
	f.Partial = f.Partial || r.Freshness.Partial
}

// How long a search waits for a first indexing, and takes in all.
const (
	firstWait  = 20 * time.Second
	freshWait  = 3 * time.Second
	searchTime = 30 * time.Second
)

// notIndexed is what an answer says where there is nothing to search.
const notIndexed = "No repository is indexed yet: index one with index_repository, then search again"

// search answers a query over the repository that it names, or those that only lets
// through; nil lets all.
func (s *server) search(ctx context.Context, q searchQuery, only func(code.RepoID) bool) (*found, error) {
	repos, err := s.searched(ctx, q.repository, only)
	if err != nil {
		return nil, err
	}
	out := &found{Results: []result{}}
	if len(repos) == 0 && q.repository == "" {
		out.Message = notIndexed
	}
	if len(repos) == 0 {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	out.Freshness = &freshness{}
	notes := map[string]bool{}
	for _, group := range s.groups(repos, q.directory) {
		res, err := s.searchGroup(ctx, q, group)
		if err != nil {
			return nil, err
		}
		for i := range res.Hits {
			h := &res.Hits[i]
			at := slices.IndexFunc(group.repos, func(r *workspace.Repo) bool { return r.Name() == h.Repo })
			out.Results = append(out.Results, newResult(group.repos[at], h))
		}
		out.TotalCount += res.Total
		for _, r := range res.Repos {
			out.Freshness.add(r)
		}
		for _, n := range res.Notes {
			if !notes[n] {
				out.Message, notes[n] = strings.TrimPrefix(out.Message+"; "+n, "; "), true
			}
		}
	}
	slices.SortStableFunc(out.Results, func(a, b result) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.FilePath, b.FilePath), cmp.Compare(a.StartLine, b.StartLine))
	})
	out.Results = out.Results[:min(len(out.Results), q.limit)]
	return out, nil
}

// searched are the repositories of a search.
func (s *server) searched(ctx context.Context, id string, only func(code.RepoID) bool) ([]*workspace.Repo, error) {
	all, err := s.Workspace.Repos(ctx)
	return slices.DeleteFunc(all, func(r *workspace.Repo) bool {
		return id != "" && string(r.ID()) != id || only != nil && !only(r.ID())
	}), err
}

// group is repositories whose files are searched below one beginning of paths.
type group struct {
	prefix string // relative to the root
	repos  []*workspace.Repo
}

// groups sorts repositories by what a directory means in them. One that names
// nothing of a repository leaves it out.
func (s *server) groups(repos []*workspace.Repo, directory string) (list []group) {
	directory = filepath.ToSlash(directory)
	for _, r := range repos {
		prefix := strings.TrimPrefix(directory, "./")
		if strings.HasPrefix(directory, "/") {
			root := filepath.ToSlash(r.Root()) + "/"
			rest, below := strings.CutPrefix(directory, root)
			if !below && !strings.HasPrefix(root, directory) {
				continue
			}
			prefix = ""
			if below {
				prefix = rest
			}
		}
		i := slices.IndexFunc(list, func(g group) bool { return g.prefix == prefix })
		if i < 0 {
			list, i = append(list, group{prefix: prefix}), len(list)
		}
		list[i].repos = append(list[i].repos, r)
	}
	return list
}

func (s *server) searchGroup(ctx context.Context, q searchQuery, g group) (*hit.Result, error) {
	compiled, err := search.Compile(hit.Request{
		Query: search.Plain(q.text), Mode: hit.ModeSemantic, Passages: true, Paths: globs(g.prefix, q.fileType),
		Limit: q.limit, Before: around, After: around, ShowSecrets: s.Workspace.Options().ShowSecrets,
	})
	if err != nil {
		return nil, err
	}
	return s.Workspace.Search(ctx, g.repos, compiled, workspace.Wait{First: firstWait, Fresh: freshWait})
}

// globs are those of the files whose path begins with a prefix, and which have an
// ending in any case; nil for all.
func globs(prefix, ending string) []string {
	var quoted strings.Builder
	for _, r := range prefix {
		if strings.ContainsRune(`*?[]{}\`, r) {
			quoted.WriteByte('\\')
		}
		quoted.WriteRune(r)
	}
	var suffix strings.Builder
	for _, r := range ending {
		if lower, upper := unicode.ToLower(r), unicode.ToUpper(r); lower != upper {
			fmt.Fprintf(&suffix, "[%c%c]", lower, upper)
		} else {
			suffix.WriteRune(r)
		}
	}
	begin, end := "/"+quoted.String()+"*", "."+suffix.String()
	switch {
	case prefix == "" && ending == "":
		return nil
	case prefix == "":
		return []string{"*" + end}
	case ending == "":
		return []string{begin}
	}
	return []string{begin + end, begin + "/**/*" + end}
}

// newResult is a hit as a result.
func newResult(r *workspace.Repo, h *hit.Hit) result {
	p := h.Passage
	full := h.Path
	if r.Root() != "" {
		full = filepath.Join(r.Root(), filepath.FromSlash(h.Path))
	}
	return result{
		ChunkID: chunkID(r.ID(), h), FilePath: valid(full), Content: valid(p.Text), StartLine: h.StartLine, EndLine: h.EndLine, Similarity: similarity(p.Cosine),
		ContextBefore: valid(p.Before), ContextAfter: valid(p.After), RelativePath: valid(h.Path), RepositoryID: string(r.ID()),
	}
}

// valid is a text as JSON can hold it.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// similarity is a cosine as a number from 0 to 1, of six digits.
func similarity(cosine float64) float64 { return math.Round((1+cosine)/2*1e6) / 1e6 }

// chunkID is the same for the same chunk in every answer.
func chunkID(repo code.RepoID, h *hit.Hit) string {
	space := uuid.NewSHA1(uuid.NameSpaceURL, []byte(repo))
	return uuid.NewSHA1(space, fmt.Appendf(nil, "%s\x00%d-%d\x00%s", h.Path, h.StartLine, h.EndLine, h.Passage.Text)).String()
}
