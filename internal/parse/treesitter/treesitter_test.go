//go:build cgo && !race

package treesitter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func dump(t *testing.T, g, s string) {
	tr, err := Parse(g, []byte(s))
	if err != nil {
		t.Fatal(err)
	}
	depth := map[int32]int{}
	for i, n := range tr.Nodes {
		d := 0
		if n.Parent >= 0 {
			d = depth[n.Parent] + 1
		}
		depth[int32(i)] = d
		k := "ERROR"
		if n.Kind != 0xffff {
			k = tr.Grammar.Kinds[n.Kind]
		}
		s := s[n.Start:n.End]
		if len(s) > 30 {
			s = s[:30]
		}
		fmt.Printf("%s%s %s %d [%q] next %d\n", strings.Repeat("  ", d), tr.Grammar.Fields[n.Field], k, n.Flags, s, n.Next)
	}
}

func TestDump(t *testing.T) {
	if f := os.Getenv("DUMP"); f != "" {
		b, _ := os.ReadFile(f)
		dump(t, os.Getenv("G"), string(b))
	}
}

func TestSpeed(t *testing.T) {
	dir := os.Getenv("SPEED")
	if dir == "" {
		t.Skip()
	}
	var total int
	var worst float64
	start := time.Now()
	filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if strings.HasSuffix(p, os.Getenv("EXT")) {
			b, _ := os.ReadFile(p)
			if len(b) == 0 {
				return nil
			}
			s := time.Now()
			tr, err := Parse(os.Getenv("G"), b)
			if err != nil {
				t.Log(p, err)
				return nil
			}
			total += len(b)
			r := float64(len(tr.Nodes)) / float64(len(b))
			if r > worst && len(b) > 1000 {
				worst = r
				t.Log(p, len(b), len(tr.Nodes), r, time.Since(s))
			}
		}
		return nil
	})
	t.Log(total, time.Since(start), float64(total)/1e6/time.Since(start).Seconds())
}
