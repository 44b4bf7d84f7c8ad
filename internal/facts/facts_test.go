package facts

import "testing"

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want string
	}{
		{"first role", RoleRead.String(), "read"},
		{"last role", RoleImplement.String(), "implement"},
		{"unknown role", Role(200).String(), "read"},
		{"best confidence", Certain.String(), "certain"},
		{"worst confidence", Possible.String(), "possible"},
		{"unknown confidence", Confidence(200).String(), "possible"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("String = %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestReleasedFilesAreEmpty(t *testing.T) {
	f := &File{Package: "p", Symbols: []Symbol{{Name: "s"}}, Uses: []Use{{Name: "u"}}, Imports: []Import{{Name: "i"}}, Exprs: []Expr{{}}, Errors: []Fault{{}}}
	symbols := f.Symbols
	f.Release()
	if f.Package != "" || len(f.Symbols)+len(f.Uses)+len(f.Imports)+len(f.Exprs)+len(f.Errors) != 0 {
		t.Errorf("a released file holds %+v", *f)
	}
	if symbols[0].Name != "" {
		t.Error("a released table holds on to names")
	}
	if f := New(); f.Package != "" || len(f.Symbols) != 0 {
		t.Errorf("a new file holds %+v", *f)
	}
}
