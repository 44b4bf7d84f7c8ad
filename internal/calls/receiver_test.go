package calls

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/locate"
)

// TestMayRunByReceiver holds that a call of a member that many types replace may run those alone
// that the type of its receiver may have: below it, or through what is below both.
func TestMayRunByReceiver(t *testing.T) {
	x := index(t, map[string][]byte{
		"Repository.java": []byte("interface Repository<T> {\n    T get(int id);\n}\n\ninterface Users extends Repository<String> {}\n\ninterface Groups extends Repository<String> {}\n"),
		"Impl.java":       []byte("abstract class Base<T> implements Repository<T> {\n    public T get(int id) { return null; }\n}\n\nclass SqlUsers implements Users {\n    public String get(int id) { return \"\"; }\n}\n\nclass BaseGroups extends Base<String> implements Groups {}\n"),
		"Service.java": []byte(`class Service {
    Users users;
    Groups groups;
    Repository<String> any;

    String user() { return users.get(1); }

    String group() { return groups.get(1); }

    String one() { return any.get(1); }

    String both() { return users.get(1) + groups.get(2); }

    String unknown() { return other().get(1); }
}
`),
		"repo.go":    []byte("package repo\n\ntype Getter interface{ Get() }\n\ntype Users interface {\n\tGetter\n\tUser()\n}\n\ntype sqlUsers struct{}\n\nfunc (sqlUsers) Get()  {}\nfunc (sqlUsers) User() {}\n\ntype files struct{}\n\nfunc (files) Get() {}\n\ntype held struct{ files }\n\nfunc (held) User() {}\n\ntype lone struct{}\n\nfunc (lone) Get() {}\n"),
		"service.go": []byte("package repo\n\nfunc user(u Users) { u.Get() }\n\nfunc get(g Getter) { g.Get() }\n"),
	})
	for _, tt := range []struct {
		name      string
		direction Direction
		want      []string
	}{
		{"SqlUsers.get", Callers, []string{"may run Service.java#Service.user", "may run Service.java#Service.one", "may run Service.java#Service.both"}},
		{"Base.get", Callers, []string{"may run Service.java#Service.group", "may run Service.java#Service.one", "may run Service.java#Service.both"}},
		{"Service.user", Callees, []string{"call Repository.java#Repository.get", "may run Impl.java#SqlUsers.get"}},
		{"Service.group", Callees, []string{"call Repository.java#Repository.get", "may run Impl.java#Base.get"}},
		{"Service.both", Callees, []string{"call Repository.java#Repository.get", "may run Impl.java#Base.get", "may run Impl.java#SqlUsers.get"}},
		{"sqlUsers.Get", Callers, []string{"may run service.go#user", "may run service.go#get"}},
		{"files.Get", Callers, []string{"may run service.go#user", "may run service.go#get"}},
		{"lone.Get", Callers, []string{"may run service.go#get"}},
		{"service.go#user", Callees, []string{"call repo.go#Getter.Get", "may run repo.go#sqlUsers.Get", "may run repo.go#files.Get"}},
		{"service.go#get", Callees, []string{"call repo.go#Getter.Get", "may run repo.go#sqlUsers.Get", "may run repo.go#files.Get", "may run repo.go#lone.Get"}},
	} {
		t.Run(tt.name+" "+string(tt.direction), func(t *testing.T) {
			a, err := find(x, Request{Target: locate.Target{Name: tt.name}, Direction: tt.direction})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range a.Steps {
				got = append(got, fmt.Sprintf("%s %s", s.Relation, s.ID))
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
