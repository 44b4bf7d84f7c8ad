package pace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/pattern"
	"espy/internal/search"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// commentWords is about how many words a text has that is made of comments.
const commentWords = 1000

// lengths are the kinds of questions of ranked search, by their words.
var lengths = []struct {
	name string
	most int
}{
	{"up to 16 words", 16},
	{"17 to 39 words", 39},
	{"40 to 699 words", 699},
	{"700 to 1,400 words", 1400},
	{"more than 1,400 words", hit.MaxQueryBytes},
}

// ReadTexts reads the questions of a file, one JSON object with a query a line.
func ReadTexts(file string) (texts []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var q struct {
			Query string `json:"query"`
		}
		switch err := d.Decode(&q); {
		case errors.Is(err, io.EOF):
			return texts, nil
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", file, err)
		case q.Query == "":
			return nil, fmt.Errorf("read %s: question %d has no query", file, len(texts)+1)
		}
		texts = append(texts, q.Query)
	}
}

// searches asks the texts, by their lengths, and those that comments are made into.
func (m *meter) searches(ctx context.Context) error {
	kinds := make([][]string, len(lengths))
	for _, text := range m.req.Texts {
		words := len(strings.Fields(text))
		for i := range lengths {
			if words <= lengths[i].most {
				kinds[i] = append(kinds[i], text)
				break
			}
		}
	}
	said, err := m.comments(ctx)
	if err != nil {
		return err
	}
	for i, l := range lengths {
		if err := m.rounds(ctx, l.name, kinds[i]); err != nil {
			return err
		}
	}
	return m.rounds(ctx, "comments of a file, about 1,000 words", said)
}

// rounds asks texts one after the other, all of them once before it counts.
func (m *meter) rounds(ctx context.Context, name string, texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	m.report.Rounds = m.req.Rounds
	ask := func(text string) (any, error) {
		q, err := search.Compile(hit.Request{Query: text, Brief: true})
		if err != nil {
			return nil, err
		}
		return m.workspace.Search(ctx, []*workspace.Repo{m.repo}, q, workspace.Wait{})
	}
	for _, text := range texts {
		if _, err := ask(text); err != nil {
			return fmt.Errorf("ask %s: %w", title(text), err)
		}
	}
	k := Kind{Name: name}
	for range m.req.Rounds {
		more, err := m.each(name, texts, ask)
		if err != nil {
			return err
		}
		k.Questions = append(k.Questions, more.Questions...)
	}
	for i := range k.Questions {
		k.Questions[i].What = title(k.Questions[i].What)
	}
	m.report.Searches = append(m.report.Searches, k)
	return nil
}

// title is how a text begins.
func title(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 8)], " ")
}

// comments returns texts of about commentWords words, each of what the comments of a file
// say, of files all over the repository. All of it stands there, so that no texts take
// longer.
func (m *meter) comments(ctx context.Context) (texts []string, err error) {
	snap, err := m.repo.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	m.report.Chunks = snap.Stats().Chunks
	if m.req.Comments == 0 {
		return nil, nil
	}
	var all []string
	snap.Each(func(seg, file int) bool {
		r := snap.Segments[seg]
		var text []byte
		if text, err = r.Text(file, nil); err != nil {
			return false
		}
		if said := commentsOf(lang.Detect(r.Path(file), text), string(text)); said != "" {
			all = append(all, said)
		}
		return true
	})
	if err == nil && len(all) < m.req.Comments {
		err = &usage.Error{Arg: "comments", Msg: fmt.Sprintf("%d files of %s say %d words in comments", len(all), m.repo.Name(), commentWords), Hint: "ask for fewer"}
	}
	if err != nil {
		return nil, err
	}
	for i := range m.req.Comments {
		texts = append(texts, all[i*len(all)/m.req.Comments])
	}
	return texts, nil
}

// commentsOf returns the first lines of comments of a file that say commentWords words
// together, "" where there are fewer.
func commentsOf(l *lang.Language, text string) string {
	if l == nil {
		return ""
	}
	var all strings.Builder
	words := 0
	for line := range strings.Lines(text) {
		for _, opener := range l.LineComments {
			said, ok := strings.CutPrefix(strings.TrimSpace(line), opener+" ")
			if n := len(strings.Fields(said)); ok && n > 0 && all.Len()+len(said) < hit.MaxQueryBytes {
				words += n
				all.WriteString(said + "\n")
				break
			}
		}
		if words >= commentWords {
			return all.String()
		}
	}
	return ""
}

var clock = pattern.New(`(?m)^cpu MHz\s*: (\d+)`)

// machine says in general words what measures: how many cores, and their clock where the
// system tells it.
func machine() string {
	cores := fmt.Sprintf("%d cores", runtime.NumCPU())
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the clock is not told
	if m := clock().FindSubmatch(info); m != nil {
		mhz, _ := strconv.ParseFloat(string(m[1]), 64)
		return fmt.Sprintf("%s of %.1f GHz", cores, mhz/1000)
	}
	return cores
}

// Title is the heading of the part of the page on quality.
const Title = "Time"

// Page returns the figures of ranked search as a part of the page on quality.
func (r *Report) Page() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Written by `espy eval pace`. Milliseconds that a ranked question takes, with the lines that its hits show, in a process that stays and")
	line("follows the files: %s, %d files in %d chunks, on %s. One is asked after the other, in %d rounds after one that does not count.", r.Repo, r.Files, r.Chunks, r.Machine, r.Rounds)
	line("Processor time is that of the whole process. On a machine that others share these are upper bounds. Of a text of comments all")
	line("words stand in the tree, which is the worst case.")
	line("")
	line("| question | questions | clock p50 | p95 | processor p50 | p95 |")
	line("|---|---|---|---|---|---|")
	for i := range r.Searches {
		k := &r.Searches[i]
		wall, cpu := k.quantiles(wallMS), k.quantiles(cpuMS)
		line("| %s | %d | %.2f | %.2f | %.2f | %.2f |", k.Name, len(k.Questions)/r.Rounds, wall[0], wall[1], cpu[0], cpu[1])
	}
	return b.String()
}
