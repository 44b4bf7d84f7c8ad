package calls

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/locate"
)

// TestFulfils holds that a method by which its type has what an interface of the standard
// library requires says so, and that calls through that interface may run it.
func TestFulfils(t *testing.T) {
	x := index(t, map[string][]byte{
		"a.go": []byte(`package a

import "net/http"

type Server struct{}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {}

type Other struct{}

func (o Other) ServeHTTP(w http.ResponseWriter, r string) {}

type List []int

func (l List) Len() int           { return len(l) }
func (l List) Less(i, j int) bool { return i < j }
func (l List) Swap(i, j int)      {}

type Lone struct{}

func (Lone) Len() int { return 0 }

type Both struct{}

func (Both) Read(p []byte) (int, error) { return 0, nil }
func (Both) Close() error               { return nil }
`),
		"b.go": []byte(`package a

import (
	"io"
	"net/http"
)

func Wrap(next http.Handler, w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) }

func Copy(from io.Reader, p []byte) { from.Read(p) }

func End(b Both, rc io.Closer) {
	b.Close()
	rc.Close()
}
`),
	})
	for _, tt := range []struct {
		name    string
		fulfils []string
		callers []string
	}{
		{"Server.ServeHTTP", []string{"net/http.Handler"}, []string{"may run b.go#Wrap possible"}},
		{"Other.ServeHTTP", nil, nil},
		{"List.Len", []string{"sort.Interface"}, nil},
		{"Lone.Len", nil, nil},
		{"Both.Read", []string{"io.Reader"}, []string{"may run b.go#Copy possible"}},
		{"Both.Close", []string{"io.Closer"}, []string{"call b.go#End certain"}}, // once
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := find(x, Request{Target: locate.Target{Name: tt.name}, Possible: true})
			if err != nil {
				t.Fatal(err)
			}
			var callers []string
			for _, s := range a.Steps {
				callers = append(callers, fmt.Sprintf("%s %s %s", s.Relation, s.ID, s.Confidence))
				if s.Times != 1 {
					t.Errorf("%s: %d times", s.ID, s.Times)
				}
			}
			if diff := gocmp.Diff(tt.fulfils, a.Fulfils); diff != "" {
				t.Errorf("fulfils (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(tt.callers, callers); diff != "" {
				t.Errorf("callers (-want +got):\n%s", diff)
			}
		})
	}
	a, err := find(x, Request{Target: locate.Target{Name: "Server.ServeHTTP"}, Direction: Callees})
	if err != nil || a.Fulfils != nil {
		t.Errorf("callees: fulfils %v, %v", a.Fulfils, err)
	}
}
