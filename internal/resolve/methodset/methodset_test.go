package methodset

import "testing"

// TestFits compares methods by their types.
func TestFits(t *testing.T) {
	means := func(_ int, name string) string {
		switch name {
		case "T":
			return Any
		case "FileMode":
			return "os.FileMode"
		case "FsMode":
			return "io/fs.FileMode"
		}
		return name
	}
	tests := []struct {
		name, a, b  string
		fits, known bool
	}{
		{"names of parameters", "func (f *File) Read(b []byte) (n int, err error)", "Read([]uint8) (int, error)", true, true},
		{"several of one type", "M(a, b int)", "M(int, int)", true, true},
		{"number", "M(a, b int)", "M(int)", false, true},
		{"pointers", "M(*A)", "M(A)", false, true},
		{"any number", "M(...A)", "M([]A)", false, true},
		{"any", "M(interface{}) any", "M(any) interface{}", true, true},
		{"functions", "M(f func(a, b int) error)", "M(func(int, int) (error))", true, true},
		{"directions", "M() <-chan A", "M() chan A", false, true},
		{"maps", "M(map[string]*A)", "M(map[string]*A)", true, true},
		{"results", "M() error", "M()", false, true},
		{"type parameters", "M(T) error", "M(int) error", true, false},
		{"around a type parameter", "M([]T)", "M(map[string]int)", false, true},
		{"arguments of types", "M(A[int])", "M(A[string])", false, true},
		{"lengths", "M([4]A)", "M([5]A)", false, true},
		{"structs", "M(struct{a int})", "M(struct{a int})", true, true},
		{"names of the standard library", "M(os.FileMode)", "M(fs.FsMode)", true, true},
		{"order in interfaces", "M(interface{A();B()})", "M(interface{B();A()})", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, ok := Read(tt.a, means)
			b, ok2 := Read(tt.b, means)
			if !ok || !ok2 {
				t.Fatalf("Read(%q), Read(%q) = %t, %t", tt.a, tt.b, ok, ok2)
			}
			if fits, known := Fits(a, b); fits != tt.fits || known != tt.known {
				t.Errorf("Fits(%v, %v) = %t, %t, want %t, %t", a, b, fits, known, tt.fits, tt.known)
			}
		})
	}
}

// TestStandard reads every interface of the table.
func TestStandard(t *testing.T) {
	for name := range standard {
		t.Run(name, func(t *testing.T) {
			all, ok := Standard(name)
			if !ok || len(all) == 0 && standard[name] != "" {
				t.Fatalf("Standard(%q) = %v, %t", name, all, ok)
			}
			for _, m := range all {
				if m.Name == "" {
					t.Errorf("Standard(%q) has a method without a name: %v", name, all)
				}
			}
		})
	}
}
