package catalog_test

import (
	"testing"

	"espy/internal/catalog"
	"espy/internal/catalog/catalogtest"
)

func TestDir(t *testing.T) {
	catalogtest.Run(t, func(t *testing.T) func(t *testing.T) catalog.Catalog {
		path := t.TempDir()
		return func(t *testing.T) catalog.Catalog {
			c, err := catalog.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	})
}
