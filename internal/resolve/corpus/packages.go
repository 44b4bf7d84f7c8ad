package corpus

import "espy/internal/segment/syn"

// InPackage names a package of a family.
type InPackage struct {
	Family Family
	Name   string
}

// Packages are the files by the packages that they say they are of.
func (c *Corpus) Packages() map[InPackage][]FileID {
	all := map[InPackage][]FileID{}
	for id := range c.Files() {
		if family := c.Family(id); family != NoFamily {
			c.Look(id, func(f *syn.File) {
				if p := f.Package(); p != "" {
					all[InPackage{family, p}] = append(all[InPackage{family, p}], id)
				}
			})
		}
	}
	return all
}
