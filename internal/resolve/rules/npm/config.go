package npm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// manifest is a package.json.
type manifest struct {
	dir                       string
	Name, Main, Module, Types string
	Source                    string
	Exports, Imports          any
}

// mapping are the path mappings of a tsconfig.json.
type mapping struct {
	base  string
	bare  bool // modules without a dot are looked up in base
	paths map[string][]string
}

func (s *Project) readPackage(id corpus.FileID) {
	dir := s.corpus.Folder(id)
	text, err := s.corpus.Text(id)
	if err != nil {
		return
	}
	p := manifest{dir: dir}
	if json.Unmarshal(text, &p) != nil {
		return
	}
	s.inDir[dir] = p
	if old, again := s.packages[p.Name]; p.Name != "" && (!again || len(old.dir) > len(dir)) {
		s.packages[p.Name] = p
	}
}

func (s *Project) readConfig(id corpus.FileID) {
	dir := s.corpus.Folder(id)
	text, err := s.corpus.Text(id)
	if err != nil {
		return
	}
	var config struct {
		CompilerOptions struct {
			BaseURL         string `json:"baseUrl"`
			Paths           map[string][]string
			OutDir, RootDir string
		}
	}
	if json.Unmarshal(plainJSON(text), &config) != nil {
		return
	}
	o := config.CompilerOptions
	if out, ok := corpus.Join(dir, o.OutDir); ok && o.OutDir != "" {
		if root, ok := corpus.Join(dir, o.RootDir); ok && o.RootDir != "" && root != out {
			s.built[out] = root
		}
	}
	if o.BaseURL == "" && len(o.Paths) == 0 {
		return
	}
	base, ok := corpus.Join(dir, o.BaseURL)
	if !ok {
		return
	}
	p := mapping{base: base, bare: o.BaseURL != "", paths: o.Paths}
	if p.paths == nil {
		p.paths = map[string][]string{}
	}
	for k, v := range s.paths[dir].paths { // of another configuration there: one may map to what is built, another to sources
		p.paths[k] = slices.Concat(p.paths[k], v)
	}
	s.paths[dir] = p
}

// plainJSON removes comments and trailing commas from JSON.
func plainJSON(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			start := i
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out = append(out, text[start:min(i+1, len(text))]...)
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			for i += 3; i < len(text) && !(text[i] == '/' && text[i-1] == '*'); i++ {
			}
		case c == '}' || c == ']':
			for n := len(out); n > 0; n-- {
				if b := out[n-1]; b == ',' {
					out = out[:n-1]
				} else if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
					break
				}
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// conditions flattens the exports or imports of a package.json to places by path.
func conditions(v any) map[string][]string {
	all := map[string][]string{}
	switch v := v.(type) {
	case string:
		all["."] = []string{v}
	case map[string]any:
		for key, to := range v {
			if strings.HasPrefix(key, ".") || strings.HasPrefix(key, "#") {
				all[key] = append(all[key], leaves(to, 0)...)
			}
		}
		if len(all) == 0 {
			all["."] = leaves(v, 0)
		}
	}
	return all
}

// leaves returns the places under conditions, those of sources and types first.
func leaves(v any, depth int) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		if depth > 8 {
			return nil
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		rank := func(k string) int {
			return slices.Index([]string{"source", "types", "import", "module", "default", "require"}, k)
		}
		slices.SortFunc(keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(uint(rank(a)), uint(rank(b))), cmp.Compare(a, b))
		})
		var all []string
		for _, k := range keys {
			all = append(all, leaves(v[k], depth+1)...)
		}
		return all
	case []any: // the first that can be used
		var all []string
		for _, one := range v[:min(len(v), 16)] {
			if depth <= 8 {
				all = append(all, leaves(one, depth+1)...)
			}
		}
		return all
	}
	return nil
}
