package overview

import "espy/internal/modules"

// Symbol is a declaration that files import.
type Symbol struct {
	ID   string
	Path string
	Line int
	By   int // distinct files that import it or name it through an import
}

func (s *surveyor) symbols(g *modules.Graph) {}
