package shebe

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"espy/internal/session"
)

// size writes a number of bytes.
func size(n int64) string {
	switch f := float64(n); {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.2f KB", f/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.2f MB", f/(1<<20))
	default:
		return fmt.Sprintf("%.2f GB", f/(1<<30))
	}
}

// ago writes how long ago a time was, in its biggest unit.
func ago(d time.Duration) string {
	unit := func(n int64, name string) string {
		if n == 1 {
			return "1 " + name + " ago"
		}
		return fmt.Sprintf("%d %ss ago", n, name)
	}
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return unit(int64(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return unit(int64(d/time.Hour), "hour")
	}
	return unit(int64(d/(24*time.Hour)), "day")
}

// Forms of times, all UTC.
const (
	createdForm = "2006-01-02T15:04:05Z"
	minuteForm  = "2006-01-02 15:04 UTC"
	secondForm  = "2006-01-02 15:04:05 UTC"
)

func (s *server) when(t time.Time, form string) string {
	return t.UTC().Format(form) + " (" + ago(s.now().Sub(t)) + ")"
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }

// tags maps an extension, in lower case, to the language after a fence.
var tags = func() map[string]string {
	m := map[string]string{}
	for tag, extensions := range map[string]string{
		"rust": "rs", "python": "py", "javascript": "js jsx", "typescript": "ts tsx", "java": "java", "go": "go",
		"cpp": "cpp cc cxx hpp h", "c": "c", "elixir": "ex exs", "erlang": "erl hrl", "haskell": "hs", "vim": "vim",
		"lua": "lua", "perl": "pl pm", "r": "r", "julia": "jl", "php": "php", "ruby": "rb", "bash": "sh bash", "sql": "sql",
		"markdown": "md", "json": "json", "yaml": "yaml yml", "toml": "toml", "xml": "xml", "html": "html htm", "css": "css",
		"scss": "scss sass", "swift": "swift", "kotlin": "kt kts", "csharp": "cs", "scala": "scala sc", "clojure": "clj cljs cljc",
		"ini": "ini", "vue": "vue",
	} {
		for x := range strings.FieldsSeq(extensions) {
			m[x] = tag
		}
	}
	return m
}()

// language returns the tag of a path.
func language(name string) string {
	base := path.Base(name)
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		if tag := tags[strings.ToLower(base[i+1:])]; tag != "" {
			return tag
		}
	}
	return "plaintext"
}

// fence returns the lines round a text that holds shorter fences only.
func fence(text string) string {
	f := "```"
	for strings.Contains(text, f) {
		f += "`"
	}
	return f
}

// fenced puts a text between fences. It ends without a newline.
func fenced(tag, text string) string {
	f := fence(text)
	return f + tag + "\n" + strings.TrimSuffix(text, "\n") + "\n" + f
}

// maxChars bounds an answer: 25,000 tokens of four characters, with room for
// what stands below the results.
const maxChars = 4*25_000 - 1_000

// budget counts the characters of results that are written whole or not at all.
type budget struct{ left int }

func newBudget(used string) *budget { return &budget{maxChars - utf8.RuneCountInString(used)} }

// take reports whether a text still fits, and counts it.
func (b *budget) take(text string) bool {
	n := utf8.RuneCountInString(text)
	if n > b.left {
		b.left = 0
		return false
	}
	b.left -= n
	return true
}

func cutNote(shown, total int) string {
	return fmt.Sprintf("Showing first %d of %d results (25k token limit).", shown, total)
}

// bounded cuts an answer that is over the limit though its results are not,
// such as one with very many patterns. It is cut at a line where it can be.
func bounded(text string) string {
	if utf8.RuneCountInString(text) <= 4*25_000 {
		return text
	}
	end := 0
	for range maxChars {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	if line := strings.LastIndexByte(text[:end], '\n'); line > 0 {
		end = line
	}
	return text[:end] + fmt.Sprintf("\n\nShowing first %d of %d characters (25k token limit).", utf8.RuneCountInString(text[:end]), utf8.RuneCountInString(text))
}

// absolute is how answers name a file.
func absolute(v *session.View, rel string) string { return filepath.Join(v.Root, rel) }

// changes looks for changed files while the answer is made, and returns what
// waits for the last line of the answer: "", or a note with a blank line before
// it. It must be called before the view is closed.
func changes(ctx context.Context, v *session.View) (note func() string) {
	type outcome struct {
		n   int
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		n, err := v.Changed(ctx)
		done <- outcome{n, err}
	}()
	return sync.OnceValue(func() string {
		switch got := <-done; {
		case got.err != nil:
			return "\n\nNOTE: The files of this session cannot be looked at; the answer is from the index."
		case got.n > 0:
			return fmt.Sprintf("\n\nNOTE: %d files changed since this session was indexed. Use reindex_session with force=true to refresh.", got.n)
		}
		return ""
	})
}
