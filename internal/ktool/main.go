package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"espy/internal/discover"
	"espy/internal/eval/train"
	"espy/internal/lang"
	"espy/internal/parse"
	"espy/internal/rank"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
)

type repo struct{ Name, Language, Repository, Revision, Benchmark_root string }
type target struct {
	Path                 string
	Start_line, End_line int
}
type question struct {
	Id, Repo, Language, Category, Query string
	Targets                             []target
}
type res struct {
	Path       string `json:"path"`
	Start_line int    `json:"start_line"`
	End_line   int    `json:"end_line"`
}
type out struct {
	Repo    string `json:"repo"`
	Id      string `json:"id"`
	Results []res  `json:"results"`
}

var (
	rebuild = flag.Bool("rebuild", false, "")
	mode    = flag.String("mode", "whole", "")
	outp    = flag.String("o", "/dev/stdout", "")
	explain = flag.String("explain", "", "question id")
	query   = flag.String("q", "", "query over -dir")
	dir     = flag.String("dir", "", "")
	lat     = flag.Bool("lat", false, "")
	detail  = flag.String("detail", "locate", "")
	prof    = flag.String("prof", "", "")
	limit   = flag.Int("limit", 10, "")
	maxtok  = flag.Int("maxtok", 0, "")
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func build(root, prefix string) []byte {
	ctx := context.Background()
	rt, err := discover.OpenRoot(root)
	must(err)
	l, err := discover.Walk(ctx, rt, discover.Policy{}, discover.Options{})
	must(err)
	b := segment.NewBuilder()
	for _, e := range l.Entries {
		if prefix != "" && !strings.HasPrefix(e.Path, prefix+"/") {
			continue
		}
		c, ex, err := discover.Read(rt, e.Path, 10<<20)
		if err != nil || ex != nil {
			continue
		}
		la := lang.Detect(e.Path, c.Text[:min(len(c.Text), 512)])
		o := parse.Parse(la, c.Text)
		name := ""
		if la != nil {
			name = la.Name
		}
		must(b.Add(&segment.File{Path: e.Path, Hash: c.Hash, Size: c.Entry.Size, Language: name, Class: c.Class | lang.Classify(e.Path), Text: c.Text, Definitions: o.Definitions, Chunks: o.Chunks}))
	}
	var w bytes.Buffer
	_, err = b.WriteTo(&w)
	must(err)
	return w.Bytes()
}

func snap(name, root, prefix, key string) *store.Snapshot {
	f := filepath.Join("/tmp/espy/kseg", key)
	data, err := os.ReadFile(f)
	if err != nil || *rebuild {
		data = build(root, prefix)
		os.MkdirAll("/tmp/espy/kseg", 0o755)
		must(os.WriteFile(f, data, 0o644))
	}
	r, err := segment.Open(data, key)
	must(err)
	return &store.Snapshot{Name: name, Segments: []segment.Live{{Reader: r}}}
}

func show(s *store.Snapshot, q string) {
	r, err := search.Search(context.Background(), []*store.Snapshot{s}, search.Request{Query: q, Limit: *limit, Detail: search.Detail(*detail), Explain: *explain != "", MaxTokens: *maxtok})
	must(err)
	fmt.Println("total", r.Total, "took", r.Duration, "notes", r.Notes, "nearest", r.Nearest)
	for i, h := range r.Hits {
		fmt.Printf("%d. %s:%d-%d %.4f %s %s class=%b\n", i+1, h.Path, h.StartLine, h.EndLine, h.Score, h.Kind, h.Symbol, h.Class)
		for _, c := range h.Explain {
			fmt.Printf("      %-16s %.3f -> %.3f\n", c.Signal, c.Value, c.Score)
		}
		for _, l := range h.Lines {
			fmt.Printf("   %5d: %s\n", l.Number, l.Text)
		}
	}
}

var (
	dump     = flag.Bool("dump", false, "")
	gobf     = flag.String("lists", "/tmp/espy/k.lists", "")
	modelOut = flag.String("model", "", "")
	sweep    = flag.String("sweep", "", "")
	steps    = flag.Int("steps", 200, "")
	full     = flag.Bool("full", false, "")
	nohist   = flag.Bool("nohist", false, "")
	hw       = flag.Float64("hw", 0.5, "")
	offs     = flag.String("offs", "", "")
	hand     = flag.Float64("hand", 0.001, "")
	kinds    = flag.Float64("kinds", 0.003, "")
	smooth   = flag.Float64("smooth", 0.0005, "")
)

func main() {
	flag.Parse()
	if *dir != "" {
		key := strings.ReplaceAll(*dir, "/", "_")
		s := snap(filepath.Base(*dir), *dir, "", key)
		st := s.Stats()
		fmt.Fprintln(os.Stderr, "files", st.Files, "chunks", st.Chunks, "defs", st.Definitions)
		if *lat {
			latency(s)
			return
		}
		show(s, *query)
		return
	}
	if *dump || *explain != "" || *outp != "/dev/stdout" {
		dumpLists()
		return
	}
	experiment()
}

func dumpLists() {
	var repos []repo
	b, err := os.ReadFile("/work/shared/bench/retrieval/repos.json")
	must(err)
	must(json.Unmarshal(b, &repos))
	qs := questions()
	var mu sync.Mutex
	var lists []*train.List
	var all []out
	sem := make(chan int, 2)
	var wg sync.WaitGroup
	names := map[string]rank.Signal{}
	for i := range rank.NumSignals {
		names[i.String()] = i
	}
	hq := readQuestions("/tmp/espy/history/questions.jsonl")
	hr := map[string]bool{}
	nb := len(repos)
	for _, q := range hq {
		if !hr[q.Repo] {
			hr[q.Repo] = true
			repos = append(repos, repo{Name: q.Repo, Language: q.Language})
		}
	}
	if *outp != "/dev/stdout" {
		repos = repos[:nb]
	}
	qs = append(qs, hq...)
	for ri, r := range repos {
		for _, mode_ := range []string{"root", "whole", "history"} {
			if (ri >= nb) != (mode_ == "history") {
				continue
			}
			if (*explain != "" || *outp != "/dev/stdout") && mode_ != *mode && mode_ != "history" {
				continue
			}
			if *explain != "" && !strings.HasPrefix(*explain, r.Name+"#") {
				continue
			}
			wg.Add(1)
			sem <- 1
			go func() {
				defer func() { <-sem; wg.Done() }()
				prefix := ""
				if mode_ == "root" {
					prefix = r.Benchmark_root
				}
				base := "/tmp/espy/corpora"
				if mode_ == "history" {
					base = "/tmp/espy/history/trees"
				}
				s := snap(r.Name, filepath.Join(base, r.Name, prefix), "", r.Name+"-"+mode_)
				if prefix != "" {
					prefix += "/"
				}
				for _, q := range qs {
					if q.Repo != r.Name || *explain != "" && q.Id != *explain {
						continue
					}
					if *explain != "" {
						fmt.Println(q.Query, q.Targets)
						show(s, q.Query)
						continue
					}
					lim := 100
					if *outp != "/dev/stdout" {
						lim = 10
					}
					rs, err := search.Search(context.Background(), []*store.Snapshot{s}, search.Request{Query: q.Query, Limit: lim, Detail: search.DetailLocate, Explain: true})
					if err != nil {
						fmt.Println(err)
						continue
					}
					l := &train.List{ID: q.Id, Repo: q.Repo, Language: r.Language, Category: q.Category, Mode: mode_, Kind: rank.Understand(q.Query, q.Repo).Kind, Targets: len(q.Targets)}
					slices.SortFunc(rs.Hits, func(a, b search.Hit) int {
						if *outp != "/dev/stdout" {
							return 0
						}
						return strings.Compare(a.Path, b.Path)
					})
					o := out{Repo: q.Repo, Id: q.Id, Results: []res{}}
					for _, h := range rs.Hits {
						h.Path = prefix + h.Path
						o.Results = append(o.Results, res{h.Path, h.StartLine, h.EndLine})
						var row train.Row
						for _, c := range h.Explain {
							if i, ok := names[c.Signal]; ok {
								row.Signals[i] = c.Value
							}
						}
						for i, t := range q.Targets {
							if h.Path == t.Path || strings.HasSuffix(h.Path, "/"+t.Path) {
								if t.Start_line == 0 || !(h.EndLine < t.Start_line || h.StartLine > t.End_line) {
									row.Hits |= 1 << i
								}
							}
						}
						l.Rows = append(l.Rows, row)
					}
					mu.Lock()
					all = append(all, o)
					lists = append(lists, l)
					mu.Unlock()
				}
			}()
		}
	}
	wg.Wait()
	if *explain != "" {
		return
	}
	if *outp != "/dev/stdout" {
		f, err := os.Create(*outp)
		must(err)
		for _, o := range all {
			j, _ := json.Marshal(o)
			f.Write(append(j, 10))
		}
		f.Close()
		return
	}
	slices.SortFunc(lists, func(a, b *train.List) int { return strings.Compare(a.Mode+a.ID, b.Mode+b.ID) })
	f, err := os.Create(*gobf)
	must(err)
	must(gob.NewEncoder(f).Encode(lists))
	must(f.Close())
	found, total := 0, 0
	for _, l := range lists {
		m := uint32(0)
		for _, r := range l.Rows {
			m |= r.Hits
		}
		for i := range l.Targets {
			total++
			if m>>i&1 != 0 {
				found++
			}
		}
	}
	fmt.Printf("lists %d, recall of targets %.4f\n", len(lists), float64(found)/float64(total))
}

func report(name string, lists []*train.List, v []float64) {
	r, w, h := train.Summarise(lists, v, "root"), train.Summarise(lists, v, "whole"), train.Summarise(lists, v, "history")
	fmt.Printf("%-28s root %.4f (a %.3f se %.3f sy %.3f) worst5 %.3f | whole %.4f (a %.3f se %.3f sy %.3f) worst5 %.3f | history %.4f\n", name, r.All, r.Category["architecture"], r.Category["semantic"], r.Category["symbol"], r.Worst(5), w.All, w.Category["architecture"], w.Category["semantic"], w.Category["symbol"], w.Worst(5), h.All)
	if *full {
		fmt.Println("  ", r.Repo)
		fmt.Println("  ", w.Repo)
		fmt.Println("  ", r.Lang)
	}
}

func experiment() {
	f, err := os.Open(*gobf)
	must(err)
	var lists []*train.List
	must(gob.NewDecoder(f).Decode(&lists))
	score := func(m *rank.Model) []float64 {
		v := make([]float64, len(lists))
		for i, l := range lists {
			v[i] = l.NDCG(m)
		}
		return v
	}
	report("current", lists, score(rank.Default()))
	base := train.Defaults
	base.Steps = *steps
	report("hand", lists, score(train.Hand(base)))
	cv := func(name string, o train.Options) {
		report(name, lists, train.Grades(lists, train.CrossValidate(lists, func(l []*train.List) *rank.Model { return train.Fit(l, o) })))
	}
	if *modelOut != "" {
		m := train.Calibrate(train.Fit(lists, base), lists, base)
		report("fit on all", lists, score(m))
		must(os.WriteFile(*modelOut, []byte(m.String()), 0o644))
		return
	}
	if *offs != "" {
		for i := range rank.NumSignals {
			if slices.Contains(strings.Split(*offs, ","), i.String()) {
				base.Off = append(base.Off, i)
			}
		}
	}
	base.Hand = *hand
	base.Kinds = *kinds
	base.Smooth = *smooth
	if *nohist {
		lists = slices.DeleteFunc(lists, func(l *train.List) bool { return l.Mode == "history" })
	}
	base.History = *hw
	cv("cv default", base)
	switch *sweep {
	case "hand":
		for _, v := range []float64{0.0003, 0.001, 0.01, 0.03} {
			o := base
			o.Hand = v
			cv(fmt.Sprint("hand ", v), o)
		}
	case "kinds":
		for _, v := range []float64{0.0003, 0.001, 0.01, 0.03} {
			o := base
			o.Kinds = v
			cv(fmt.Sprint("kinds ", v), o)
		}
	case "smooth":
		for _, v := range []float64{0.0001, 0.0003, 0.003, 0.01} {
			o := base
			o.Smooth = v
			cv(fmt.Sprint("smooth ", v), o)
		}
	case "combo":
		try := func(name string, off ...rank.Signal) {
			o := base
			o.Off = append(slices.Clone(base.Off), off...)
			cv(name, o)
		}
		top := []rank.Signal{rank.TopStem, rank.TopName, rank.TopCoverage}
		try("-size", rank.Size)
		try("-size,chunks", rank.Size, rank.Chunks)
		try("-tops", top...)
		try("-tops,size,chunks", append(top, rank.Size, rank.Chunks)...)
		try("-tops,size,chunks,stem", append(top, rank.Size, rank.Chunks, rank.Stem)...)
		try("-tops,size,chunks,prefix", append(top, rank.Size, rank.Chunks, rank.Prefix)...)
		try("-tops,size,chunks,prefix,exstem", append(top, rank.Size, rank.Chunks, rank.Prefix, rank.ExactStem)...)
		try("-tops,size,chunks,prefix,mass", append(top, rank.Size, rank.Chunks, rank.Prefix, rank.ChunkMass)...)
	case "off":
		for i := range rank.NumSignals {
			o := base
			o.Off = append(slices.Clone(base.Off), i)
			cv("- "+i.String(), o)
		}
	}
}

func questions() []question { return readQuestions("/work/shared/bench/retrieval/questions.jsonl") }

func readQuestions(f string) []question {
	b, err := os.ReadFile(f)
	must(err)
	var qs []question
	for line := range bytes.Lines(b) {
		var q question
		must(json.Unmarshal(line, &q))
		qs = append(qs, q)
	}
	return qs
}

func latency(s *store.Snapshot) {
	qs := questions()
	if *prof != "" {
		f, err := os.Create(*prof)
		must(err)
		must(pprof.StartCPUProfile(f))
		defer pprof.StopCPUProfile()
	}
	for pass := range 4 {
		var ts []time.Duration
		start := time.Now()
		cpu := cpuTime()
		for _, q := range qs {
			t := time.Now()
			_, err := search.Search(context.Background(), []*store.Snapshot{s}, search.Request{Query: q.Query, Detail: search.Detail(*detail), MaxTokens: 2000})
			must(err)
			ts = append(ts, time.Since(t))
		}
		slices.Sort(ts)
		fmt.Printf("pass %d: n=%d p50=%v p95=%v max=%v total=%v cpu/query=%v\n", pass, len(ts), ts[len(ts)/2], ts[len(ts)*95/100], ts[len(ts)-1], time.Since(start), (cpuTime()-cpu)/time.Duration(len(ts)))
	}
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
