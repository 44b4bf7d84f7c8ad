package shebe

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"espy/internal/session"
)

// What the answers of tools look like on the command line.

// jsonTime is how JSON writes a time.
func jsonTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// noted adds the note of changed files to a text.
func noted(text, note string) string {
	if note == "" {
		return text
	}
	return strings.TrimRight(text, "\n") + asCommands.Replace(note)
}

// bareNote is a note without the blank line before it.
func bareNote(note string) string { return asCommands.Replace(strings.TrimSpace(note)) }

type searchedJSON struct {
	Query        string    `json:"query"`
	Session      string    `json:"session"`
	TotalResults int       `json:"total_results"`
	Results      []hitJSON `json:"results"`
	Note         string    `json:"note,omitempty"`
}

type hitJSON struct {
	Rank       int     `json:"rank"`
	File       string  `json:"file"`
	Score      float64 `json:"score"`
	ChunkIndex int     `json:"chunk_index"`
	Text       *string `json:"text,omitempty"`
}

func (f *searched) JSON(d Detail) any {
	out := searchedJSON{f.query, f.session, len(f.hits), []hitJSON{}, bareNote(f.note)}
	for i, h := range f.hits {
		hit := hitJSON{Rank: i + 1, File: f.path(i), Score: h.Score, ChunkIndex: h.Index}
		if d != Less {
			hit.Text = &h.Text
		}
		out.Results = append(out.Results, hit)
	}
	return out
}

const (
	hitLines = 5   // of a chunk that are shown
	hitWidth = 100 // characters of such a line
)

func (f *searched) Human(d Detail) string {
	if len(f.hits) == 0 {
		return noted(fmt.Sprintf("No results found for '%s' in session '%s'", f.query, f.session), f.note)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Found %d result(s) in '%s':\n\n", len(f.hits), f.session)
	for i, h := range f.hits {
		if d == Less {
			fmt.Fprintln(&b, f.path(i))
			continue
		}
		fmt.Fprintf(&b, "[%d] %s (score: %.2f)\n", i+1, f.path(i), h.Score)
		lines := strings.Split(strings.TrimSuffix(h.Text, "\n"), "\n")
		for _, line := range lines[:min(len(lines), hitLines)] {
			fmt.Fprintf(&b, "    %s\n", shorten(strings.TrimSuffix(line, "\r")))
		}
		b.WriteByte('\n')
	}
	return noted(b.String(), f.note)
}

// shorten cuts a long line.
func shorten(line string) string {
	if r := []rune(line); len(r) > hitWidth {
		return string(r[:hitWidth-3]) + "..."
	}
	return line
}

type referencesJSON struct {
	Symbol      string          `json:"symbol"`
	Session     string          `json:"session"`
	TotalCount  int             `json:"total_count"`
	High        int             `json:"high_confidence"`
	Medium      int             `json:"medium_confidence"`
	Low         int             `json:"low_confidence"`
	UniqueFiles int             `json:"unique_files"`
	References  []referenceJSON `json:"references"`
	IndexedAt   string          `json:"session_indexed_at"`
	Available   int             `json:"total_available"` // without max-results
	Note        string          `json:"note,omitempty"`
}

type referenceJSON struct {
	FilePath   string  `json:"file_path"`
	LineNumber int     `json:"line_number"`
	Column     int     `json:"column"` // in characters, from 1
	Context    string  `json:"context"`
	Pattern    string  `json:"pattern"`
	Confidence float64 `json:"confidence"`
}

func (r *references) JSON(Detail) any {
	counts, files, _ := summarize(r.shown)
	out := referencesJSON{
		Symbol: r.symbol, Session: r.session, TotalCount: len(r.shown), High: counts[0], Medium: counts[1], Low: counts[2], UniqueFiles: files,
		References: []referenceJSON{}, IndexedAt: jsonTime(r.indexed), Available: r.total, Note: bareNote(r.note),
	}
	for _, x := range r.shown {
		out.References = append(out.References, referenceJSON{x.path, x.line, x.column, unnumbered(x.context), x.use, float64(x.confidence) / 100})
	}
	return out
}

// unnumbered takes the numbers off the lines of a context.
func unnumbered(context string) string {
	lines := strings.Split(strings.TrimSuffix(context, "\n"), "\n")
	for i, line := range lines {
		_, lines[i], _ = strings.Cut(line, " | ")
	}
	return strings.Join(lines, "\n")
}

func (r *references) Human(Detail) string {
	if r.total == 0 {
		return noted(fmt.Sprintf("No references found for '%s' in session '%s'\nSession last indexed: %s", r.symbol, r.session, r.age), r.note)
	}
	counts, files, update := summarize(r.shown)
	var b strings.Builder
	fmt.Fprintf(&b, "## References to '%s' (%d found)\n", r.symbol, len(r.shown))
	at := -1
	for _, x := range r.shown { // the surest first, so each level is one stretch
		if l := level(x.confidence); l != at {
			at = l
			fmt.Fprintf(&b, "\n### %s Confidence (%d)\n", levels[l].name, counts[l])
		}
		fmt.Fprintf(&b, "\n#### %s:%d\n%s\n  Pattern: %s\n  Confidence: %s\n", x.path, x.line, fenced(language(x.path), x.context), x.use, score(x.confidence))
	}
	fmt.Fprintf(&b, "\n---\n\nSummary:\n  High confidence:   %d references\n  Medium confidence: %d references\n  Low confidence:    %d references\n", counts[0], counts[1], counts[2])
	fmt.Fprintf(&b, "  Total files:       %d\n  Session indexed:   %s\n", files, r.age)
	if len(r.shown) < r.total {
		fmt.Fprintf(&b, "\n%s\n", asCommands.Replace(r.more()))
	}
	if len(update) > 0 {
		fmt.Fprintf(&b, "\nFiles to update:\n  %s\n", strings.Join(update, "\n  "))
	}
	return noted(b.String(), r.note)
}

type entryJSON struct {
	ID        string `json:"id"`
	Files     int    `json:"files"`
	Chunks    int    `json:"chunks"`
	SizeBytes int64  `json:"size_bytes"`
	IndexedAt string `json:"indexed_at"`
	Error     string `json:"error,omitempty"`
}

func (l *sessionList) JSON(Detail) any {
	list := []entryJSON{}
	for _, x := range l.list {
		e := entryJSON{x.Name, x.Files, x.Windows.Windows, x.Bytes, jsonTime(x.Indexed), ""}
		if x.Err != nil {
			e.Error = x.Err.Error()
		}
		list = append(list, e)
	}
	return struct {
		Count    int         `json:"count"`
		Sessions []entryJSON `json:"sessions"`
	}{len(list), list}
}

func (l *sessionList) Human(Detail) string {
	if len(l.list) == 0 {
		return "No sessions found. Run 'espy shebe index-repository <path> -s <session>' to index a repository."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Sessions (%d):\n", len(l.list))
	for _, x := range l.list {
		if x.Err != nil {
			fmt.Fprintf(&b, "  %-20s error: %v\n", x.Name, x.Err)
			continue
		}
		fmt.Fprintf(&b, "  %-20s %6d files  %8d chunks  %10s  %s\n", x.Name, x.Files, x.Windows.Windows, size(x.Bytes), ago(l.s.now().Sub(x.Indexed)))
	}
	return b.String()
}

type windowingJSON struct {
	ChunkSize int `json:"chunk_size"`
	Overlap   int `json:"overlap"`
}

func (i *sessionInfo) JSON(Detail) any {
	return struct {
		ID             string        `json:"id"`
		RepositoryPath string        `json:"repository_path"`
		Files          int           `json:"files"`
		Chunks         int           `json:"chunks"`
		SizeBytes      int64         `json:"size_bytes"`
		IndexedAt      string        `json:"indexed_at"`
		Config         windowingJSON `json:"config"`
		Note           string        `json:"note,omitempty"`
	}{i.Name, i.Root, i.Files, i.Windows.Windows, i.Bytes, jsonTime(i.Indexed), windowingJSON{i.Windowing.Size, i.Windowing.Overlap}, bareNote(i.note)}
}

func (i *sessionInfo) Human(Detail) string {
	return noted(fmt.Sprintf("Session: %s\n  Repository: %s\n  Files: %d\n  Chunks: %d\n  Size: %s\n  Indexed: %s\n  Config:\n    chunk_size: %d\n    overlap: %d\n",
		i.Name, i.Root, i.Files, i.Windows.Windows, size(i.Bytes), jsonTime(i.Indexed), i.Windowing.Size, i.Windowing.Overlap), i.note)
}

func (d *deleted) JSON(Detail) any { return Deletion{true, d.name} }

func (d *deleted) Human(Detail) string { return fmt.Sprintf("Deleted session '%s'", d.name) }

// Deletion tells programs whether a session was deleted.
type Deletion struct {
	Deleted bool   `json:"deleted"`
	Session string `json:"session"`
}

type indexedJSON struct {
	Session    string   `json:"session"`
	Path       string   `json:"path"`
	Files      int      `json:"files_indexed"`
	Chunks     int      `json:"chunks_created"`
	Seconds    float64  `json:"duration_secs"`
	Throughput float64  `json:"throughput_files_per_sec"`
	Errors     []string `json:"errors,omitempty"`
}

func (i *indexed) JSON(Detail) any {
	return indexedJSON{i.Name, i.Root, i.Files, i.Windows.Windows, i.Duration.Seconds(), rate(i.Report), leftOutLines(i.Report)}
}

func (i *indexed) Human(Detail) string {
	return fmt.Sprintf("Indexed %d files (%d chunks) in %s\nThroughput: %.0f files/sec\n", i.Files, i.Windows.Windows, seconds(i.Duration), rate(i.Report)) + humanLeftOut(i.Report)
}

func humanLeftOut(rep *session.Report) string {
	if len(rep.Left) == 0 {
		return ""
	}
	return fmt.Sprintf("Errors: %d\n  %s\n", leftOutFiles(rep), strings.Join(leftOutLines(rep), "\n  "))
}

func (r *reindexed) JSON(Detail) any {
	return struct {
		Session        string   `json:"session"`
		RepositoryPath string   `json:"repository_path"`
		Files          int      `json:"files_indexed"`
		Chunks         int      `json:"chunks_created"`
		Seconds        float64  `json:"duration_secs"`
		Errors         []string `json:"errors,omitempty"`
	}{r.Name, r.Root, r.Files, r.Windows.Windows, r.Duration.Seconds(), leftOutLines(r.Report)}
}

func (r *reindexed) Human(Detail) string {
	return fmt.Sprintf("Indexed %d files (%d chunks) in %s\n", r.Files, r.Windows.Windows, seconds(r.Duration)) + humanLeftOut(r.Report)
}

type settingsJSON struct {
	DataDir  string `json:"data_dir"`
	Indexing struct {
		windowingJSON
		Include []string `json:"default_include"`
		Exclude []string `json:"default_exclude"`
	} `json:"indexing"`
	Search struct {
		DefaultK int `json:"default_k"`
		MaxK     int `json:"max_k"`
	} `json:"search"`
	All *allSettings `json:"all,omitempty"`
}

// allSettings is what --all adds.
type allSettings struct {
	LogLevel       string            `json:"log_level"`
	MaxFileSizeMB  int               `json:"max_file_size_mb"`
	MaxQueryLength int               `json:"max_query_length"`
	MaxIndexes     int               `json:"max_concurrent_indexes"`
	TimeoutSeconds int               `json:"request_timeout_sec"`
	Sources        map[string]string `json:"sources"`
}

func (c *settings) JSON(d Detail) any {
	out := settingsJSON{DataDir: c.dir}
	out.Indexing.windowingJSON = windowingJSON{c.ChunkSize, c.Overlap}
	out.Indexing.Include, out.Indexing.Exclude = c.Include, c.Exclude
	out.Search.DefaultK, out.Search.MaxK = c.DefaultK, c.MaxK
	if d == More {
		out.All = &allSettings{c.LogLevel, c.MaxFileSizeMB, c.MaxQueryLength, c.MaxIndexes, c.TimeoutSeconds, map[string]string{}}
		for _, label := range labels {
			out.All.Sources[strings.ReplaceAll(strings.ToLower(label), " ", "_")] = c.source(label)
		}
	}
	return out
}

func (c *settings) Human(d Detail) string {
	text := fmt.Sprintf("Configuration:\n  data_dir: %s\n  indexing:\n    chunk_size: %d\n    overlap: %d\n    default_include: %s\n    default_exclude: %s\n  search:\n    default_k: %d\n    max_k: %d\n",
		c.dir, c.ChunkSize, c.Overlap, quoted(c.Include), quoted(c.Exclude), c.DefaultK, c.MaxK)
	if d != More {
		return text
	}
	text += fmt.Sprintf("    max_query_length: %d\n  log_level: %s\n  max_file_size_mb: %d\n  limits:\n    max_concurrent_indexes: %d\n    request_timeout_sec: %d\n  sources:\n",
		c.MaxQueryLength, c.LogLevel, c.MaxFileSizeMB, c.MaxIndexes, c.TimeoutSeconds)
	for _, label := range labels {
		text += fmt.Sprintf("    %s: %s\n", strings.ReplaceAll(strings.ToLower(label), " ", "_"), c.source(label))
	}
	return text
}

func quoted(globs []string) string {
	list := make([]string, len(globs))
	for i, g := range globs {
		list[i] = strconv.Quote(g)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

const protocol = "MCP 2024-11-05"

func (i *serverInfo) JSON(d Detail) any {
	out := struct {
		Name     string `json:"name"`
		Version  string `json:"version"`
		Protocol string `json:"protocol"`
		Tools    int    `json:"tools"`
		DataDir  string `json:"data_dir"`
		Sessions *int   `json:"sessions,omitempty"`
	}{"shebe", i.s.version, protocol, len(i.s.tools()), i.s.indexDir(), nil}
	if d == More {
		out.Sessions = &i.sessions
	}
	return out
}

func (i *serverInfo) Human(d Detail) string {
	text := fmt.Sprintf("shebe %s\nProtocol: %s\nTools: %d\nData: %s\n", i.s.version, protocol, len(i.s.tools()), i.s.indexDir())
	if d == More {
		text += fmt.Sprintf("Sessions: %d\n", i.sessions)
	}
	return text
}
